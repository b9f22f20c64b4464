//! Ratings: strengths, differences and their uncertainty.
//!
//! * [`Orders`] collects finishing orders in deal groups, [`fit`] finds the maximum-likelihood strengths.
//! * [`rate`] adds intervals by the bootstrap over deal groups, ranks with their uncertainty, and bands of
//!   statistically indistinguishable competitors.
//! * [`Matchups`] counts pairwise results, and [`cycles`] measures their intransitive part, which ratings
//!   cannot express.

mod bootstrap;
mod cycles;
mod fit;
mod likelihood;
mod matchups;
mod orders;
mod resamples;
mod tails;

pub(crate) use bootstrap::rounded;
pub use bootstrap::{MAX_TABLED_COMPETITORS, RateOptions, Rated, Ratings, SeatEffect, rate};
pub use cycles::{Cycle, RatingCycles, cycles};
pub(crate) use fit::PRIORS;
pub use fit::{Fit, FitOptions, Likelihood, POINTS, RatingError, SeatEffects, fit, likelihood};
pub use matchups::{Matchup, Matchups};
pub use orders::{Entrant, Orders};
pub use tails::chi_squared_above;
