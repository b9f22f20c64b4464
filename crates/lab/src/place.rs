//! What is counted at one place: a seat, or a turn in the order of turns.

use serde::{Deserialize, Serialize};

use crate::histogram::Moments;

/// What is counted for one entry of the line-up at one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    /// Times the seat was alone on the first place.
    pub wins: u64,
    /// Times it shared the first place.
    pub draws: u64,
    /// Its scores; their number is the number of times the entry sat there.
    pub scores: Moments,
}

impl Place {
    pub(crate) fn merge(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.scores.merge(&other.scores);
    }
}
