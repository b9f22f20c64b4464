//! Piles of tiles as multisets. No order exists: a tile is drawn at the moment it is turned over.

use meeple_core::Stream;

/// Upper bound on the kinds of tile in one pile: 16 edge patterns, each plain, with a wonder or with a
/// disaster, and one city.
pub const MAX_KINDS: usize = 49;

pub type Counts = [u8; MAX_KINDS];

/// A pile with its discards. `fresh` holds tiles dealt face down. If the catalogue has more tiles than were
/// dealt, nobody knows which of them stayed in the box. Then `fresh` counts more tiles than the `fresh_left`
/// in the pile. `known` holds tiles put into the pile face up, such as discards shuffled back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pile {
    /// Tiles dealt face down or left in the box, by kind.
    pub fresh: Counts,
    pub fresh_sum: u16,
    /// Number of tiles of `fresh` that are in the pile.
    pub fresh_left: u16,
    /// Tiles that are certainly in the pile, by kind.
    pub known: Counts,
    pub known_sum: u16,
    /// Discarded tiles, by kind.
    pub discards: Counts,
    pub discards_sum: u16,
}

impl Pile {
    pub const EMPTY: Pile = Pile {
        fresh: [0; MAX_KINDS],
        fresh_sum: 0,
        fresh_left: 0,
        known: [0; MAX_KINDS],
        known_sum: 0,
        discards: [0; MAX_KINDS],
        discards_sum: 0,
    };

    /// Number of tiles that can be drawn before a reshuffle.
    #[inline]
    pub fn left(&self) -> u16 {
        self.fresh_left + self.known_sum
    }

    /// Number of tiles in the pile and the discards.
    #[inline]
    pub fn remaining(&self) -> u16 {
        self.left() + self.discards_sum
    }

    pub fn reshuffle(&mut self) {
        for (known, discards) in self.known.iter_mut().zip(&mut self.discards) {
            *known += *discards;
            *discards = 0;
        }
        self.known_sum += self.discards_sum;
        self.discards_sum = 0;
    }

    /// Draws the kind of the next tile. The flag is true if the tile had been put back.
    #[inline]
    pub fn sample(&self, rng: &mut Stream) -> (u8, bool) {
        // If both sources have tiles, the source is drawn first.
        let known = match (self.fresh_left, self.known_sum) {
            (0, _) => true,
            (_, 0) => false,
            (fresh, _) => rng.below(u32::from(self.left())) >= u32::from(fresh),
        };
        // Given its source, the tile is uniform in that source.
        let (counts, sum) = if known { (&self.known, self.known_sum) } else { (&self.fresh, self.fresh_sum) };
        (pick(counts, u32::from(sum), rng) as u8, known)
    }

    /// Probability of drawing this kind from this source.
    pub fn probability(&self, kind: usize, known: bool) -> f64 {
        let left = f64::from(self.left());
        if known {
            f64::from(self.known[kind]) / left
        } else if self.fresh_left == 0 {
            0.0
        } else {
            f64::from(self.fresh_left) / left * f64::from(self.fresh[kind]) / f64::from(self.fresh_sum)
        }
    }

    #[inline]
    pub fn take(&mut self, kind: u8, known: bool) {
        if known {
            self.known[usize::from(kind)] -= 1;
            self.known_sum -= 1;
        } else {
            self.fresh[usize::from(kind)] -= 1;
            self.fresh_sum -= 1;
            self.fresh_left -= 1;
            if self.fresh_left == 0 {
                // The other tiles of the catalogue stay in the box until the end.
                self.fresh = [0; MAX_KINDS];
                self.fresh_sum = 0;
            }
        }
    }

    #[inline]
    pub fn discard(&mut self, kind: u8) {
        self.discards[usize::from(kind)] += 1;
        self.discards_sum += 1;
    }
}

/// Draws an index with probability proportional to its count. `sum` is the sum of the counts.
#[inline]
pub(crate) fn pick(counts: &[u8], sum: u32, rng: &mut Stream) -> usize {
    let mut pick = rng.below(sum);
    for (index, count) in counts.iter().enumerate() {
        let count = u32::from(*count);
        if pick < count {
            return index;
        }
        pick -= count;
    }
    unreachable!("the counts sum to the sum")
}

#[inline]
pub(crate) fn total(counts: &[u8]) -> u32 {
    counts.iter().map(|count| u32::from(*count)).sum()
}
