//! What is gained by an episode.

use meeple_core::{Outcome, Seat};
use serde::{Deserialize, Serialize};

/// What a seat wants much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PayOff {
    /// The share of the win: 1 for a win, 1/k for each of k who share it.
    #[default]
    Win,
    /// The score above the mean of the table.
    Score,
    /// The own score, whatever others have. Between two or more seats this is no longer one's gain and the other's loss.
    Own,
}

impl PayOff {
    /// How much of it an outcome is for a seat.
    pub fn of(self, outcome: &Outcome, seat: Seat) -> f64 {
        let own = outcome.scores[seat.index()] as f64;
        match self {
            Self::Win => outcome.win_share(seat),
            Self::Score => own - outcome.scores.iter().sum::<i64>() as f64 / outcome.scores.len() as f64,
            Self::Own => own,
        }
    }
}
