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
        ("_meeple_cartolan_players.py", include_str!("../adapter/players.py")),
        ("_meeple_cartolan_tokens.py", include_str!("../adapter/tokens.py")),
        ("_meeple_cartolan_heuristics.py", include_str!("../adapter/heuristics.py")),
    ],
    simulator: None,
}];

/// Hooks by which a class is a player.
const HOOKS: [&str; 15] = [
    "continue_turn",
    "continue_move",
    "check_trade",
    "check_collect_wealth",
    "check_rest",
    "check_bank_wealth",
    "check_deposit",
    "check_buy_adventurer",
    "check_place_agent",
    "check_buy_agent",
    "check_move_agent",
    "check_attack_adventurer",
    "check_attack_agent",
    "check_restore_agent",
    "check_court_disaster",
];

/// A hook in a class, or an import of the modules that players with hooks come from.
fn is_player(text: &str) -> bool {
    ["players_heuristical", "cartolan"].iter().any(|module| imports(text, module))
        || text.lines().filter(|line| line.starts_with([' ', '\t'])).any(|line| {
            let method = line.trim_start().strip_prefix("def ");
            method.is_some_and(|method| HOOKS.iter().any(|hook| starts_with_word(method, hook)))
        })
}
