//! Counts at one place: a seat or a turn position.

use serde::{Deserialize, Serialize};

use crate::histogram::Moments;

/// Counts of one entry of the line-up at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlaceCounts {
    /// Number of sole first places.
    pub wins: u64,
    /// Number of shared first places.
    pub draws: u64,
    /// Scores of the entry; their count is the number of times the entry was at the place.
    pub scores: Moments,
}

impl PlaceCounts {
    pub(crate) fn merge(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.scores.merge(&other.scores);
    }
}
