//! Bots of the original play unchanged: what they look like, and the file that asks them.

use meeple_core::adapter::{defines, imports};
use meeple_core::{AdapterKind, BotAdapter};

/// Functions that are true to leave, and players that hold one.
pub(crate) const ADAPTERS: &[BotAdapter] = &[BotAdapter {
    id: "explorers",
    prefix: None,
    recognises: is_explorer,
    mark: "defines a strategy (name, turn, backpack)",
    kind: AdapterKind::Functions,
    files: &[("_meeple_explorers.py", include_str!("../adapter/explorers.py"))],
    simulator: None,
}];

/// The modules of the original count, too: players are made from them.
fn is_explorer(text: &str) -> bool {
    defines(text, "strategy")
        || ["strategies", "game_mechanics"].iter().any(|module| imports(text, module))
        || text.lines().any(is_strategy)
}

/// `def anything(name, turn, backpack)` or `def anything(turn, backpack)`, perhaps with types.
fn is_strategy(line: &str) -> bool {
    let Some(arguments) = line
        .strip_prefix("def ")
        .and_then(|rest| rest.split_once('('))
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(arguments, _)| arguments)
    else {
        return false;
    };
    let names: Vec<&str> =
        arguments.split(',').map(|argument| argument.split(':').next().unwrap_or("").trim()).collect();
    names == ["name", "turn", "backpack"] || names == ["turn", "backpack"]
}
