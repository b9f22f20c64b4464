//! Adapters, as data. With an adapter, bots written for the original program of a game play unchanged.
//!
//! A bot host puts the files of a game's [adapter](crate::Definition::adapters) beside the bot's files and
//! runs them together. Adapters serve bots in Python only: so far no original has used another language.

use std::fmt;

/// The adapters that a bot host may use.
pub type Adapters = &'static [&'static BotAdapter];

/// Adapter for bots that were written for the original program of a game.
pub struct BotAdapter {
    /// Unique name among all adapters.
    pub id: &'static str,
    /// Prefix of a bot's path (`PREFIX:PATH`) that forces this adapter, whatever the file looks like.
    pub prefix: Option<&'static str>,
    /// Returns true if a Python file with this text is a bot for the original program.
    pub recognises: fn(&str) -> bool,
    /// Feature by which the host recognises a bot's file, as a phrase: "it …".
    pub mark: &'static str,
    /// Use of the adapter's files.
    pub kind: AdapterKind,
    /// Files put beside the bot's, as paths and texts; at least one. Their paths must differ from those of
    /// bots' files.
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

/// Limits and penalties that the match simulator of an original applied to its bots. A bot that exceeds a
/// limit, or has another fault, forfeits the game.
#[derive(Clone, Copy, Debug)]
pub struct MatchSimulator {
    /// Phrase in help texts that names the original.
    pub doc: &'static str,
    /// Wall time until a bot is ready, in ms.
    pub start_wall_ms: u64,
    /// Wall time for one move, in ms.
    pub move_wall_ms: u64,
    /// Wall time for all moves of a game together, in ms.
    pub game_wall_ms: u64,
    /// The game's tool that writes the simulator's files. The tool is called with `export REPLAY -o FOLDER`,
    /// plus `--ban SEAT STEP KIND REASON` if a bot forfeited.
    pub tool: &'static str,
    /// Pairs of our fault code and the original's kind of ban, for faults that the original named
    /// differently.
    pub bans: &'static [(&'static str, &'static str)],
}

impl fmt::Debug for BotAdapter {
    /// Omits all fields but the id, because the files are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotAdapter").field("id", &self.id).finish_non_exhaustive()
    }
}
