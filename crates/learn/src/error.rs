//! Errors of training and of trained models.

use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum LearnError {
    /// A plan is wrong.
    #[error("{0}")]
    Plan(String),
    /// A file is no network, or does not fit.
    #[error("{what}: expected {expected}, found {found}\nhint: {hint}")]
    Network { what: String, expected: String, found: String, hint: &'static str },
    /// A replay cannot be trained on.
    #[error("{name}: {error}")]
    Replay { name: String, error: meeple_core::ReplayError },
    /// Training data or weights are not finite.
    #[error("round {round}: expected finite numbers, found {found} {place}\nhint: {hint}")]
    NotFinite {
        /// From 1.
        round: u32,
        found: f32,
        place: String,
        hint: &'static str,
    },
    /// The game has no encoding.
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
    File { path: PathBuf, error: std::io::Error },
    /// A game or an agent panicked.
    #[error(transparent)]
    Panicked(#[from] meeple_lab::pool::Panicked),
}

impl LearnError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::File { path, error }
    }
}
