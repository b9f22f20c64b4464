//! Bots of the original play unchanged: what they look like, and the files that ask them.

use meeple_core::adapter::{imports, starts_with_word};
use meeple_core::{AdapterKind, BotAdapter};

/// Classes whose hooks move Adventurers and say what to do on the way.
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

/// What asks a player, and names the hooks by which a class is one.
const PLAYERS: &str = include_str!("../adapter/players.py");

/// Hooks by which a class is a player: those that the file in Python lists, so that both know the same ones.
fn hooks() -> impl Iterator<Item = &'static str> {
    let list = PLAYERS.split_once("\nHOOKS = (").and_then(|(_, rest)| rest.split_once(')'));
    list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2)
}

/// A hook in a class, or an import of the modules that players with hooks come from.
fn is_player(text: &str) -> bool {
    ["players_heuristical", "cartolan"].iter().any(|module| imports(text, module))
        || text.lines().filter(|line| line.starts_with([' ', '\t'])).any(|line| {
            let method = line.trim_start().strip_prefix("def ");
            method.is_some_and(|method| hooks().any(|hook| starts_with_word(method, hook)))
        })
}
