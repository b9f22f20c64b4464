//! Tools of a game's own, listed and run by the command line without knowing the game.

use std::ops::ControlFlow;

use serde_json::Value;
use thiserror::Error;

/// A tool: name, arguments, doc, and what it does.
pub struct Tool<G> {
    /// The verb: `meeple NAME GAME ARGUMENTS`.
    pub name: &'static str,
    /// The arguments, as shown in help.
    pub usage: &'static str,
    /// What it does, in a sentence or more.
    pub doc: &'static str,
    /// Runs it.
    pub run: fn(&mut ToolCall<'_, G>) -> Result<ToolOutput, ToolError>,
}

/// What a tool is called with.
pub struct ToolCall<'a, G> {
    /// The game with the variant the user set, for the fewest seats it can be played with.
    pub game: &'a G,
    /// The arguments after the game's name, `--flags` included.
    pub arguments: &'a [String],
    /// The root seed.
    pub seed: u64,
    /// Reads a file the user named. Games are pure; the edge does the reading.
    pub read_file: &'a mut dyn FnMut(&str) -> Result<String, String>,
    /// Tells the user how far a long computation is. Nothing depends on whether anybody listens.
    pub tell: &'a mut dyn FnMut(ToolNews<'_>),
    /// Who lends threads to long computations, keeps what is done of them, and ends them.
    pub host: &'a dyn ToolHost,
}

/// What a long computation asks of the edge: games are pure and have no threads, files or signals of their own. What comes
/// out must not depend on the host: it may stop a computation, and make it quicker.
pub trait ToolHost {
    /// Works on the items `0..count`, each once, perhaps several at a time and in any order. `done` is told of each that is
    /// finished, one after another, on the thread that calls; once it says [`Break`](ControlFlow::Break), no further item is
    /// begun, and those under way are not told of.
    fn each(
        &self,
        count: usize,
        item: &(dyn Fn(usize) + Sync),
        done: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) {
        for index in 0..count {
            item(index);
            if done(index).is_break() {
                break;
            }
        }
    }

    /// Whether the user has asked for an end: a computation then returns an error as soon as it can.
    fn is_stopped(&self) -> bool {
        false
    }

    /// The text that was kept under this name, if there is one.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn kept(&self, name: &str) -> Result<Option<String>, String> {
        let _ = name;
        Ok(None)
    }

    /// Keeps a text under this name, which is made of lower-case letters, digits, dots and hyphens; what was there is replaced as
    /// a whole.
    ///
    /// # Errors
    /// Why it cannot be kept.
    fn keep(&self, name: &str, text: &str) -> Result<(), String> {
        let _ = (name, text);
        Ok(())
    }
}

/// A host that lends one thread, keeps nothing, and ends nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl ToolHost for NoHost {}

/// What a tool tells while it computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolNews<'a> {
    /// A line for people: how large it is, what is done first.
    Says(&'a str),
    /// How much is done.
    Done {
        /// So many parts,
        done: u64,
        /// of so many, about equally long.
        total: u64,
    },
}

/// What a tool gives back.
#[derive(Clone, Debug, Default)]
pub struct ToolOutput {
    /// For people.
    pub tables: Vec<TextTable>,
    /// For programs (`--json`).
    pub json: Value,
    /// Files to write: path as the user gave it, and content.
    pub files: Vec<(String, String)>,
}

/// A table of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextTable {
    /// Shown above it.
    pub title: String,
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
    /// Lines shown below it.
    pub notes: Vec<String>,
}

/// Why a tool did nothing.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ToolError {
    /// The arguments are wrong (exit code 2).
    #[error("{0}")]
    Usage(String),
    /// It could not be done (exit code 1).
    #[error("{0}")]
    Failed(String),
}
