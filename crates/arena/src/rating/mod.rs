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
mod resamples;
mod tails;

pub(crate) use bootstrap::rounded;
pub use bootstrap::{RateOptions, Rated, Ratings, SeatEffect, TABLED, rate};
pub use cycles::{Cycle, Cycles, cycles};
pub(crate) use fit::PRIORS;
pub use fit::{Fit, FitOptions, Likelihood, POINTS, RatingError, SeatEffects, fit, likelihood};
pub use matchups::{Matchup, Matchups};
pub use orders::{Entrant, Orders};
pub use tails::chi_squared_above;
