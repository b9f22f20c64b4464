//! The players that `meeple learn` accepts: network files, or agents.

use std::path::Path;

use anyhow::Context;
use meeple_core::{AgentSpec, AnyGame};
use meeple_games::parse_game;
use meeple_lab::text::percent_with_half;
use meeple_learn::{Checkpoint, MatchResult, MatchSetup};

use crate::args::GroundArgs;
use crate::settings::settings;

pub fn read_network(path: &Path) -> anyhow::Result<Checkpoint> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    Ok(Checkpoint::from_bytes(&bytes, &path.display().to_string())?)
}

/// The agent of a network file (ours or ONNX), or of an agent spec.
pub fn player(text: &str) -> AgentSpec {
    match Path::new(text).extension().and_then(|ending| ending.to_str()) {
        // The parameter of an agent may end like a network file, as in `net:file.safetensors`.
        _ if text.contains(':') => AgentSpec::parse(text),
        Some("safetensors") => AgentSpec::with("net", [("file", text)]),
        Some("onnx") => AgentSpec::with("onnx", [("file", text)]),
        _ => AgentSpec::parse(text),
    }
}

/// The game of the match. Without `--seats` it has the seats that the first player's network was trained for,
/// or 2.
pub fn game(name: &str, first: &str, args: &GroundArgs) -> anyhow::Result<Box<dyn AnyGame>> {
    let name = parse_game(name)?;
    let seats = match args.seats {
        Some(seats) => seats,
        None if first.ends_with(".safetensors") && !first.contains(':') => {
            read_network(Path::new(first))?.about.seats
        }
        None => 2,
    };
    Ok(name.entry.set_up(name.preset, &settings(&args.variant)?, seats)?)
}

pub fn ground<'a>(game: &'a dyn AnyGame, args: &GroundArgs) -> MatchSetup<'a> {
    MatchSetup { game, seed: args.seed, threads: args.threads }
}

pub fn groups(episodes: u64, game: &dyn AnyGame) -> u64 {
    episodes.div_ceil(game.seats() as u64)
}

pub fn share_text(met: &MatchResult) -> String {
    format!("{} % in {} deals", percent_with_half(met.share, met.interval), met.groups)
}
