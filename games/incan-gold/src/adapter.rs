//! The adapter for bots of the original: recognition, and the file that runs them unchanged.

use meeple_core::python_source::{defines, imports};
use meeple_core::{AdapterKind, BotAdapter};

/// Recognises functions that return true to leave, and players that hold such a function.
pub(crate) const ADAPTERS: &[BotAdapter] = &[BotAdapter {
    id: "explorers",
    prefix: None,
    recognises: is_explorer,
    mark: "defines a strategy (name, turn, backpack)",
    kind: AdapterKind::Functions,
    files: &[("_meeple_explorers.py", include_str!("../adapter/explorers.py"))],
    simulator: None,
}];

/// Returns true for a strategy, or for an import of the original's modules, from which players are built.
fn is_explorer(text: &str) -> bool {
    defines(text, "strategy")
        || ["strategies", "game_mechanics"].iter().any(|module| imports(text, module))
        || parameter_lists(text).any(are_of_strategy)
}

/// The parameter lists of every `def` and `lambda` at any depth, because methods can be strategies.
fn parameter_lists(text: &str) -> impl Iterator<Item = &str> {
    let of_defs = text.match_indices("def ").filter_map(|(at, word)| {
        let (_, rest) = text[at + word.len()..].split_once('(')?;
        up_to(rest, ')')
    });
    let of_lambdas =
        text.match_indices("lambda ").filter_map(|(at, word)| up_to(&text[at + word.len()..], ':'));
    of_defs.chain(of_lambdas)
}

/// The text before the first `end` that is outside all brackets.
fn up_to(text: &str, end: char) -> Option<&str> {
    let mut open = 0;
    let at = text.find(|letter| {
        let is_end = open == 0 && letter == end;
        open += match letter {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        is_end
    })?;
    Some(&text[..at])
}

/// Returns true for the parameters `turn, backpack`, perhaps with types. A name or `self` may precede them,
/// and optional parameters may follow.
fn are_of_strategy(parameters: &str) -> bool {
    let names = parameters.split(',').filter_map(|parameter| {
        let name = parameter.split([':', '=']).next().unwrap_or("").trim();
        // `/`, `*` and the empty text after a trailing comma are not parameters.
        (!["", "/", "*"].contains(&name)).then_some((name, parameter.contains('=') || name.starts_with('*')))
    });
    let names: Vec<(&str, bool)> = names.collect();
    let at = names.windows(2).position(|pair| pair[0].0 == "turn" && pair[1].0 == "backpack");
    at.is_some_and(|at| names[at + 2..].iter().all(|(_, may_be_missing)| *may_be_missing))
}
