//! Errors of solving a game.

use thiserror::Error;

/// Reasons for not solving a game.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SolveError {
    /// Its actions cannot be enumerated.
    #[error(
        "expected a game whose actions can be listed, found {0}, whose actions can only be checked and sampled"
    )]
    Structured(&'static str),
    /// Its chance outcomes cannot be enumerated.
    #[error(
        "expected draws whose outcomes can be listed, found one of {game} after {steps} steps that has too many"
    )]
    Draws {
        /// Id of the game.
        game: &'static str,
        /// Steps before the draw.
        steps: usize,
    },
    /// It has more histories than the limit.
    #[error("expected at most {limit} histories, found {}", more(*limit, *estimate))]
    TooLarge {
        /// Most histories allowed.
        limit: usize,
        /// Approximate number of histories.
        estimate: f64,
    },
    /// Its episodes may exceed the limit of steps.
    #[error("expected episodes of at most {limit} steps, found one that is longer")]
    TooLong {
        /// Most steps of an episode.
        limit: usize,
    },
    /// The game breaks the contract.
    #[error("{game}: {what}: a fault of the game, which its laws should notice")]
    Unlawful {
        /// Id of the game.
        game: &'static str,
        /// Description of the violation.
        what: &'static str,
    },
    /// It cannot be set up.
    #[error("{0}")]
    SetUp(String),
    /// The observer stopped the run.
    #[error("stopped after {histories} histories, before all of them were there")]
    Stopped {
        /// Number of histories so far.
        histories: usize,
    },
    /// Zero iterations were requested.
    #[error("expected at least 1 iteration, found 0")]
    NoIterations,
    /// Strategies do not fit the tree.
    #[error("expected {expected}, found {found}")]
    Profile {
        /// The expected form.
        expected: String,
        /// The form found.
        found: String,
    },
}

/// An approximate number in words, known to exceed a limit.
fn more(limit: usize, estimate: f64) -> String {
    match estimate {
        _ if estimate <= limit as f64 => "more".to_owned(),
        _ if estimate.is_finite() => format!("about {estimate:.0e}"),
        _ => "more than 1e308".to_owned(),
    }
}
