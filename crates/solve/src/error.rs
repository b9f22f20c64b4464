//! Errors of solving a game.

use thiserror::Error;

#[derive(Clone, PartialEq, Debug, Error)]
pub enum SolveError {
    #[error(
        "expected a game whose actions can be listed, found {0}, whose actions can only be checked and sampled"
    )]
    Structured(&'static str),
    #[error(
        "expected draws whose outcomes can be listed, found one of {game} after {steps} steps that has too many"
    )]
    Draws { game: &'static str, steps: usize },
    #[error("expected at most {limit} histories, found {}", more(*limit, *estimate))]
    TooLarge { limit: usize, estimate: f64 },
    #[error("expected episodes of at most {limit} steps, found a longer one")]
    TooLong { limit: usize },
    #[error("{game}: {what}: the game breaks its contract, which its laws should notice")]
    Unlawful { game: &'static str, what: &'static str },
    #[error("{0}")]
    SetUp(String),
    #[error("stopped after {histories} histories, before the tree was complete")]
    Stopped { histories: usize },
    #[error("expected at least 1 iteration, found 0")]
    NoIterations,
    #[error("expected {expected}, found {found}")]
    Profile { expected: String, found: String },
}

impl SolveError {
    /// True if the user asked for what cannot be solved; false if the run was stopped or the game is at
    /// fault.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Stopped { .. } | Self::Unlawful { .. })
    }
}

/// An approximate number above `limit`, as text.
fn more(limit: usize, estimate: f64) -> String {
    match estimate {
        _ if estimate <= limit as f64 => "more".to_owned(),
        _ if estimate.is_finite() => format!("about {estimate:.0e}"),
        _ => "more than 1e308".to_owned(),
    }
}
