//! Adapters, as data: how a program that was written as a bot of a game's original plays unchanged.
//!
//! A game offers them ([`Definition::adapters`](crate::Definition::adapters)); a host of bots puts the files of one beside the
//! bot's and runs them with it. They are for bots in Python: other languages have had no original yet.

use std::fmt;

/// The adapters that a host of bots may use.
pub type Adapters = &'static [&'static BotAdapter];

/// How bots of a game's original play unchanged.
pub struct BotAdapter {
    /// Its name, unlike that of any other adapter.
    pub id: &'static str,
    /// What a user writes before a bot's path (`PREFIX:PATH`) to say that it is one of these, whatever it looks like.
    pub prefix: Option<&'static str>,
    /// Whether a Python file with this text is such a bot.
    pub recognises: fn(&str) -> bool,
    /// What such a file does, by which it is recognised: "it …".
    pub mark: &'static str,
    /// How its files are used.
    pub kind: AdapterKind,
    /// What is put beside the bot's files: paths, which no bot's file should have, and texts; at least one.
    pub files: &'static [(&'static str, &'static str)],
    /// What the original's match simulator did, if it had one.
    pub simulator: Option<MatchSimulator>,
}

/// How the files of an adapter are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdapterKind {
    /// A bot is a module of functions or classes, perhaps for several games at once. The host's own program loads it; the first
    /// file is a module that tells that program what a bot of this game is and how it is asked.
    Functions,
    /// The first file is a program that is run in the bot's place, with the bot's file as its argument.
    Launcher,
}

/// What the match simulator of an original did with its bots.
#[derive(Clone, Copy, Debug)]
pub struct MatchSimulator {
    /// What the original is, in a phrase for help.
    pub doc: &'static str,
    /// On the wall, until a bot is ready. Whoever takes longer here or below, or has another fault, forfeits the game.
    pub start_wall_ms: u64,
    /// On the wall, for one move.
    pub move_wall_ms: u64,
    /// On the wall, for all moves of a game together.
    pub game_wall_ms: u64,
    /// The tool of the game that writes the simulator's files. It is called with `export REPLAY -o FOLDER`, and with
    /// `--ban SEAT STEP KIND REASON` if somebody forfeited.
    pub tool: &'static str,
    /// Our codes of faults for which the original had another kind of ban, each with that kind.
    pub bans: &'static [(&'static str, &'static str)],
}

impl fmt::Debug for BotAdapter {
    /// The name stands for all of it: the files are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotAdapter").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Whether a Python file defines this name at top level: a function or a variable of its own, or imported.
pub fn defines(text: &str, name: &str) -> bool {
    let is_definition = |line: &str| {
        line.strip_prefix("def ").is_some_and(|rest| starts_with_word(rest, name))
            || starts_with_word(line, name) && line.contains('=')
    };
    text.lines().any(is_definition) || imports(text, name)
}

/// Whether a Python file imports this name at top level, or something from a module of this name.
pub fn imports(text: &str, name: &str) -> bool {
    let is_import = |line: &&str| line.starts_with("import ") || line.starts_with("from ");
    text.lines().filter(is_import).any(|line| line.split(|c: char| !is_word(c)).any(|word| word == name))
}

/// Whether a text begins with this name, and the name ends there.
pub fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
