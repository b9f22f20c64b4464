//! The adapter that lets Python bots of the original games run unchanged.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Its name beside the bot's files.
pub(crate) const FILE: &str = "_meeple_adapter.py";
/// Its text.
pub(crate) const CODE: &str = include_str!("adapter/meeple_adapter.py");

/// How much of a file is looked at. Bots of the original games are a few kilobytes.
const LOOKED_AT: u64 = 4 << 20;

/// Whether a Python file is a bot of an original game, which needs the adapter: it defines one of their
/// functions at top level and does not read messages itself.
pub(crate) fn needed(file: &Path) -> io::Result<bool> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LOOKED_AT).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let speaks = text.contains("stdin") || text.contains("input(");
    Ok(!speaks && text.lines().any(defines_a_bot))
}

/// Whether a line at top level defines what the adapter can call.
fn defines_a_bot(line: &str) -> bool {
    if line.starts_with([' ', '\t', '#']) {
        return false;
    }
    ["make_moves", "get_mover", "strategy"].iter().any(|name| {
        line.strip_prefix("def ").is_some_and(|rest| starts_with_word(rest, name))
            || starts_with_word(line, name) && line.contains('=')
            || line.contains("import") && line.split(|c: char| !is_word(c)).any(|word| word == *name)
    }) || is_strategy(line)
}

/// `def anything(name, turn, backpack)`, perhaps with types.
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
    names == ["name", "turn", "backpack"]
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
