//! Exact values of Incan Gold: no simulation, only counting.
//!
//! Nothing here uses the engine. The rules come in as plain [`Rules`], and the two can be tested against each
//! other.
//!
//! * [`solo`]: the whole distribution of the score of one player who follows a simple strategy.
//! * [`versus`]: win, draw and loss of two players who leave after a fixed number of cards.
//! * [`optimal`] and [`Policy`]: the best a lone player can do, and how.
//! * [`tool`]: the same as tables and JSON.
//!
//! # How
//! A round starts with a deck that is known up to its order. The first `t` of its `N` cards
//! are a uniform `t`-subset, so that they hold `g` gems, `a` artifacts and `h` hazards of different kinds
//! with probability `C(G,g)·C(A,a)·e_h(copies) / C(N,t)`, where `e_h` is the elementary symmetric polynomial
//! of the copies left of each kind. Which gems they are is a uniform `g`-subset, whatever the rest. A round
//! therefore has a *law*: for each start of the next round, the probability to get there together with each
//! gain. Laws compose over the rounds.
//!
//! All sums are of terms that are not negative, so that rounding stays near `1e-15` of each value.

mod agent;
mod counts;
mod mass;
mod optimal;
mod policy;
mod range;
mod solo;
mod start;
pub mod tool;
mod versus;

use thiserror::Error;

use crate::variant::{Unclaimed, Variant};

pub(crate) use agent::OptimalSolo;
pub use mass::Mass;
pub use optimal::{Horizon, Optimal, optimal};
pub use policy::{Hazard, Policy, Position};
pub use solo::{Strategy, solo, solo_rounds};
pub use versus::{Versus, versus};

/// The rules as far as exact values depend on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Rounds in an episode.
    pub rounds: u32,
    /// The values of the gem cards.
    pub gems: Vec<u32>,
    /// Kinds of hazards.
    pub hazard_kinds: u32,
    /// Cards of each kind in the first round.
    pub hazard_copies: u32,
    /// What the first, second, … artifact claimed in the game is worth. One enters the deck per round as
    /// long as there are any.
    pub artifact_values: Vec<u32>,
    /// What becomes of the artifacts that nobody took in a round.
    pub unclaimed: Unclaimed,
}

/// Why there is no exact value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExactError {
    /// A number of the rules or of a strategy is outside what can be computed.
    #[error("{what}: expected {expected}, found {found}")]
    OutOfRange {
        /// The number.
        what: &'static str,
        /// Its range.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The variant has too many different positions.
    #[error(
        "exact values for these rules need {found} {what}, at most {limit} are computed\n\
         hint: use fewer or more equal cards, fewer rounds, or simulate"
    )]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much.
        found: u64,
        /// How much is computed.
        limit: u64,
    },
}

/// Refuses what there is too much of.
fn at_most(what: &'static str, found: u64, limit: u64) -> Result<(), ExactError> {
    if found > limit { Err(ExactError::TooLarge { what, found, limit }) } else { Ok(()) }
}

impl Rules {
    /// The classic rules: five rounds, fifteen gem cards, five kinds of three hazards, five artifacts.
    pub fn classic() -> Self {
        Self {
            rounds: 5,
            gems: vec![1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17],
            hazard_kinds: 5,
            hazard_copies: 3,
            artifact_values: vec![5, 5, 5, 10, 10],
            unclaimed: Unclaimed::Return,
        }
    }

    /// Checks the bounds of everything exact.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn check(&self) -> Result<(), ExactError> {
        let within = |what, found: u64, low: u64, high: u64| {
            if (low..=high).contains(&found) {
                return Ok(());
            }
            let expected = format!("{low} to {high} for exact values");
            Err(ExactError::OutOfRange { what, expected, found: found.to_string() })
        };
        within("rounds", self.rounds.into(), 1, 40)?;
        within("gem cards", self.gems.len() as u64, 0, 60)?;
        within("value of a gem card", self.gems.iter().copied().max().unwrap_or(0).into(), 0, 1_000)?;
        within("kinds of hazards", self.hazard_kinds.into(), 0, 20)?;
        within("copies of a hazard", self.hazard_copies.into(), 0, start::MOST_COPIES as u64)?;
        within(
            "value of an artifact",
            self.artifact_values.iter().copied().max().unwrap_or(0).into(),
            0,
            1_000,
        )?;
        within("artifacts", self.artifact_values.len() as u64, 0, 40)
    }
}

impl From<&Variant> for Rules {
    fn from(variant: &Variant) -> Self {
        Self {
            rounds: variant.rounds.into(),
            gems: variant.gems.iter().map(|&value| value.into()).collect(),
            hazard_kinds: variant.hazard_kinds.into(),
            hazard_copies: variant.hazard_copies.into(),
            artifact_values: variant.artifact_values.iter().map(|&value| value.into()).collect(),
            unclaimed: variant.unclaimed,
        }
    }
}
