//! The adapter for bots of the original: how they are recognised, and the files that run them unchanged.

use meeple_core::python_source::{imports, starts_with_word};
use meeple_core::{AdapterKind, BotAdapter};

/// Adapters. A player class has hooks that move Adventurers and make the decisions in between.
pub(crate) const ADAPTERS: &[BotAdapter] = &[BotAdapter {
    id: "players",
    prefix: None,
    recognises: is_player,
    mark: "has a class with hooks such as continue_move or check_rest",
    kind: AdapterKind::Functions,
    files: &[
        ("_meeple_cartolan_players.py", PLAYERS),
        ("_meeple_cartolan_tokens.py", include_str!("../adapter/tokens.py")),
        ("_meeple_cartolan_heuristics.py", include_str!("../adapter/heuristics.py")),
    ],
    simulator: None,
}];

/// The adapter's Python program. Its list `HOOKS` identifies a player class.
const PLAYERS: &str = include_str!("../adapter/players.py");

/// Names of the hooks of a player class, parsed from the Python program, so Rust needs no list of its own.
fn hooks() -> impl Iterator<Item = &'static str> {
    let list = PLAYERS.split_once("\nHOOKS = (").and_then(|(_, rest)| rest.split_once(')'));
    list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2)
}

/// Returns true if the text has a hook in a class or imports a module with the original's players.
fn is_player(text: &str) -> bool {
    ["players_heuristical", "cartolan"].iter().any(|module| imports(text, module))
        || text.lines().filter(|line| line.starts_with([' ', '\t'])).any(|line| {
            let method = line.trim_start().strip_prefix("def ");
            method.is_some_and(|method| hooks().any(|hook| starts_with_word(method, hook)))
        })
}
