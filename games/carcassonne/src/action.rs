//! What a seat decides, and its text form.

use std::fmt;
use std::str::FromStr;

use meeple_core::Seat;
use serde::{Serialize, Serializer};

use crate::geometry::{Cell, Spot};
use crate::tiles::Kind;
use crate::variant::MAX_SEATS;

/// What a captured meeple stood on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Post {
    /// On a feature of the tile.
    On(Spot),
    /// On the tower, as its guard.
    Guard,
}

impl fmt::Display for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On(spot) => spot.fmt(f),
            Self::Guard => f.write_str("guard"),
        }
    }
}

impl FromStr for Post {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "guard" { Ok(Self::Guard) } else { text.parse().map(Self::On) }
    }
}

/// What a seat decides.
///
/// | text | when | meaning |
/// |---|---|---|
/// | `place D 3,-1 r1` | tile | put tile D from the hand on column 3, row -1, turned once clockwise |
/// | `discard D` | tile | nothing in the hand fits: put D out of the game |
/// | `pass` | action | do nothing with the tile just laid |
/// | `claim city N` | action | put a meeple on that feature of the tile just laid |
/// | `floor 2,0` | action | add a floor to the tower there |
/// | `close 2,0` | action | put a meeple on top of the tower there |
/// | `take 2,1 road E` | capture | take that meeple prisoner |
/// | `decline` | capture | take nobody |
/// | `ransom 2` | tile, action, capture | buy a prisoner back from seat 2 |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Action {
    /// Put a tile from the hand on a cell, after `turns` quarter turns clockwise.
    Place {
        /// The tile.
        tile: Kind,
        /// Where.
        cell: Cell,
        /// Quarter turns clockwise, 0 to 3.
        turns: u8,
    },
    /// Put a tile that does not fit out of the game.
    Discard {
        /// The tile.
        tile: Kind,
    },
    /// Do nothing with the tile just laid.
    #[default]
    Pass,
    /// Put a meeple on a feature of the tile just laid.
    Claim(Spot),
    /// Add a floor to the tower on this cell.
    Floor(Cell),
    /// Put a meeple on top of the tower on this cell.
    Close(Cell),
    /// Capture a meeple.
    Take {
        /// The tile it stands on.
        cell: Cell,
        /// What it stands on there.
        post: Post,
    },
    /// Capture nobody.
    Decline,
    /// Buy a prisoner back from this seat.
    Ransom(Seat),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place { tile, cell, turns } => write!(f, "place {tile} {cell} r{turns}"),
            Self::Discard { tile } => write!(f, "discard {tile}"),
            Self::Pass => f.write_str("pass"),
            Self::Claim(spot) => write!(f, "claim {spot}"),
            Self::Floor(cell) => write!(f, "floor {cell}"),
            Self::Close(cell) => write!(f, "close {cell}"),
            Self::Take { cell, post } => write!(f, "take {cell} {post}"),
            Self::Decline => f.write_str("decline"),
            Self::Ransom(seat) => write!(f, "ransom {seat}"),
        }
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        match verb {
            "place" => {
                let words: Vec<&str> = rest.split(' ').collect();
                let [tile, cell, turns] = words[..] else {
                    return Err(format!("expected 'place TILE X,Y rTURNS', found '{text}'"));
                };
                let turns = match turns {
                    "r0" => 0,
                    "r1" => 1,
                    "r2" => 2,
                    "r3" => 3,
                    _ => return Err(format!("expected r0, r1, r2 or r3, found '{turns}'")),
                };
                Ok(Self::Place { tile: tile.parse()?, cell: cell.parse()?, turns })
            }
            "discard" => Ok(Self::Discard { tile: rest.parse()? }),
            "pass" if rest.is_empty() => Ok(Self::Pass),
            "claim" => rest.parse().map(Self::Claim),
            "floor" => rest.parse().map(Self::Floor),
            "close" => rest.parse().map(Self::Close),
            "take" => {
                let (cell, post) = rest
                    .split_once(' ')
                    .ok_or_else(|| format!("expected 'take X,Y WHAT', found '{text}'"))?;
                Ok(Self::Take { cell: cell.parse()?, post: post.parse()? })
            }
            "decline" if rest.is_empty() => Ok(Self::Decline),
            "ransom" => {
                let seats = 0..MAX_SEATS;
                let seat = seats.clone().find(|seat| seat.to_string() == rest);
                seat.map(|seat| Self::Ransom(Seat::new(seat))).ok_or_else(|| {
                    format!("expected 'ransom SEAT' with a seat below {}, found '{text}'", seats.end)
                })
            }
            _ => Err(format!(
                "expected place, discard, pass, claim, floor, close, take, decline or ransom, found '{text}'"
            )),
        }
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
