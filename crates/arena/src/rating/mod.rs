//! Ratings: who is better, by how much, and how sure that is.
//!
//! * [`Orders`] collects finishing orders in deal groups, [`fit`] finds the most likely strengths.
//! * [`rate`] adds intervals by the bootstrap over deal groups, ranks with their uncertainty, and bands of
//!   competitors that the episodes do not tell apart.
//! * [`Matchups`] counts pair by pair, and [`cycles`] measures how much of that no single number per
//!   competitor can express (rock, paper, scissors).

mod bootstrap;
mod cycles;
mod fit;
mod likelihood;
mod matchups;
mod orders;
mod tails;

pub(crate) use bootstrap::rounded;
pub use bootstrap::{RateOptions, Rated, Ratings, SeatEffect, rate};
pub use cycles::{Cycle, Cycles, cycles};
pub(crate) use fit::PRIORS;
pub use fit::{Fit, FitOptions, Likelihood, POINTS, SeatEffects, fit, likelihood};
pub use matchups::{Matchup, Matchups};
pub use orders::{Entrant, Orders};
pub use tails::chi_squared_above;

use thiserror::Error;

/// Why there are no ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RatingError {
    /// No episode has two competitors in it.
    #[error("expected episodes with at least two competitors, found none")]
    Empty,
    /// Somebody won or lost everything and there is no prior.
    #[error("there is no most likely rating: somebody won or lost everything\nhint: use a prior above 0")]
    NoMaximum,
    /// The numbers are too extreme for the arithmetic.
    #[error(
        "the most likely rating was not found within the precision of the arithmetic\nhint: use a larger prior"
    )]
    NotFound,
}
