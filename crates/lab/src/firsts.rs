//! How often spots at a table shared the first place, by how many did.

use serde::{Deserialize, Serialize};

/// The counts of seats, or of places in the order of turns. They reach as far as the most winners that were seen, who are
/// few even at tables of thousands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Firsts {
    spots: usize,
    /// By number of winners from one on, then spot.
    counts: Vec<u64>,
}

impl Firsts {
    /// Nothing counted yet at so many spots.
    pub fn new(spots: usize) -> Self {
        Self { spots, counts: Vec::new() }
    }

    /// The counts by spot of episodes with so many winners, of whom there is one at least.
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

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(own, other)| *own += other);
    }

    /// Forgets all counts. What has grown shrinks again, so that equal counts are equal values.
    pub fn clear(&mut self) {
        self.counts.clear();
    }

    /// Whether it counts the same things.
    pub fn fits(&self, other: &Self) -> bool {
        self.spots == other.spots && self.counts.len().is_multiple_of(self.spots.max(1))
    }

    /// By number k of those who share the first place, from none: how often this spot was one of them.
    pub fn of(&self, spot: usize) -> Vec<u64> {
        std::iter::once(0).chain(self.counts.iter().skip(spot).step_by(self.spots).copied()).collect()
    }
}
