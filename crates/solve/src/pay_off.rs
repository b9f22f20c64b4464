//! Pay-offs of an episode.

use meeple_core::{Outcome, Seat};
use serde::{Deserialize, Serialize};

/// Quantity that a seat maximises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PayOff {
    /// The share of the win: 1 for a sole win, 1/k for each of k winners.
    #[default]
    Win,
    /// The score above the mean of the table.
    Score,
    /// The own score; no constant-sum game with two or more seats.
    Own,
}

impl PayOff {
    pub fn of(self, outcome: &Outcome, seat: Seat) -> f64 {
        let own = outcome.scores[seat.index()] as f64;
        match self {
            Self::Win => outcome.win_share(seat),
            Self::Score => own - outcome.scores.iter().sum::<i64>() as f64 / outcome.scores.len() as f64,
            Self::Own => own,
        }
    }
}
