//! Errors of the laboratory.

use std::path::{Path, PathBuf};

use meeple_core::{AgentError, EntryError, ReplayError};
use thiserror::Error;

/// Failures of setting up, running or writing an experiment. Earlier results stay intact; only a
/// [`LabError::Write`] can leave them half replaced, which the next run repairs.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    /// Invalid game, variant or number of seats.
    #[error(transparent)]
    Face(#[from] EntryError),
    /// Invalid agent.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Invalid line-up.
    #[error("line-up: {0}")]
    LineUp(Mismatch),
    /// Unknown colour in the line-up.
    #[error("line-up: {0}")]
    Color(String),
    /// A run of zero episodes.
    #[error("expected at least 1 episode, found {found}\nhint: give a number with -n, as in -n 10000")]
    Episodes { found: u64 },
    /// A panic while episodes were played.
    #[error(
        "expected to play episodes {first} to {last}, found a panic: {message}\nhint: the game or an agent is at fault; play a line-up without that agent, or report the command and this message"
    )]
    Panic {
        /// First episode of the chunk that was being played.
        first: u64,
        /// Last episode of that chunk; one of them panicked.
        last: u64,
        message: String,
    },
    /// A run that was abandoned within its first episode.
    #[error("expected at least one finished episode, found that the run was abandoned before")]
    Abandoned,
    /// Invalid replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The judging agent gives no analysis.
    #[error("expected an agent that analyses its actions, found '{agent}'\nhint: {hint}")]
    Silent { agent: String, hint: String },
    /// A panic during the analysis of a decision.
    #[error(
        "expected what the agent thinks at moment {moment}, found a panic: {message}\nhint: please report it"
    )]
    Judging {
        /// Moment of the decision: the number of steps before it.
        moment: usize,
        message: String,
    },
    /// Invalid range for this parameter of a sweep.
    #[error("range of {0}: {1}")]
    Range(String, Mismatch),
    /// Too few or too many axes, or too many cells, of a sweep.
    #[error("sweep: {0}")]
    Sweep(Mismatch),
    /// The output directory is not empty.
    #[error("expected an empty or new directory for results, found {holds} in {path}\nhint: {hint}")]
    Occupied { path: PathBuf, holds: String, hint: String },
    /// The results to continue are of another setting.
    #[error("cannot continue the results in {0}: {1}")]
    Resume(PathBuf, Mismatch),
    /// Invalid range of episodes for a shard, or a shard of another run.
    #[error("shard: {0}")]
    Shard(Mismatch),
    /// Unreadable file of earlier results.
    #[error(
        "expected readable results in {path}, found an error: {reason}\nhint: write to another directory, or replace these results with --force"
    )]
    Read {
        path: PathBuf,
        /// Message of the system or the reader.
        reason: String,
    },
    /// Failed write to a file.
    #[error(
        "expected to write {path}, found an error: {reason}\nhint: choose a directory that you may write to, with room for the files"
    )]
    Write {
        path: PathBuf,
        /// Message of the system or the writer.
        reason: String,
    },
    /// Failed drawing of a plot.
    #[error("expected to draw the plot {name}, found an error: {reason}")]
    Plot { name: String, reason: String },
}

/// A difference between what was expected and what was found, with a hint.
#[derive(Debug, Error)]
#[error("expected {expected}, found {found}\nhint: {hint}")]
pub struct Mismatch {
    expected: String,
    found: String,
    hint: String,
}

impl Mismatch {
    /// A mismatch in words that fit `expected …, found …`, with a hint.
    pub fn new(expected: impl Into<String>, found: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into(), hint: hint.into() }
    }
}

impl LabError {
    /// True if the user asked for something that does not exist or fit; false if the experiment failed.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Face(error) => error.is_usage(),
            Self::Agent(_)
            | Self::LineUp(_)
            | Self::Color(_)
            | Self::Episodes { .. }
            | Self::Silent { .. }
            | Self::Range(..)
            | Self::Sweep(_) => true,
            _ => false,
        }
    }

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
