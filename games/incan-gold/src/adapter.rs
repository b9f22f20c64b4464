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
        || text.lines().any(has_strategy)
}

/// Whether a function of the line takes a turn and a backpack: `def` at any depth, as methods and what factories make are
/// strategies too, or `lambda`.
fn has_strategy(line: &str) -> bool {
    let line = line.trim_start();
    let of_def = line
        .strip_prefix("def ")
        .and_then(|rest| rest.split_once('('))
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(parameters, _)| parameters);
    let of_lambda = line
        .split_once("lambda ")
        .and_then(|(_, rest)| rest.split_once(':'))
        .map(|(parameters, _)| parameters);
    [of_def, of_lambda].into_iter().flatten().any(are_of_strategy)
}

/// `turn, backpack`, perhaps with types, behind a name, `self` or what will be filled in, before others that have defaults.
fn are_of_strategy(parameters: &str) -> bool {
    let names = parameters.split(',').map(|parameter| {
        let name = parameter.split([':', '=']).next().unwrap_or("").trim();
        (name, parameter.contains('='))
    });
    let names: Vec<(&str, bool)> = names.collect();
    let at = names.windows(2).position(|pair| pair[0].0 == "turn" && pair[1].0 == "backpack");
    at.is_some_and(|at| names[at + 2..].iter().all(|(_, has_default)| *has_default))
}
