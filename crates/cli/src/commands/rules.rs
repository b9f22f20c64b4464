//! `meeple rules`: the rules text.

use meeple_games::parse_game;

use crate::args::RulesArgs;
use crate::terminal;

pub fn run(args: &RulesArgs) -> anyhow::Result<()> {
    terminal::print(parse_game(&args.game)?.entry.info().rules)
}
