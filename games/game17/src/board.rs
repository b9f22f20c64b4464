//! The torus: directions, neighbours, and sets of squares.

use meeple_core::choice;

choice! {
    /// The direction of a move. All lists have this order: n, s, e, w.
    pub enum Direction {
        /// One row up; from the top row to the bottom row.
        North = "n",
        /// One row down; from the bottom row to the top row.
        South = "s",
        /// One column to the right; from the last to the first.
        East = "e",
        /// One column to the left; from the first to the last.
        West = "w",
    }
}

/// A square as row and column, both from 0; (0, 0) is top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Square {
    pub row: u8,
    pub column: u8,
}

/// Tables for a board of one size. Squares are numbered row by row.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    size: usize,
    /// Neighbours of each square in the order n, s, e, w, padded to [`Board::padded`] entries.
    pub(crate) neighbours: Vec<[u16; 4]>,
    /// The neighbours of each square as a set of [`Board::words`] words; only for boards of up to 256
    /// squares.
    pub(crate) near: Vec<u64>,
    /// Row and column of each square, padded to [`Board::padded`] entries.
    pub(crate) places: Vec<Square>,
}

/// Classes of board sizes for which the inner loops are compiled. A known length makes bounds checks of
/// indices unnecessary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Up to 8 x 8: sets of one word.
    Tiny,
    /// Up to 16 x 16: sets of four words.
    Usual,
    /// Up to 32 x 32: sets of sixteen words.
    Large,
    /// Up to 64 x 64: sets of 64 words.
    Huge,
}

impl Class {
    pub(crate) const fn of(size: usize) -> Self {
        match size {
            0..=8 => Self::Tiny,
            9..=16 => Self::Usual,
            17..=32 => Self::Large,
            _ => Self::Huge,
        }
    }

    pub(crate) const fn words(self) -> usize {
        match self {
            Self::Tiny => 1,
            Self::Usual => 4,
            Self::Large => 16,
            Self::Huge => 64,
        }
    }
}

/// Calls a function with the generic arguments of the class: the padded number of squares, and the words of a
/// set.
macro_rules! by_class {
    ($class:expr, $($function:ident)::+ ( $($argument:expr),* )) => {
        match $class {
            $crate::board::Class::Tiny => $($function)::+::<64, 1>($($argument),*),
            $crate::board::Class::Usual => $($function)::+::<256, 4>($($argument),*),
            $crate::board::Class::Large => $($function)::+::<1024, 16>($($argument),*),
            $crate::board::Class::Huge => $($function)::+::<4096, 64>($($argument),*),
        }
    };
}
pub(crate) use by_class;

impl Board {
    pub(crate) fn new(size: usize) -> Self {
        let class = Class::of(size);
        let padded = class.words() * 64;
        let mut neighbours = vec![[0; 4]; padded];
        let mut places = vec![Square { row: 0, column: 0 }; padded];
        let mut near = vec![0; if class.words() <= 4 { padded * class.words() } else { 0 }];
        for square in 0..size * size {
            let (row, column) = (square / size, square % size);
            places[square] = Square { row: row as u8, column: column as u8 };
            // R1.2: the board is a torus.
            let (up, down) = ((row + size - 1) % size, (row + 1) % size);
            let (right, left) = ((column + 1) % size, (column + size - 1) % size);
            let around = [up * size + column, down * size + column, row * size + right, row * size + left];
            neighbours[square] = around.map(|other| other as u16);
            if !near.is_empty() {
                for other in around {
                    near[square * class.words() + other / 64] |= 1 << (other % 64);
                }
            }
        }
        Self { size, neighbours, near, places }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn squares(&self) -> usize {
        self.size * self.size
    }

    #[inline]
    pub(crate) fn class(&self) -> Class {
        Class::of(self.size)
    }

    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.class().words()
    }

    /// The padded length of arrays by square.
    pub(crate) fn padded(&self) -> usize {
        self.words() * 64
    }
}

#[inline]
pub(crate) fn insert(set: &mut [u64], member: usize) {
    set[member / 64] |= 1 << (member % 64);
}

#[inline]
pub(crate) fn remove(set: &mut [u64], member: usize) {
    set[member / 64] &= !(1 << (member % 64));
}

/// The members of a set, in ascending order.
#[inline]
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, bits)| {
        let mut bits = *bits;
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let member = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            Some(member)
        })
    })
}

/// Calls a function with the members of a set, in ascending order. It is faster than [`members`], whose
/// iterator keeps its state in memory.
#[inline]
pub(crate) fn each_member(set: &[u64], mut call: impl FnMut(usize)) {
    for (word, bits) in set.iter().enumerate() {
        let mut bits = *bits;
        while bits != 0 {
            call(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// The number of members of a set. It is fast if most words are empty.
#[inline]
pub(crate) fn size(set: &[u64]) -> usize {
    set.iter().map(|word| if *word == 0 { 0 } else { word.count_ones() as usize }).sum()
}

/// The smallest member that is at least `from`; `None` if there is none.
#[inline]
pub(crate) fn next_member(set: &[u64], from: usize) -> Option<usize> {
    let mut word = from / 64;
    let mut bits = set.get(word)? & (u64::MAX << (from % 64));
    while bits == 0 {
        word += 1;
        bits = *set.get(word)?;
    }
    Some(word * 64 + bits.trailing_zeros() as usize)
}
