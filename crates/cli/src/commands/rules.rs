//! `meeple rules` and `meeple guide`: the texts of a game.

use meeple_core::GameInfo;
use meeple_games::parse_game;

use crate::args::TextArgs;
use crate::console::{Text, read_or_print};

pub fn run(args: &TextArgs) -> anyhow::Result<()> {
    let info = info(&args.game)?;
    read_or_print(&format!("rules of {}", info.name), &Text::Markdown(text(info)))
}

pub fn guide(args: &TextArgs) -> anyhow::Result<()> {
    let info = info(&args.game)?;
    read_or_print(&format!("guide to {}", info.name), &Text::Markdown(info.guide.to_owned()))
}

/// The game of this name. All presets have the same texts, but an unknown preset is refused.
fn info(game: &str) -> anyhow::Result<&'static GameInfo> {
    let name = parse_game(game)?;
    name.entry.variant(name.preset, &[])?;
    Ok(name.entry.info())
}

/// The rules without the markers around their table of parameters, followed by the guide.
pub fn text(info: &GameInfo) -> String {
    let lines = info.rules.lines().filter(|line| !line.starts_with("<!--"));
    let rules: String = lines.flat_map(|line| [line, "\n"]).collect();
    format!("{}\n\n{}\n", rules.trim_end(), info.guide.trim_end())
}
