//! Seats: places at the table, and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::{TextWriter, WriteText, show};

/// A place at the table, counted from 0. Its occupant is a *player*; the two differ when seats rotate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u16);

impl Seat {
    /// The seat with this index.
    ///
    /// # Panics
    /// If `index` is not below [`SeatSet::CAPACITY`].
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < SeatSet::CAPACITY, "seat index out of range");
        Self(index as u16)
    }

    /// The index, for arrays by seat.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All seats of a table with `count` seats, clockwise from this one.
    #[inline]
    pub fn around(self, count: usize) -> impl Iterator<Item = Seat> + Clone {
        // The range has the same length for every seat, so the end of the loop is predictable.
        (self.index()..self.index() + count)
            .map(move |seat| Seat::new(if seat < count { seat } else { seat - count }))
    }

    /// All seats of a table with `count` seats, in order.
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..count).map(Seat::new)
    }

    /// The next seat clockwise at a table with `count` seats.
    #[inline]
    pub const fn next(self, count: usize) -> Self {
        let next = self.index() + 1;
        Self::new(if next == count { 0 } else { next })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, f)
    }
}

impl WriteText for Seat {
    #[inline]
    fn write_text(&self, text: &mut TextWriter<'_>) {
        self.0.write_text(text);
    }
}

impl FromStr for Seat {
    type Err = String;

    /// Parses an index below [`SeatSet::CAPACITY`]; the caller checks that the table has the seat.
    fn from_str(text: &str) -> Result<Self, String> {
        let index = text.parse().ok().filter(|index| *index < SeatSet::CAPACITY);
        index.map(Self::new).ok_or_else(|| format!("expected the number of a seat, found '{text}'"))
    }
}

const WORDS: usize = 64;

/// A set of seats, for tables of up to [`SeatSet::CAPACITY`] seats.
///
/// The first 64 seats are bits of one word, so ordinary games never touch the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeatSet {
    low: u64,
    /// The only member with index 64 or more; see [`SeatSet::single`].
    high: Option<Seat>,
}

impl SeatSet {
    /// Number of seats of the largest table: game17 on a 64 x 64 board.
    pub const CAPACITY: usize = 4096;

    /// Number of seats of the largest table with simultaneous decisions.
    pub const SIMULTANEOUS: usize = WORDS;

    /// The empty set.
    pub const EMPTY: SeatSet = SeatSet { low: 0, high: None };

    /// The set of one seat.
    #[inline]
    pub const fn single(seat: Seat) -> Self {
        if seat.index() < WORDS {
            Self { low: 1 << seat.index(), high: None }
        } else {
            Self { low: 0, high: Some(seat) }
        }
    }

    /// The set of the seats in `mask`: bit i stands for seat i.
    #[inline]
    pub const fn from_mask(mask: u64) -> Self {
        Self { low: mask, high: None }
    }

    /// Seats `0..count`.
    ///
    /// # Panics
    /// If `count` is above [`SeatSet::SIMULTANEOUS`].
    #[inline]
    pub const fn first(count: usize) -> Self {
        assert!(count <= WORDS, "only small tables have simultaneous decisions");
        Self::from_mask(if count == WORDS { u64::MAX } else { (1 << count) - 1 })
    }

    /// Returns true if `seat` is a member.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        if seat.index() < WORDS {
            self.low >> seat.index() & 1 == 1
        } else {
            matches!(self.high, Some(high) if high.index() == seat.index())
        }
    }

    /// The same set without `seat`.
    #[inline]
    #[must_use]
    pub fn without(mut self, seat: Seat) -> Self {
        if seat.index() < WORDS {
            self.low &= !(1 << seat.index());
        } else if self.high == Some(seat) {
            self.high = None;
        }
        self
    }

    /// Returns true if the set has no members.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.low == 0 && self.high.is_none()
    }

    /// Number of members.
    #[inline]
    pub const fn len(self) -> usize {
        self.low.count_ones() as usize + self.high.is_some() as usize
    }

    /// The lowest member.
    #[inline]
    pub const fn lowest(self) -> Option<Seat> {
        if self.low != 0 { Some(Seat(self.low.trailing_zeros() as u16)) } else { self.high }
    }
}

impl Iterator for SeatSet {
    type Item = Seat;

    /// Removes and returns the lowest member.
    #[inline]
    fn next(&mut self) -> Option<Seat> {
        if self.low != 0 {
            let seat = Seat(self.low.trailing_zeros() as u16);
            self.low &= self.low - 1;
            Some(seat)
        } else {
            self.high.take()
        }
    }
}

/// Phrase such as `seat 3`, `seats 0, 1 and 4` or `no seat`.
impl fmt::Display for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.len();
        f.write_str(match count {
            0 => return f.write_str("no seat"),
            1 => "seat ",
            _ => "seats ",
        })?;
        for (index, seat) in self.enumerate() {
            let before = match index {
                0 => "",
                _ if index + 1 == count => " and ",
                _ => ", ",
            };
            write!(f, "{before}{seat}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
