//! What is learned to be foretold.

use meeple_core::{Outcome, Seat};
use serde::{Deserialize, Serialize};

/// What a learned player wants much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// To win: [`Outcome::utility`], from -1 to 1.
    #[default]
    Win,
    /// Points of its own.
    Score,
    /// Points more than the best of the others.
    Margin,
}

impl Goal {
    /// How much of it an outcome is for a seat.
    pub fn of(self, outcome: &Outcome, seat: Seat) -> f32 {
        let own = outcome.scores[seat.index()];
        match self {
            Self::Win => outcome.utility(seat) as f32,
            Self::Score => own as f32,
            Self::Margin => {
                let others = outcome.scores.iter().enumerate().filter(|(other, _)| *other != seat.index());
                (own - others.map(|(_, score)| *score).max().unwrap_or(0)) as f32
            }
        }
    }
}
