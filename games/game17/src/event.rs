//! What happened, as logs, records and bots get it.

use std::fmt;

use serde::Serialize;

/// A changed square: row, column and the new value.
pub type Change = (u8, u8, u32);

/// Something that happened. Everything in game17 happens in public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The board has been set up.
    Board {
        /// Side of the board.
        size: u8,
        /// Owner of each square, row by row.
        owners: Vec<u16>,
        /// Pieces on each square, row by row.
        numbers: Vec<u32>,
    },
    /// The turn order has been drawn.
    TurnOrder {
        /// Owners, first to last.
        owners: Vec<u16>,
    },
    /// An owner took its turn.
    Turn {
        /// Round, from 0.
        round: u16,
        /// Whose turn it was.
        owner: u16,
        /// Squares with a new owner, row by row; coins are events of their own.
        owners: Vec<Change>,
        /// Squares with a new number of pieces, row by row.
        numbers: Vec<Change>,
        /// Row and column of squares where a coin decides, row by row.
        ties: Vec<(u8, u8)>,
    },
    /// A coin fell.
    Coin {
        /// Row of the square.
        row: u8,
        /// Column of the square.
        column: u8,
        /// Who owned it.
        from: u16,
        /// Who owns it now.
        owner: u16,
    },
    /// The game is over.
    End {
        /// Why.
        reason: &'static str,
        /// The owners with the most squares.
        winners: Vec<u16>,
        /// How many squares each of them has.
        squares: u16,
    },
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
                let plural =
                    |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
                write!(f, "{} changed, {} taken", plural(numbers.len(), "square"), owners.len())?;
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

fn names(owners: &[u16]) -> String {
    owners.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
}
