//! `meeple rules`: the rules text.

use meeple_games::parse_game;

use crate::args::RulesArgs;
use crate::terminal;

pub fn run(args: &RulesArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    // All presets are played by the same text; one that does not exist is refused all the same.
    name.entry.variant(name.preset, &[])?;
    print(name.entry.info().rules)
}

/// Prints a rules text without the marks that its table of parameters is written between.
pub fn print(rules: &str) -> anyhow::Result<()> {
    let lines: Vec<&str> = rules.lines().filter(|line| !line.starts_with("<!--")).collect();
    terminal::print(&lines.join("\n"))
}
