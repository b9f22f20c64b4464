//! What can be wrong with what is learned from, and with what was learned.

use std::path::PathBuf;

use thiserror::Error;

/// Why nothing is learned, or nothing can be played.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A plan is not one.
    #[error("{0}")]
    Plan(String),
    /// A file is no network, or one of something else.
    #[error("{what}: expected {expected}, found {found}\nhint: {hint}")]
    Network {
        /// The file, or what else it is.
        what: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
        /// What to do.
        hint: &'static str,
    },
    /// A game of people cannot be learned from.
    #[error("{name}: {error}")]
    Replay {
        /// Its file.
        name: String,
        /// What is wrong with it.
        error: meeple_core::ReplayError,
    },
    /// What is learned from, or was learned, is no number.
    #[error("round {round}: expected finite numbers, found {found} {place}\nhint: {hint}")]
    NotFinite {
        /// The round, from 1.
        round: u32,
        /// What is there instead.
        found: f32,
        /// Where.
        place: String,
        /// What to do.
        hint: &'static str,
    },
    /// The game's observations have no numbers.
    #[error(
        "expected a game whose observations are numbers, found {0}\nhint: `meeple rules {0} --encoding` tells them"
    )]
    NoEncoding(&'static str),
    /// A line-up is wrong.
    #[error(transparent)]
    LineUp(#[from] meeple_core::AgentError),
    /// A simulation is wrong.
    #[error(transparent)]
    Lab(#[from] meeple_lab::LabError),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A fault of a game or an agent while it was played.
    #[error(transparent)]
    Panicked(#[from] meeple_lab::pool::Panicked),
}

impl LearnError {
    /// A file that cannot be read or written.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::File { path, error }
    }
}
