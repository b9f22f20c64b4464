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

impl Attempt {
    /// Whatever lies there.
    #[inline]
    pub fn to(dir: Dir) -> Self {
        Self { dir, empty_only: false, avoiding: false }
    }

    /// Into an empty cell.
    #[inline]
    pub fn into_empty(dir: Dir) -> Self {
        Self { empty_only: true, ..Self::to(dir) }
    }

    /// Respecting the avoid-list.
    #[inline]
    pub fn avoiding(dir: Dir) -> Self {
        Self { avoiding: true, ..Self::to(dir) }
    }
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

/// The tries of one step that are still to come, a byte each, the next in the lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    attempts: u64,
    /// What comes after them.
    pub last: Last,
}

/// The bits of a try.
const THERE: u64 = 1 << 7;
const EMPTY_ONLY: u64 = 1 << 2;
const AVOIDING: u64 = 1 << 3;

impl Plan {
    /// Nothing to try.
    pub const NOTHING: Plan = Plan { attempts: 0, last: Last::Nothing };

    /// These tries in their order, and what comes last.
    #[inline]
    pub fn new<const TRIES: usize>(tries: [Attempt; TRIES], last: Last) -> Self {
        const { assert!(TRIES <= 8, "a byte each") };
        let mut attempts = 0;
        for one in tries.iter().rev() {
            let code = THERE
                | one.dir as u64
                | if one.empty_only { EMPTY_ONLY } else { 0 }
                | if one.avoiding { AVOIDING } else { 0 };
            attempts = attempts << 8 | code;
        }
        Self { attempts, last }
    }

    /// The next try.
    #[inline]
    pub fn pop(&mut self) -> Option<Attempt> {
        let code = self.attempts & 255;
        self.attempts >>= 8;
        (code != 0).then(|| Attempt {
            dir: Dir::from_index((code & 3) as usize),
            empty_only: code & EMPTY_ONLY != 0,
            avoiding: code & AVOIDING != 0,
        })
    }
}

/// The vertical and horizontal direction of "away": order by which distance is larger.
#[inline]
pub(crate) fn away_order(dx: i32, dy: i32) -> [Dir; 2] {
    let vertical = if dy > 0 { Dir::North } else { Dir::South };
    let horizontal = if dx >= 0 { Dir::East } else { Dir::West };
    if dx.abs() > dy.abs() { [vertical, horizontal] } else { [horizontal, vertical] }
}

/// The same for "toward".
#[inline]
pub(crate) fn toward_order(dx: i32, dy: i32) -> [Dir; 2] {
    let vertical = if dy < 0 { Dir::North } else { Dir::South };
    let horizontal = if dx <= 0 { Dir::East } else { Dir::West };
    if dx.abs() < dy.abs() { [vertical, horizontal] } else { [horizontal, vertical] }
}
