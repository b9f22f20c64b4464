//! Tools of a game's own, listed and run by the command line without knowing the game.

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
}

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
