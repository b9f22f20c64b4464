//! The adapters that let Python bots of the original games run unchanged: files put beside the bot's, the first of
//! which is run in its place.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::shown::shown;

/// Files beside the bot's, by path; the first is given the bot's file as its argument.
pub(crate) type Adapter = &'static [(&'static str, &'static str)];

/// For bots that are functions: what is run, what it knows of each original, and what stands in for a library.
const FUNCTIONS: Adapter = &[
    ("_meeple_adapter.py", include_str!("adapter/meeple_adapter.py")),
    ("_meeple_movers.py", include_str!("adapter/movers.py")),
    ("_meeple_explorers.py", include_str!("adapter/explorers.py")),
    ("_meeple_numpy.py", include_str!("adapter/numpy_stand_in.py")),
];

/// A file of the adapter for the pipes of SYNCS 2025.
macro_rules! syncs {
    ($($name:literal),*) => {
        &[$((concat!("_meeple_syncs2025/", $name), include_str!(concat!("adapter/syncs2025/", $name)))),*]
    };
}

/// For bots that expect the folder and the pipes of SYNCS 2025, with what they import.
const SYNCS2025: Adapter = syncs!(
    "launch.py",
    "_meeple_transport.py",
    "_meeple_feed.py",
    "helper/__init__.py",
    "helper/client_state.py",
    "helper/game.py",
    "helper/interface.py",
    "helper/state_mutator.py",
    "helper/utils.py",
    "lib/__init__.py",
    "lib/logic.py",
    "lib/messages.py",
    "lib/pieces.py"
);

/// What the user says of a bot's interface.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Interface {
    /// What its file looks like.
    #[default]
    Found,
    /// The pipes of SYNCS 2025 (`syncs:PATH`).
    Syncs2025,
}

/// How much of a file is looked at. Bots of the original games are a few kilobytes.
const LOOKED_AT: u64 = 4 << 20;

/// The adapter that a Python file needs: it defines a function of an original game at top level and does not read
/// messages itself, or it imports the package that opens the pipes.
///
/// # Errors
/// If it cannot be read, or does both.
pub(crate) fn needed(file: &Path, interface: Interface) -> Result<Option<Adapter>, AdapterError> {
    if interface == Interface::Syncs2025 {
        return Ok(Some(SYNCS2025));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(LOOKED_AT).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // Who reads lines and says hello speaks for itself.
    let speaks = (text.contains("stdin") || text.contains("input(")) && text.contains("hello");
    let is_function = !speaks && text.lines().any(defines_a_bot);
    match (is_function, text.lines().any(imports_the_helper)) {
        (true, true) => Err(AdapterError::Two { name: shown(file.file_name().map_or(file, Path::new)) }),
        (true, false) => Ok(Some(FUNCTIONS)),
        (false, true) => Ok(Some(SYNCS2025)),
        (false, false) => Ok(None),
    }
}

/// Why no adapter is found.
#[derive(Debug)]
pub(crate) enum AdapterError {
    /// The bot's file cannot be read.
    Unreadable(io::Error),
    /// It is a bot of two originals.
    Two {
        /// Its name, safe to show.
        name: String,
    },
}

impl From<io::Error> for AdapterError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Whether a line, wherever it stands, imports the package that opens the pipes.
fn imports_the_helper(line: &str) -> bool {
    let line = line.trim_start();
    let module = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "));
    module.is_some_and(|module| module.starts_with("helper.game") || module.starts_with("helper import game"))
}

/// Functions, and variables that hold one, by which a module is a bot.
const NAMES: [&str; 3] = ["make_moves", "get_mover", "strategy"];
/// Modules of the originals from which players are made.
const MODULES: [&str; 2] = ["strategies", "game_mechanics"];

/// Whether a line at top level defines what the adapter can call.
fn defines_a_bot(line: &str) -> bool {
    let defines = |name: &&str| line.strip_prefix("def ").is_some_and(|rest| starts_with_word(rest, name));
    let imports = |name: &&str| {
        (line.starts_with("import ") || line.starts_with("from "))
            && line.split(|c: char| !is_word(c)).any(|word| word == *name)
    };
    NAMES
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
