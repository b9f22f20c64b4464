//! Cells, sides and half-edges, and the spots of meeples on a tile.
//!
//! x grows to the right, y grows DOWN; the first tile lies at 0,0.

use std::fmt;
use std::str::FromStr;

use meeple_core::{TextWriter, WriteText, show_text, wording};
use serde::{Serialize, Serializer};

/// Upper bound on the absolute value of coordinates: a line of all tiles reaches no farther.
pub const REACH: i8 = 104;

/// A cell of the grid, ordered by rows from the top, then from the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell {
    pub y: i8,
    pub x: i8,
}

impl Cell {
    #[inline]
    pub const fn new(x: i8, y: i8) -> Self {
        Self { y, x }
    }

    /// The neighbour across a side.
    #[inline]
    pub const fn step(self, side: Side) -> Self {
        self.steps(side, 1)
    }

    /// The eight surrounding cells, by rows.
    pub(crate) fn ring(self) -> [Self; 8] {
        const STEPS: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        STEPS.map(|(dx, dy)| Self { x: self.x.wrapping_add(dx), y: self.y.wrapping_add(dy) })
    }

    /// The cell `count` steps away. Coordinates wrap around at the limits of `i8`, far outside every board.
    #[inline]
    pub const fn steps(self, side: Side, count: i8) -> Self {
        let (dx, dy) = side.offset();
        Self {
            x: self.x.wrapping_add(dx.wrapping_mul(count)),
            y: self.y.wrapping_add(dy.wrapping_mul(count)),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self, f)
    }
}

impl WriteText for Cell {
    #[inline]
    fn write_text(&self, text: &mut TextWriter<'_>) {
        self.x.write_text(text);
        text.push(",");
        self.y.write_text(text);
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a cell as x,y (such as 3,-1), found '{text}'");
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| -> Result<i8, String> {
            let number: i8 = text.parse().map_err(|_| wrong())?;
            // "+3" and "03" would be other spellings of 3.
            if text != number.to_string() {
                return Err(wrong());
            }
            if number.unsigned_abs() > REACH.unsigned_abs() {
                return Err(format!("expected coordinates from -{REACH} to {REACH}, found '{text}'"));
            }
            Ok(number)
        };
        Ok(Self::new(number(x)?, number(y)?))
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x, self.y).serialize(serializer)
    }
}

/// A side of a cell, clockwise from the top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    N,
    E,
    S,
    W,
}

impl Side {
    /// All sides, clockwise.
    pub const ALL: [Side; 4] = [Side::N, Side::E, Side::S, Side::W];

    /// The side with this number; only its last two bits count.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index & 3]
    }

    /// Number of the side, clockwise from 0 for north.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[inline]
    pub const fn opposite(self) -> Self {
        Self::from_index(self as usize + 2)
    }

    /// The side after `turns` quarter turns clockwise.
    #[inline]
    pub const fn turned(self, turns: usize) -> Self {
        Self::from_index(self as usize + turns)
    }

    /// Offset (column, row) to the neighbour.
    #[inline]
    pub const fn offset(self) -> (i8, i8) {
        match self {
            Self::N => (0, -1),
            Self::E => (1, 0),
            Self::S => (0, 1),
            Self::W => (-1, 0),
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::N => "north",
            Self::E => "east",
            Self::S => "south",
            Self::W => "west",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self, f)
    }
}

impl WriteText for Side {
    #[inline]
    fn write_text(&self, text: &mut TextWriter<'_>) {
        text.push(["N", "E", "S", "W"][self.index()]);
    }
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "N" => Ok(Self::N),
            "E" => Ok(Self::E),
            "S" => Ok(Self::S),
            "W" => Ok(Self::W),
            _ => Err(format!("expected a side as N, E, S or W, found '{text}'")),
        }
    }
}

/// Half of a side, clockwise from the top left: `Nw`, `Ne`, `En`, `Es`, `Se`, `Sw`, `Ws`, `Wn`. `En` is the
/// northern half of the east side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Half(u8);

impl Half {
    /// The names, clockwise.
    pub const NAMES: [&'static str; 8] = ["Nw", "Ne", "En", "Es", "Se", "Sw", "Ws", "Wn"];

    /// The half-edge with this number; only its last three bits count.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self((index & 7) as u8)
    }

    /// The number, clockwise from 0 for `Nw`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self, f)
    }
}

impl WriteText for Half {
    #[inline]
    fn write_text(&self, text: &mut TextWriter<'_>) {
        text.push(Self::NAMES[self.index()]);
    }
}

impl FromStr for Half {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::NAMES
            .iter()
            .position(|name| *name == text)
            .map(Self::from_index)
            .ok_or_else(|| format!("expected a half-edge ({}), found '{text}'", Self::NAMES.join(", ")))
    }
}

wording! {
    /// The spot of a meeple on a tile. A city or road is named by its first side clockwise from north, a
    /// field by its first half-edge clockwise from `Nw`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Spot {
        City(side: Side) = "city {side}",
        Road(side: Side) = "road {side}",
        Monastery = "monastery",
        Field(place: FieldSpot) = "field {place}",
    }
}

wording! {
    /// The first half-edge that a field reaches on its tile.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum FieldSpot {
        /// A half-edge.
        At(half: Half) = "{half}",
        /// No half-edge: the field lies between two cities.
        Inside = "inside",
    }
}

impl Spot {
    /// The kind of feature, in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::City(_) => "city",
            Self::Road(_) => "road",
            Self::Monastery => "monastery",
            Self::Field(_) => "field",
        }
    }
}
