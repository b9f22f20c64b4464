//! What happened, as logs, records and bots get it.

use std::fmt;

use serde::Serialize;

/// A changed square: row, column and the new value.
pub type Change = (u8, u8, u32);

/// Something that happened. Everything in game17 happens in public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
pub enum Event {
    /// The board has been set up: its side, and owner and pieces of each square, row by row.
    Board { size: u8, owners: Vec<u16>, numbers: Vec<u32> },
    /// The turn order has been drawn: owners, first to last.
    TurnOrder { owners: Vec<u16> },
    /// An owner took its turn in a round, counted from 0. Squares with a new owner (coins are events of their own), those
    /// with a new number of pieces, and row and column of those where a coin decides, all row by row.
    Turn { round: u16, owner: u16, owners: Vec<Change>, numbers: Vec<Change>, ties: Vec<(u8, u8)> },
    /// A coin fell on a square: from whom it came, and who owns it now.
    Coin { row: u8, column: u8, from: u16, owner: u16 },
    /// The game is over: why, the owners with the most squares, and how many squares each of them has.
    End { reason: &'static str, winners: Vec<u16>, squares: u16 },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board { size, owners, numbers } => {
                let pieces: u32 = numbers.iter().sum();
                write!(f, "{size} x {size} squares, {} owners, {pieces} pieces", owners.len())
            }
            Self::TurnOrder { owners } => write!(f, "turn order: {}", names(owners)),
            Self::Turn { round, owner, owners, numbers, ties } => {
                write!(f, "round {}, player {owner}: ", u32::from(*round) + 1)?;
                if numbers.is_empty() && owners.is_empty() {
                    return f.write_str("nothing changes");
                }
                write!(f, "{} changed, {} taken", count(numbers.len() as i64, "square"), owners.len())?;
                if !ties.is_empty() {
                    write!(f, ", {} tied", ties.len())?;
                }
                Ok(())
            }
            Self::Coin { row, column, from, owner } if from == owner => {
                write!(f, "coin at {row},{column}: stays with {owner}")
            }
            Self::Coin { row, column, from, owner } => {
                write!(f, "coin at {row},{column}: goes from {from} to {owner}")
            }
            Self::End { reason, winners, squares } => {
                write!(f, "over ({reason}): {} with {squares} squares", names(winners))
            }
        }
    }
}

/// A number of things.
pub(crate) fn count(number: i64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Owners, separated by commas.
pub(crate) fn names(owners: &[u16]) -> String {
    owners.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
}
