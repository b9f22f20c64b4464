//! What can go wrong in the laboratory.

use std::path::{Path, PathBuf};

use meeple_core::{AgentError, EntryError, ReplayError};
use thiserror::Error;

/// Why an experiment could not be set up, run or written. Nothing was written then, but for
/// [`LabError::Write`], which may strike in the middle.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    /// The game, its variant or the number of seats is wrong.
    #[error(transparent)]
    Face(#[from] EntryError),
    /// An agent is wrong.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The line-up cannot be read.
    #[error("line-up: {0}")]
    LineUp(Mismatch),
    /// A colour of the line-up is wrong.
    #[error("line-up: {0}")]
    Color(String),
    /// A run of no episodes.
    #[error("expected at least 1 episode, found {found}\nhint: give a number with -n, as in -n 10000")]
    Episodes {
        /// What was given.
        found: u64,
    },
    /// A panic while episodes were played.
    #[error(
        "expected to play episodes {first} to {last}, found a panic: {message}\nhint: the game or an agent is at fault; play a line-up without that agent, or report the command and this message"
    )]
    Panic {
        /// The first of the episodes that were played one after the other.
        first: u64,
        /// The last of them; the panic came in one of these.
        last: u64,
        /// What the panic said.
        message: String,
    },
    /// A replay is wrong.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// An agent that was to judge decisions does not say what it thinks.
    #[error("expected an agent that says what it thinks of actions, found '{agent}'\nhint: {hint}")]
    Silent {
        /// The agent.
        agent: String,
        /// Who does.
        hint: String,
    },
    /// A panic while an agent judged a decision.
    #[error(
        "expected what the agent thinks at moment {moment}, found a panic: {message}\nhint: please report it"
    )]
    Judging {
        /// The decision's moment.
        moment: usize,
        /// What the panic said.
        message: String,
    },
    /// The range of this parameter of a sweep cannot be read.
    #[error("range of {0}: {1}")]
    Range(String, Mismatch),
    /// A sweep with no or too many axes, or too many cells.
    #[error("sweep: {0}")]
    Sweep(Mismatch),
    /// The output directory holds something.
    #[error("expected an empty or new directory for results, found {holds} in {path}\nhint: {hint}")]
    Occupied {
        /// The directory.
        path: PathBuf,
        /// What it holds.
        holds: String,
        /// What to do.
        hint: String,
    },
    /// The results to be continued do not fit this run.
    #[error("cannot continue the results in {0}: {1}")]
    Resume(PathBuf, Mismatch),
    /// A range of episodes cannot be a shard, or a shard is not of the whole that it is merged into.
    #[error("shard: {0}")]
    Shard(Mismatch),
    /// A file of earlier results cannot be read.
    #[error(
        "expected readable results in {path}, found an error: {reason}\nhint: write to another directory, or replace these results with --force"
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system or the reader said.
        reason: String,
    },
    /// A file cannot be written.
    #[error(
        "expected to write {path}, found an error: {reason}\nhint: choose a directory that you may write to, with room for the files"
    )]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system or the writer said.
        reason: String,
    },
    /// A plot could not be drawn.
    #[error("expected to draw the plot {name}, found an error: {reason}")]
    Plot {
        /// The plot.
        name: String,
        /// What the drawing library said.
        reason: String,
    },
}

/// What would be right, what there is instead, and what to do.
#[derive(Debug, Error)]
#[error("expected {expected}, found {found}\nhint: {hint}")]
pub struct Mismatch {
    expected: String,
    found: String,
    hint: String,
}

impl Mismatch {
    /// In words that go into `expected …, found …`, with a hint.
    pub fn new(expected: impl Into<String>, found: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into(), hint: hint.into() }
    }
}

impl LabError {
    pub(crate) fn occupied(path: &Path, holds: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Occupied { path: path.to_owned(), holds: holds.into(), hint: hint.into() }
    }

    pub(crate) fn write(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Write { path: path.to_owned(), reason: reason.to_string() }
    }

    pub(crate) fn read(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Read { path: path.to_owned(), reason: reason.to_string() }
    }
}
