//! The generated parts of the games' rules.

use anyhow::{Result, bail};
pub(crate) use meeple_testkit::Mode;
use meeple_testkit::parameters::check_rules;

use crate::workspace;

/// Regenerates or checks the table of parameters in every RULES.md.
pub(crate) fn rules(mode: Mode) -> Result<()> {
    let root = workspace::root()?;
    let mut wrong = Vec::new();
    for entry in meeple_games::games() {
        // With the feature `examples` the registry also has a game in that folder.
        let folders = ["games", "examples"].map(|folder| root.join(folder).join(entry.info().id));
        let folder = folders.iter().find(|folder| folder.exists()).unwrap_or(&folders[0]);
        let path = folder.join("RULES.md");
        match (check_rules(&path, &entry.params(), mode), mode) {
            (Ok(()), _) => println!("{}: up to date", entry.info().id),
            (Err(told), Mode::Bless) if told.starts_with("blessed: ") => println!("{told}"),
            (Err(told), _) => wrong.push(told),
        }
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(())
}
