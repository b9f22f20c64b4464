//! Where on a tile a meeple may stand, and its text form.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::geometry::{Half, Side};

/// Where on a tile a meeple stands. A city or road is named by its first side clockwise from north, a field
/// by its first half-edge clockwise from `Nw`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Spot {
    /// In a city, as a knight.
    City(Side),
    /// On a road, as a robber.
    Road(Side),
    /// In the monastery, as a monk.
    Monastery,
    /// On a field, as a farmer.
    Field(FieldSpot),
}

/// Where a field reaches the edge of its tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FieldSpot {
    /// At this half-edge first.
    At(Half),
    /// Nowhere: it lies between two cities.
    Inside,
}

impl Spot {
    pub(crate) const COUNT: u32 = 4 + 4 + 1 + 9;

    /// What the meeple stands on, in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::City(_) => "city",
            Self::Road(_) => "road",
            Self::Monastery => "monastery",
            Self::Field(_) => "field",
        }
    }

    pub(crate) fn number(self) -> u32 {
        match self {
            Self::City(side) => side.index() as u32,
            Self::Road(side) => 4 + side.index() as u32,
            Self::Monastery => 8,
            Self::Field(FieldSpot::At(half)) => 9 + half.index() as u32,
            Self::Field(FieldSpot::Inside) => 17,
        }
    }

    /// The spot with this number, which is below [`COUNT`](Self::COUNT).
    pub(crate) fn numbered(number: u32) -> Self {
        let number = number as usize;
        match number {
            0..4 => Self::City(Side::from_index(number)),
            4..8 => Self::Road(Side::from_index(number)),
            8 => Self::Monastery,
            9..17 => Self::Field(FieldSpot::At(Half::from_index(number - 9))),
            _ => Self::Field(FieldSpot::Inside),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::City(side) => write!(f, "city {side}"),
            Self::Road(side) => write!(f, "road {side}"),
            Self::Monastery => f.write_str("monastery"),
            Self::Field(FieldSpot::At(half)) => write!(f, "field {half}"),
            Self::Field(FieldSpot::Inside) => f.write_str("field inside"),
        }
    }
}

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, place) = text.split_once(' ').unwrap_or((text, ""));
        match (what, place) {
            ("city", side) => side.parse().map(Self::City),
            ("road", side) => side.parse().map(Self::Road),
            ("monastery", "") => Ok(Self::Monastery),
            ("field", "inside") => Ok(Self::Field(FieldSpot::Inside)),
            ("field", half) => half.parse().map(|half| Self::Field(FieldSpot::At(half))),
            _ => Err(format!(
                "expected 'city SIDE', 'road SIDE', 'monastery' or 'field HALF-EDGE', found '{text}'"
            )),
        }
    }
}

impl Serialize for Spot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
