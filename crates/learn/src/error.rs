use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum LearnError {
    #[error("{0}")]
    Plan(String),
    #[error("{what}: expected {expected}, found {found}\nhint: {hint}")]
    Network { what: String, expected: String, found: String, hint: &'static str },
    #[error("{name}: {error}")]
    Replay { name: String, error: meeple_core::ReplayError },
    #[error("round {round}: expected finite numbers, found {found} {place}\nhint: {hint}")]
    NotFinite {
        /// The round, counted from 1.
        round: u32,
        found: f32,
        place: String,
        hint: &'static str,
    },
    #[error(
        "expected a game whose observations are numbers, found {0}\nhint: `meeple games GAME --encoding` shows them"
    )]
    NoEncoding(&'static str),
    #[error(transparent)]
    LineUp(#[from] meeple_core::AgentError),
    #[error(transparent)]
    Lab(#[from] meeple_lab::LabError),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error(transparent)]
    Panicked(#[from] meeple_lab::pool::Panicked),
}

impl LearnError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::File { path, error }
    }
}
