//! Counts of first places by spot (seat or turn position) and number of winners.

use serde::{Deserialize, Serialize};

/// Counts by number of winners and spot. The vector covers the largest number of winners seen, which is small
/// even at tables with thousands of seats.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Firsts {
    spots: usize,
    /// `[winners - 1, spot]`
    counts: Vec<u64>,
}

impl Firsts {
    pub fn new(spots: usize) -> Self {
        Self { spots, counts: Vec::new() }
    }

    /// The counts by spot for episodes with `winners >= 1` winners.
    #[inline]
    pub fn with(&mut self, winners: usize) -> &mut [u64] {
        let end = winners * self.spots;
        if self.counts.len() < end {
            self.grow(end);
        }
        &mut self.counts[end - self.spots..end]
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.counts.resize(end, 0);
    }

    pub fn merge(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(own, other)| *own += other);
    }

    /// Empties the vector, so that equal counts compare equal.
    pub fn clear(&mut self) {
        self.counts.clear();
    }

    pub fn fits(&self, other: &Self) -> bool {
        self.spots == other.spots && self.counts.len().is_multiple_of(self.spots.max(1))
    }

    /// Counts of first places at this spot by number of winners, from 0 winners on.
    pub fn of(&self, spot: usize) -> Vec<u64> {
        std::iter::once(0).chain(self.counts.iter().skip(spot).step_by(self.spots).copied()).collect()
    }
}
