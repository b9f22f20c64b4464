//! Adapters, as data: they let bots written for a game's original play unchanged.
//!
//! A bot host puts the files of a game's [adapter](crate::Definition::adapters) beside the bot's files and
//! runs them together. Adapters serve bots in Python: no original has used another language yet.

use std::fmt;

/// The adapters that a bot host may use.
pub type Adapters = &'static [&'static BotAdapter];

/// Adapter with which bots of a game's original play unchanged.
pub struct BotAdapter {
    /// Unique name among all adapters.
    pub id: &'static str,
    /// Prefix of a bot's path (`PREFIX:PATH`) that forces this adapter, whatever the file looks like.
    pub prefix: Option<&'static str>,
    /// Returns true if a Python file with this text is a bot of the original.
    pub recognises: fn(&str) -> bool,
    /// Telling trait of such a file, as a phrase: "it …".
    pub mark: &'static str,
    /// Use of the adapter's files.
    pub kind: AdapterKind,
    /// Files put beside the bot's, as paths and texts; at least one. No bot's file should have such a path.
    pub files: &'static [(&'static str, &'static str)],
    /// Match simulator of the original, if it had one.
    pub simulator: Option<MatchSimulator>,
}

/// Use of an adapter's files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdapterKind {
    /// A bot is a module of functions or classes, perhaps for several games, loaded by the host's own
    /// program. The adapter's first file is a module that describes to that program how to query a bot of
    /// this game.
    Functions,
    /// The adapter's first file is a program that runs in the bot's place, with the bot's file as argument.
    Launcher,
}

/// Limits and penalties that the match simulator of an original applied to its bots.
#[derive(Clone, Copy, Debug)]
pub struct MatchSimulator {
    /// Phrase for help that names the original.
    pub doc: &'static str,
    /// Wall time until a bot is ready. A bot that exceeds a limit, or has another fault, forfeits the game.
    pub start_wall_ms: u64,
    /// Wall time for one move.
    pub move_wall_ms: u64,
    /// Wall time for all moves of a game together.
    pub game_wall_ms: u64,
    /// The game's tool that writes the simulator's files. It is called with `export REPLAY -o FOLDER`, plus
    /// `--ban SEAT STEP KIND REASON` if a bot forfeited.
    pub tool: &'static str,
    /// Pairs of our fault code and the original's kind of ban, where the original distinguished another kind.
    pub bans: &'static [(&'static str, &'static str)],
}

impl fmt::Debug for BotAdapter {
    /// The id alone: the files are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotAdapter").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns true if a Python file defines this name at top level: by a function, a variable or an import.
pub fn defines(text: &str, name: &str) -> bool {
    let is_definition = |line: &str| {
        line.strip_prefix("def ").is_some_and(|rest| starts_with_word(rest, name))
            || starts_with_word(line, name) && line.contains('=')
    };
    text.lines().any(is_definition) || imports(text, name)
}

/// Returns true if a Python file imports this name at top level, or something from a module of this name.
pub fn imports(text: &str, name: &str) -> bool {
    let is_import = |line: &&str| line.starts_with("import ") || line.starts_with("from ");
    text.lines().filter(is_import).any(|line| line.split(|c: char| !is_word(c)).any(|word| word == name))
}

/// Returns true if a text begins with this word, as a whole word.
pub fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
