//! Why a game is not solved.

use thiserror::Error;

/// Why a game is not solved.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SolveError {
    /// Its actions cannot be listed.
    #[error(
        "expected a game whose actions can be listed, found {0}, whose actions can only be checked and sampled"
    )]
    Structured(&'static str),
    /// Its draws cannot be listed.
    #[error(
        "expected draws whose outcomes can be listed, found one of {game} after {steps} steps that has too many"
    )]
    Draws {
        /// The game.
        game: &'static str,
        /// Steps before the draw.
        steps: usize,
    },
    /// It has more histories than were asked for.
    #[error("expected at most {limit} histories, found {}", more(*limit, *estimate))]
    TooLarge {
        /// The most that were asked for.
        limit: usize,
        /// How many there are, about.
        estimate: f64,
    },
    /// It may go on and on.
    #[error("expected episodes of at most {limit} steps, found one that is longer")]
    TooLong {
        /// The most steps.
        limit: usize,
    },
    /// The game breaks a law of the contract.
    #[error("{game}: {what}: a fault of the game, which its laws should notice")]
    Unlawful {
        /// The game.
        game: &'static str,
        /// What is wrong.
        what: &'static str,
    },
    /// It cannot be set up.
    #[error("{0}")]
    SetUp(String),
    /// Who watched broke off.
    #[error("stopped after {histories} histories, before all of them were there")]
    Stopped {
        /// How many there were.
        histories: usize,
    },
    /// There is nothing to do.
    #[error("expected at least 1 iteration, found 0")]
    NoIterations,
    /// Strategies do not fit.
    #[error("expected {expected}, found {found}")]
    Profile {
        /// What they should be.
        expected: String,
        /// What they are.
        found: String,
    },
}

/// About how many, in words, of which it is known that they are more than a limit.
fn more(limit: usize, estimate: f64) -> String {
    match estimate {
        _ if estimate <= limit as f64 => "more".to_owned(),
        _ if estimate.is_finite() => format!("about {estimate:.0e}"),
        _ => "more than 1e308".to_owned(),
    }
}
