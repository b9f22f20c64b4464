//! What can go wrong in the arena. A bot's fault is none of it: that is data.

use std::path::{Path, PathBuf};

use meeple_bothost::{LaunchError, SpecError};
use meeple_core::{AgentError, EntryError};
use meeple_games::UnknownGame;
use meeple_lab::LabError;
use thiserror::Error;

use crate::rating::RatingError;

/// Why something was not done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The variant or the number of seats is wrong.
    #[error(transparent)]
    Face(#[from] EntryError),
    /// A native agent is wrong.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A bot is wrong.
    #[error(transparent)]
    Bot(#[from] SpecError),
    /// The tournament cannot be made of what was given: expected, found, hint.
    #[error("{0}")]
    Plan(String),
    /// No seed could be drawn.
    #[error(
        "expected random numbers from the operating system, found {0}\nhint: name a seed, as in --seed 12345"
    )]
    Randomness(#[from] getrandom::Error),
    /// A file or directory cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// Which.
        path: PathBuf,
        /// What was expected and what was found.
        reason: String,
    },
    /// What was named does not exist.
    #[error("{path}: {reason}")]
    Missing {
        /// Which.
        path: PathBuf,
        /// What was expected.
        reason: String,
    },
    /// The directory holds what must not be touched.
    #[error("expected an empty or new directory, found {found} in {path}\nhint: {hint}")]
    Occupied {
        /// Which.
        path: PathBuf,
        /// What it holds.
        found: String,
        /// What to do.
        hint: String,
    },
    /// The database cannot be used.
    #[error("{path}: {reason}\nhint: {hint}")]
    Database {
        /// Which.
        path: PathBuf,
        /// What was expected and what was found.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// A bot could not be launched.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No ratings could be computed.
    #[error(transparent)]
    Rating(#[from] RatingError),
    /// A plot or table could not be made.
    #[error(transparent)]
    Lab(#[from] LabError),
}

impl ArenaError {
    /// Whether the user asked for something that cannot be (exit code 2), rather than something having failed.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Game(_)
                | Self::Face(_)
                | Self::Agent(_)
                | Self::Bot(_)
                | Self::Plan(_)
                | Self::Missing { .. }
                | Self::Occupied { .. }
                | Self::Launch(LaunchError::Spec(_))
        )
    }

    pub(crate) fn missing(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Missing { path: path.to_owned(), reason: reason.to_string() }
    }

    pub(crate) fn database(path: &Path, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Database { path: path.to_owned(), reason: reason.into(), hint: hint.into() }
    }

    pub(crate) fn file(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::File { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// The error of a plan that cannot be.
pub(crate) fn plan_error(message: impl Into<String>) -> ArenaError {
    ArenaError::Plan(message.into())
}
