//! The adapter that lets Python bots of the original games run unchanged.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Its files, beside the bot's: what is run, what it knows of each original, and what stands in for a library.
pub(crate) const FILES: [(&str, &str); 4] = [
    ("_meeple_adapter.py", include_str!("adapter/meeple_adapter.py")),
    ("_meeple_movers.py", include_str!("adapter/movers.py")),
    ("_meeple_explorers.py", include_str!("adapter/explorers.py")),
    ("_meeple_numpy.py", include_str!("adapter/numpy_stand_in.py")),
];

/// How much of a file is looked at. Bots of the original games are a few kilobytes.
const LOOKED_AT: u64 = 4 << 20;

/// Whether a Python file is a bot of an original game, which needs the adapter: it defines one of their
/// functions at top level and does not read messages itself.
pub(crate) fn needed(file: &Path) -> io::Result<bool> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LOOKED_AT).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // Who reads lines and says hello speaks for itself.
    let speaks = (text.contains("stdin") || text.contains("input(")) && text.contains("hello");
    Ok(!speaks && text.lines().any(defines_a_bot))
}

/// Functions, and variables that hold one, by which a module is a bot.
const FUNCTIONS: [&str; 3] = ["make_moves", "get_mover", "strategy"];
/// Modules of the originals from which players are made.
const MODULES: [&str; 2] = ["strategies", "game_mechanics"];
/// Whether a line at top level defines what the adapter can call.
fn defines_a_bot(line: &str) -> bool {
    let defines = |name: &&str| line.strip_prefix("def ").is_some_and(|rest| starts_with_word(rest, name));
    let imports = |name: &&str| {
        (line.starts_with("import ") || line.starts_with("from "))
            && line.split(|c: char| !is_word(c)).any(|word| word == *name)
    };
    FUNCTIONS
        .iter()
        .any(|name| defines(name) || starts_with_word(line, name) && line.contains('=') || imports(name))
        || MODULES.iter().any(imports)
        || is_strategy(line)
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

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
