//! Events, for logs, records and bots.

use std::fmt;
use std::io::Write as _;

use meeple_core::{Letters, Listed, json};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A changed square: row, column and the new value.
pub type Change = (u8, u8, u32);

/// An event. All events of game17 are public.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The board was set up: its side, and the owner and pieces of each square, row by row.
    Board { size: u8, owners: Vec<u16>, numbers: Vec<u32> },
    /// The turn order was drawn: owners, first to last.
    TurnOrder { owners: Vec<u16> },
    /// An owner took its turn.
    Turn(TurnEvent),
    /// A coin decided a square: `from` is the owner before, `owner` the owner after.
    Coin { row: u8, column: u8, from: u16, owner: u16 },
    /// The game is over: the reason, the owners with the most squares, and the number of squares of each.
    End { reason: &'static str, winners: Vec<u16>, squares: u16 },
}

/// A turn: its round, its owner, and three lists, each row by row. They hold the squares with a new owner,
/// with a new number of pieces, and with a coin to decide. Owners that change by a coin are in separate
/// events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnEvent {
    round: u16,
    owner: u16,
    /// The three lists in one allocation, one after the other. Ties have the value 0.
    squares: Vec<Change>,
    /// The ends of the first and the second list.
    ends: [u16; 2],
}

impl TurnEvent {
    /// The turn of `owner` in a round, counted from 0.
    ///
    /// # Panics
    /// If there are more squares than on the largest boards.
    pub fn new(
        round: u16,
        owner: u16,
        owners: impl IntoIterator<Item = Change>,
        numbers: impl IntoIterator<Item = Change>,
        ties: impl IntoIterator<Item = (u8, u8)>,
    ) -> Self {
        let mut turn = TurnTeller::new(round, owner, 0);
        owners.into_iter().for_each(|change| turn.push(change));
        turn.end_of_owners();
        numbers.into_iter().for_each(|change| turn.push(change));
        turn.end_of_numbers();
        ties.into_iter().for_each(|(row, column)| turn.push((row, column, 0)));
        turn.into_event()
    }

    pub fn round(&self) -> u16 {
        self.round
    }

    pub fn owner(&self) -> u16 {
        self.owner
    }

    pub fn owners(&self) -> &[Change] {
        &self.squares[..self.ends[0].into()]
    }

    pub fn numbers(&self) -> &[Change] {
        &self.squares[self.ends[0].into()..self.ends[1].into()]
    }

    /// Row and column of each square that a coin decides.
    pub fn ties(&self) -> impl ExactSizeIterator<Item = (u8, u8)> + '_ {
        self.squares[self.ends[1].into()..].iter().map(|(row, column, _)| (*row, *column))
    }
}

impl TurnEvent {
    /// Appends the serialised form of the event, without a call per number. Between two questions to a bot
    /// there are hundreds of turns with a dozen squares each.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        let number = |name: &str, number: u16, out: &mut Vec<u8>| {
            out.extend_from_slice(name.as_bytes());
            json::write(&number, out).expect("a number is JSON");
        };
        number(r#"{"event":"turn","round":"#, self.round, out);
        number(r#","owner":"#, self.owner, out);
        out.extend_from_slice(br#","owners":["#);
        write_changes(self.owners(), out);
        out.extend_from_slice(br#"],"numbers":["#);
        write_changes(self.numbers(), out);
        out.extend_from_slice(br#"],"ties":["#);
        for (index, (row, column)) in self.ties().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_place(row, column, out);
            out.push(b']');
        }
        out.extend_from_slice(b"]}");
    }
}

fn write_changes(changes: &[Change], out: &mut Vec<u8>) {
    for (index, (row, column, now)) in changes.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_place(*row, *column, out);
        let short = Letters::default().with(b',').with_number(*now);
        match short {
            Some(short) => short.with(b']').write(out),
            None => {
                out.push(b',');
                json::write(now, out).expect("a number is JSON");
                out.push(b']');
            }
        }
    }
}

/// Writes the start of a list: row and column, which have at most two digits.
fn write_place(row: u8, column: u8, out: &mut Vec<u8>) {
    let place = Letters::default().with(b'[').with_number(row.into());
    match place.and_then(|place| place.with(b',').with_number(column.into())) {
        Some(place) => place.write(out),
        None => write!(out, "[{row},{column}").expect("a vector takes every byte"),
    }
}

impl Serialize for TurnEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Turn", 5)?;
        fields.serialize_field("round", &self.round)?;
        fields.serialize_field("owner", &self.owner)?;
        fields.serialize_field("owners", self.owners())?;
        fields.serialize_field("numbers", self.numbers())?;
        fields.serialize_field("ties", &Listed(|| self.ties()))?;
        fields.end()
    }
}

/// A builder of turn events that appends the three lists one after the other.
pub(crate) struct TurnTeller(TurnEvent);

impl TurnTeller {
    pub(crate) fn new(round: u16, owner: u16, room: usize) -> Self {
        Self(TurnEvent { round, owner, squares: Vec::with_capacity(room), ends: [0; 2] })
    }

    #[inline]
    pub(crate) fn push(&mut self, change: Change) {
        self.0.squares.push(change);
    }

    pub(crate) fn end_of_owners(&mut self) {
        self.0.ends[0] = self.end();
    }

    pub(crate) fn end_of_numbers(&mut self) {
        self.0.ends[1] = self.end();
    }

    fn end(&self) -> u16 {
        u16::try_from(self.0.squares.len())
            .expect("no list has more squares than the largest board, which are 4,096")
    }

    pub(crate) fn into_event(self) -> TurnEvent {
        self.0
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board { size, owners, numbers } => {
                let pieces: u32 = numbers.iter().sum();
                write!(f, "{size} x {size} squares, {} owners, {pieces} pieces", owners.len())
            }
            Self::TurnOrder { owners } => write!(f, "turn order: {}", names(owners)),
            Self::Turn(turn) => {
                let [owners, numbers, ties] = [turn.owners().len(), turn.numbers().len(), turn.ties().len()];
                write!(f, "round {}, player {}: ", u32::from(turn.round) + 1, turn.owner)?;
                if numbers == 0 && owners == 0 {
                    return f.write_str("nothing changes");
                }
                write!(f, "{} changed, {owners} taken", count(numbers as i64, "square"))?;
                if ties > 0 {
                    write!(f, ", {ties} tied")?;
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

/// A number with its noun, which is in the plural unless the number is 1.
pub(crate) fn count(number: i64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

pub(crate) fn names(owners: &[u16]) -> String {
    owners.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
}
