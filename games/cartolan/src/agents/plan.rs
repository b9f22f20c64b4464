//! Plans: the tries of a heuristic player, made one after another until one succeeds.

use crate::map::{CellId, MAX_CELLS};
use crate::tiles::Dir;

#[derive(Clone, Debug)]
pub(crate) struct CellSet([u64; MAX_CELLS.div_ceil(64)]);

impl CellSet {
    pub const EMPTY: CellSet = CellSet([0; MAX_CELLS.div_ceil(64)]);

    #[inline]
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    pub fn insert(&mut self, cell: CellId) {
        if let Some(word) = self.0.get_mut(usize::from(cell) / 64) {
            *word |= 1 << (cell % 64);
        }
    }

    #[inline]
    pub fn contains(&self, cell: CellId) -> bool {
        self.0.get(usize::from(cell) / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }
}

/// One try: the direction in the lowest two bits, and conditions above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt(u8);

impl Attempt {
    const EMPTY_ONLY: u8 = 1 << 2;
    const AVOIDING: u8 = 1 << 3;
    /// This bit is set in every try, so 0 means that there is none.
    const THERE: u8 = 1 << 7;

    #[inline]
    pub fn to(dir: Dir) -> Self {
        Self(Self::THERE | dir as u8)
    }

    /// A try that is made only into an empty cell.
    #[inline]
    pub fn into_empty(dir: Dir) -> Self {
        Self(Self::to(dir).0 | Self::EMPTY_ONLY)
    }

    /// A try that skips cells on the avoid-list.
    #[inline]
    pub fn avoiding(dir: Dir) -> Self {
        Self(Self::to(dir).0 | Self::AVOIDING)
    }

    #[inline]
    pub fn dir(self) -> Dir {
        Dir::from_index(usize::from(self.0))
    }

    #[inline]
    pub fn is_empty_only(self) -> bool {
        self.0 & Self::EMPTY_ONLY != 0
    }

    /// Returns true if the try skips cells on the avoid-list. If such a try fails, its cell goes onto the
    /// list.
    #[inline]
    pub fn is_avoiding(self) -> bool {
        self.0 & Self::AVOIDING != 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Last {
    Wait,
    /// One try in a random direction.
    Random,
    Nothing,
}

/// The remaining tries of a step, one byte each; the next one is lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    attempts: u64,
    pub last: Last,
}

impl Plan {
    pub const NOTHING: Plan = Plan { attempts: 0, last: Last::Nothing };

    #[inline]
    pub fn new<const TRIES: usize>(tries: [Attempt; TRIES], last: Last) -> Self {
        const { assert!(TRIES <= 8, "a byte each") };
        let attempts = tries.iter().rev().fold(0, |attempts, one| attempts << 8 | u64::from(one.0));
        Self { attempts, last }
    }

    /// Removes and returns the next try.
    #[inline]
    pub fn pop(&mut self) -> Option<Attempt> {
        let code = self.attempts as u8;
        self.attempts >>= 8;
        (code != 0).then_some(Attempt(code))
    }
}

/// The two directions away from a target; the direction along the smaller distance comes first. The offset is
/// the own place minus the target's place, in tiles.
#[inline]
pub(crate) fn away_order(dx: i32, dy: i32) -> [Dir; 2] {
    order(dx, dy, dx.abs() > dy.abs())
}

/// The two directions towards a target; the direction along the larger distance comes first. The offset is
/// the own place minus the target's place, in tiles.
#[inline]
pub(crate) fn toward_order(dx: i32, dy: i32) -> [Dir; 2] {
    order(-dx, -dy, dx.abs() < dy.abs())
}

#[inline]
fn order(dx: i32, dy: i32, is_vertical_first: bool) -> [Dir; 2] {
    let vertical = if dy > 0 { Dir::North } else { Dir::South };
    let horizontal = if dx >= 0 { Dir::East } else { Dir::West };
    if is_vertical_first { [vertical, horizontal] } else { [horizontal, vertical] }
}
