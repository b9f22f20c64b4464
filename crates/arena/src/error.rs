//! Errors of the arena. Faults of bots are data, not errors.

use std::path::{Path, PathBuf};

use meeple_bothost::{EpisodePanic, LaunchError, SpecError};
use meeple_core::{AgentError, EntryError};
use meeple_games::UnknownGame;
use meeple_lab::LabError;
use thiserror::Error;

use crate::rating::RatingError;

/// Errors of the arena.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// Unknown game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// Invalid variant or number of seats.
    #[error(transparent)]
    Face(#[from] EntryError),
    /// Invalid native agent.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Invalid bot.
    #[error(transparent)]
    Bot(#[from] SpecError),
    /// Invalid tournament settings: expected, found, hint.
    #[error("{0}")]
    Plan(String),
    /// The operating system provides no random seed.
    #[error(
        "expected random numbers from the operating system, found {0}\nhint: name a seed, as in --seed 12345"
    )]
    Randomness(#[from] getrandom::Error),
    /// Failed read or write of a file or directory.
    #[error("{path}: {reason}")]
    File {
        /// Its path.
        path: PathBuf,
        /// The expected and the found state.
        reason: String,
    },
    /// A named file or directory does not exist.
    #[error("{path}: {reason}")]
    Missing {
        /// Its path.
        path: PathBuf,
        /// The expected content.
        reason: String,
    },
    /// The directory holds files that must not be touched.
    #[error("expected an empty or new directory, found {found} in {path}\nhint: {hint}")]
    Occupied {
        /// Its path.
        path: PathBuf,
        /// Its content.
        found: String,
        /// Advice for the user.
        hint: String,
    },
    /// Unusable database.
    #[error("{path}: {reason}\nhint: {hint}")]
    Database {
        /// Its path.
        path: PathBuf,
        /// The expected and the found state.
        reason: String,
        /// Advice for the user.
        hint: String,
    },
    /// A panic of the game or of a native agent. All episodes before it are stored, and the same plan plays
    /// into it again.
    #[error(
        "expected to play episode {episode} (deal {group}, seed {seed:016x}: {players}), found {panic}\n\
         hint: the episodes before it are kept; go on with a program in which this is mended, or play without that \
         agent; please report the command and this message"
    )]
    Panic {
        /// Index of the episode.
        episode: u64,
        /// Index of its deal.
        group: u64,
        /// Seed of the deal.
        seed: u64,
        /// The players by seat, separated by commas.
        players: String,
        /// The panic.
        panic: Box<EpisodePanic>,
    },
    /// Failed launch of a bot.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// Failed computation of ratings.
    #[error(transparent)]
    Rating(#[from] RatingError),
    /// Failed plot or table.
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

/// The error of an invalid plan.
pub(crate) fn plan_error(message: impl Into<String>) -> ArenaError {
    ArenaError::Plan(message.into())
}
