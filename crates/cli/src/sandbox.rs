//! The sandbox that bots of the command line get.

use std::path::Path;

use anyhow::Context;
use meeple_bothost::{Launcher, Level, Sandbox};

use crate::failure::usage;
use crate::terminal;

/// The hidden verb that restricts itself and becomes a bot.
pub const LAUNCHER_VERB: &str = "__sandbox-exec";

/// This binary as the launcher of bots.
pub fn launcher() -> anyhow::Result<Launcher> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(Launcher { program, arguments: vec![LAUNCHER_VERB.to_owned()] })
}

/// The sandbox of `--sandbox`, or the strongest that works here, with the interpreter of `--python`. Warns if it is a weak one.
pub fn choose(level: Option<&str>, python: Option<&Path>) -> anyhow::Result<Sandbox> {
    let sandbox = match level {
        Some(text) => {
            let level: Level = text.parse().map_err(|error| usage(format!("--sandbox: {error}")))?;
            Sandbox::of_level(level, &launcher()?)?
        }
        None => Sandbox::best(&launcher()?),
    };
    if let Some(warning) = sandbox.level().warning() {
        terminal::tell(format_args!("warning: {warning}"));
    }
    Ok(sandbox.with_python(python.map(Path::to_owned)))
}
