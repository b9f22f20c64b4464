//! The adapter for bots of the original: recognition, and the files that run them unchanged.

use meeple_core::python_source::{imports, starts_with_word};
use meeple_core::{AdapterKind, BotAdapter};

/// Classes with hooks that move Adventurers and make decisions on the way.
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

/// The Python adapter, which also lists the hooks that identify a player class.
const PLAYERS: &str = include_str!("../adapter/players.py");

/// The hooks of a player class, parsed from the Python adapter so that both agree.
fn hooks() -> impl Iterator<Item = &'static str> {
    let list = PLAYERS.split_once("\nHOOKS = (").and_then(|(_, rest)| rest.split_once(')'));
    list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2)
}

/// Returns true for a hook in a class, or an import of the modules with the original's players.
fn is_player(text: &str) -> bool {
    ["players_heuristical", "cartolan"].iter().any(|module| imports(text, module))
        || text.lines().filter(|line| line.starts_with([' ', '\t'])).any(|line| {
            let method = line.trim_start().strip_prefix("def ");
            method.is_some_and(|method| hooks().any(|hook| starts_with_word(method, hook)))
        })
}
