//! `meeple rules`: the rules text.

use meeple_games::parse_game;

use crate::args::RulesArgs;
use crate::terminal;

pub fn run(args: &RulesArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    // All presets are played by the same text; one that does not exist is refused all the same.
    name.entry.variant(name.preset, &[])?;
    terminal::print(name.entry.info().rules)
}
