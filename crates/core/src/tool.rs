//! A game's own tools, listed and run by the generic command line.

use std::ops::ControlFlow;

use serde_json::Value;
use thiserror::Error;

/// A tool: name, arguments, doc and function.
pub struct Tool<G> {
    /// The verb: `meeple NAME GAME ARGUMENTS`.
    pub name: &'static str,
    /// The arguments, as shown in help.
    pub usage: &'static str,
    /// Description in one or more sentences.
    pub doc: &'static str,
    /// Function that runs the tool.
    pub run: fn(&mut ToolCall<'_, G>) -> Result<ToolOutput, ToolError>,
}

/// Input of a tool.
pub struct ToolCall<'a, G> {
    /// The game with the user's variant, for its minimum number of seats.
    pub game: &'a G,
    /// The arguments after the game's name, `--flags` included.
    pub arguments: &'a [String],
    /// Root seed of the tool's random streams.
    pub seed: u64,
    /// Reads a file that the user named. Games are pure; the host does the reading.
    pub read_file: &'a mut dyn FnMut(&str) -> Result<String, String>,
    /// Reports the progress of a long computation. Results do not depend on the receiver.
    pub tell: &'a mut dyn FnMut(ToolNews<'_>),
    /// Host of long computations: lends threads, stores partial results, and cancels them.
    pub host: &'a dyn ToolHost,
}

/// Services of the host for long computations, because games have no threads, files or signals of their own.
/// Results do not depend on the host.
pub trait ToolHost {
    /// Runs `item` once for every index in `0..count`, perhaps in parallel and in any order. `done` is called
    /// for each finished item, on the calling thread. Once `done` returns [`Break`](ControlFlow::Break), no
    /// further item starts, and running ones are not reported.
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

    /// Returns true if the user has requested a stop. Computations then return an error as soon as possible.
    fn is_stopped(&self) -> bool {
        false
    }

    /// The text stored under this name, if any.
    ///
    /// # Errors
    /// The reason why the text cannot be read.
    fn kept(&self, name: &str) -> Result<Option<String>, String> {
        let _ = name;
        Ok(None)
    }

    /// Stores a text under this name, which consists of lower-case letters, digits, dots and hyphens. It
    /// replaces the previous text atomically.
    ///
    /// # Errors
    /// The reason why the text cannot be stored.
    fn keep(&self, name: &str, text: &str) -> Result<(), String> {
        let _ = (name, text);
        Ok(())
    }
}

/// A host with one thread, without storage or cancellation.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl ToolHost for NoHost {}

/// Progress report of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolNews<'a> {
    /// A line for people, such as the size of the task or its first step.
    Says(&'a str),
    /// Share of the work that is finished.
    Done {
        /// Number of finished parts.
        done: u64,
        /// Total number of parts, of about equal duration.
        total: u64,
    },
}

/// Output of a tool.
#[derive(Clone, Debug, Default)]
pub struct ToolOutput {
    /// Tables for people.
    pub tables: Vec<TextTable>,
    /// Result for programs (`--json`).
    pub json: Value,
    /// Files to write: path as given by the user, and content.
    pub files: Vec<(String, String)>,
}

/// A table of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextTable {
    /// Title above the table.
    pub title: String,
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
    /// Lines below the table.
    pub notes: Vec<String>,
}

/// Reason why a tool refused or failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ToolError {
    /// The arguments are wrong (exit code 2).
    #[error("{0}")]
    Usage(String),
    /// The computation failed (exit code 1).
    #[error("{0}")]
    Failed(String),
}
