//! Pay-offs of an episode.

use meeple_core::{Outcome, Seat};
use serde::{Deserialize, Serialize};

/// Quantity that a seat maximises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// The share of the win: 1 for a sole winner, 1/k for each of k winners.
    #[default]
    Win,
    /// The seat's score minus the mean score of the table.
    Score,
    /// The seat's own score. With two or more seats the game is then not constant-sum.
    Own,
}

impl Objective {
    pub fn of(self, outcome: &Outcome, seat: Seat) -> f64 {
        let own = outcome.scores[seat.index()] as f64;
        match self {
            Self::Win => outcome.win_share(seat),
            Self::Score => own - outcome.scores.iter().sum::<i64>() as f64 / outcome.scores.len() as f64,
            Self::Own => own,
        }
    }
}
