//! What chance draws.

use std::fmt;
use std::str::FromStr;

/// One chance outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chance {
    /// In set-up: this owner gets the next square, row by row. Text `place 17`.
    Place(u16),
    /// In set-up: this owner is next in the turn order. Text `next 17`.
    Next(u16),
    /// The coin of the first tied square. Text `coin mover` or `coin owner`.
    Coin(Coin),
}

/// For whom a coin falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coin {
    /// For the owner whose turn it is.
    Mover,
    /// For the owner of the square.
    Owner,
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(owner) => write!(f, "place {owner}"),
            Self::Next(owner) => write!(f, "next {owner}"),
            Self::Coin(Coin::Mover) => f.write_str("coin mover"),
            Self::Coin(Coin::Owner) => f.write_str("coin owner"),
        }
    }
}

impl FromStr for Chance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected 'place ID', 'next ID', 'coin mover' or 'coin owner'";
        let (kind, value) = text.split_once(' ').ok_or(expected)?;
        // Only the plain form: every outcome has one text.
        let id = || {
            let id = value.parse::<u16>().ok().filter(|id| id.to_string() == value);
            id.ok_or_else(|| format!("{expected}, found id '{value}'"))
        };
        match (kind, value) {
            ("place", _) => id().map(Self::Place),
            ("next", _) => id().map(Self::Next),
            ("coin", "mover") => Ok(Self::Coin(Coin::Mover)),
            ("coin", "owner") => Ok(Self::Coin(Coin::Owner)),
            _ => Err(expected.into()),
        }
    }
}
