//! Tries: the moves that a heuristic player attempts one after another until one works.

use crate::map::{CellId, MAX_CELLS};
use crate::tiles::Dir;

/// A set of cells.
#[derive(Clone, Debug)]
pub(crate) struct CellSet([u64; MAX_CELLS.div_ceil(64)]);

impl CellSet {
    /// Without members.
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

/// One try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    /// Where to.
    pub dir: Dir,
    /// Only into an empty cell.
    pub empty_only: bool,
    /// Not into a cell of the avoid-list; and if the try fails, the cell goes onto it.
    pub avoiding: bool,
}

/// What comes when all tries have failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Last {
    /// A wait.
    Wait,
    /// One try in a random direction.
    Random,
    /// The step ends.
    Nothing,
}

/// The tries of one step that are still to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    attempts: [Attempt; 5],
    length: u8,
    next: u8,
    /// What comes after them.
    pub last: Last,
}

impl Plan {
    /// Nothing to try.
    pub const NOTHING: Plan = Plan {
        attempts: [Attempt { dir: Dir::North, empty_only: false, avoiding: false }; 5],
        length: 0,
        next: 0,
        last: Last::Nothing,
    };

    /// Without tries, only what comes last.
    pub fn only(last: Last) -> Self {
        Self { last, ..Self::NOTHING }
    }

    /// Adds a try.
    #[inline]
    pub fn then(mut self, dir: Dir) -> Self {
        self.attempts[usize::from(self.length)] = Attempt { dir, empty_only: false, avoiding: false };
        self.length += 1;
        self
    }

    /// Adds a try into an empty cell.
    #[inline]
    pub fn then_empty(mut self, dir: Dir) -> Self {
        self = self.then(dir);
        self.attempts[usize::from(self.length) - 1].empty_only = true;
        self
    }

    /// Adds a try that respects the avoid-list.
    #[inline]
    pub fn then_avoiding(mut self, dir: Dir) -> Self {
        self = self.then(dir);
        self.attempts[usize::from(self.length) - 1].avoiding = true;
        self
    }

    /// The next try.
    #[inline]
    pub fn pop(&mut self) -> Option<Attempt> {
        if self.next < self.length {
            self.next += 1;
            return Some(self.attempts[usize::from(self.next) - 1]);
        }
        None
    }
}

/// The vertical and horizontal direction of "away": order by which distance is larger.
#[inline]
pub(crate) fn away_order(dx: i16, dy: i16) -> [Dir; 2] {
    let vertical = if dy > 0 { Dir::North } else { Dir::South };
    let horizontal = if dx >= 0 { Dir::East } else { Dir::West };
    if dx.abs() > dy.abs() { [vertical, horizontal] } else { [horizontal, vertical] }
}

/// The same for "toward".
#[inline]
pub(crate) fn toward_order(dx: i16, dy: i16) -> [Dir; 2] {
    let vertical = if dy < 0 { Dir::North } else { Dir::South };
    let horizontal = if dx <= 0 { Dir::East } else { Dir::West };
    if dx.abs() < dy.abs() { [vertical, horizontal] } else { [horizontal, vertical] }
}
