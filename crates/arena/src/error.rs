use std::path::{Path, PathBuf};

use meeple_bothost::{EpisodePanic, LaunchError, SpecError};
use meeple_core::{AgentError, EntryError};
use meeple_games::UnknownGame;
use meeple_lab::LabError;
use thiserror::Error;

use crate::rating::RatingError;

/// An error of the arena. Faults of bots are data instead.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArenaError {
    #[error(transparent)]
    Game(#[from] UnknownGame),
    #[error(transparent)]
    Face(#[from] EntryError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Bot(#[from] SpecError),
    /// Message with the expectation, the finding and a hint.
    #[error("{0}")]
    Plan(String),
    #[error(
        "expected random numbers from the operating system, found {0}\nhint: name a seed, as in --seed 12345"
    )]
    Randomness(#[from] getrandom::Error),
    #[error("{path}: {reason}")]
    File { path: PathBuf, reason: String },
    #[error("{path}: {reason}")]
    Missing { path: PathBuf, reason: String },
    #[error("expected an empty or new directory, found {found} in {path}\nhint: {hint}")]
    Occupied { path: PathBuf, found: String, hint: String },
    #[error("{path}: {reason}\nhint: {hint}")]
    Database { path: PathBuf, reason: String, hint: String },
    /// A panic of the game or of a native agent. All episodes before it are stored. Continuing the same plan
    /// panics again.
    #[error(
        "expected to play episode {episode} (deal {group}, seed {seed:016x}: {players}), found {panic}\n\
         hint: the episodes before it are kept; go on with a program in which this is mended, or play without that \
         agent; please report the command and this message"
    )]
    Panic {
        episode: u64,
        /// Index of its deal.
        group: u64,
        /// Seed of the deal.
        seed: u64,
        /// The players by seat, separated by commas.
        players: String,
        panic: Box<EpisodePanic>,
    },
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Rating(#[from] RatingError),
    #[error(transparent)]
    Lab(#[from] LabError),
}

impl ArenaError {
    /// True for an invalid request of the user (exit code 2), as opposed to a failure.
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

pub(crate) fn plan_error(message: impl Into<String>) -> ArenaError {
    ArenaError::Plan(message.into())
}
