//! Actions: the pieces that an owner sends in a turn.

use std::fmt;
use std::str::FromStr;

use meeple_core::{Letters, TextWriter, WriteText, show_text};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::Direction;

/// Pieces that leave one square, by direction.
///
/// The text form is `ROW,COLUMN:`, then direction and count for every direction that is used, in the order n,
/// s, e, w. For example, `0,3:n2e1` sends two pieces north and one east. Rows, columns and counts may be
/// negative, so that illegal input can be parsed and rejected with a reason.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Departure {
    pub row: i16,
    pub column: i16,
    /// North, south, east, west.
    pub counts: [i32; 4],
}

/// A whole turn: departures in any order. Several departures may leave the same square. Pieces that no
/// departure names stay. The default is the empty turn, which is always legal.
///
/// The text form has the departures' text forms, separated by blanks; the empty turn is `-`. The JSON form is
/// a list of `[row, column, direction, count]`. Parsing it merges consecutive entries with the same origin.
/// The effect stays the same, but the grouping may change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Action(pub Vec<Departure>);

impl Action {
    pub fn push(&mut self, row: i16, column: i16, direction: Direction, count: i32) {
        let slot = direction as usize;
        if let Some(last) = self.0.last_mut()
            && (last.row, last.column) == (row, column)
            && last.counts[slot..] == [0; 4][slot..]
        {
            last.counts[slot] = count;
            return;
        }
        let mut departure = Departure { row, column, counts: [0; 4] };
        departure.counts[slot] = count;
        self.0.push(departure);
    }

    /// The moves one by one: row, column, direction, and a count other than 0.
    pub fn moves(&self) -> impl Iterator<Item = (i16, i16, Direction, i32)> + '_ {
        self.0.iter().flat_map(|departure| {
            let counts = departure.counts.iter().zip(Direction::ALL);
            counts
                .filter(|(count, _)| **count != 0)
                .map(|(count, direction)| (departure.row, departure.column, *direction, *count))
        })
    }
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self, f)
    }
}

impl WriteText for Departure {
    // The formatting machinery would be too slow, because records of long games contain many departures.
    fn write_text(&self, text: &mut TextWriter<'_>) {
        match self.short() {
            Some([place, leaving]) => {
                text.push_letters(place);
                text.push_letters(leaving);
            }
            None => self.write_any(text),
        }
    }
}

impl Departure {
    /// The text in two parts; `None` unless row and column have at most two digits and each count has one, as
    /// in nearly all cases. It has no branch per direction.
    #[inline]
    fn short(&self) -> Option<[Letters; 2]> {
        if self.counts.iter().any(|count| !(0..10).contains(count)) {
            return None;
        }
        let place = Letters::default().with_number(u32::try_from(self.row).ok()?)?.with(b',');
        let place = place.with_number(u32::try_from(self.column).ok()?)?.with(b':');
        let mut leaving = Letters::default();
        for (count, letter) in self.counts.iter().zip(*b"nsew") {
            let count = u8::try_from(*count).ok()?;
            leaving = leaving.then_if(count != 0, Letters::default().with(letter).with(b'0' + count));
        }
        if leaving.is_empty() {
            leaving = leaving.with(b'n').with(b'0');
        }
        Some([place, leaving])
    }

    #[cold]
    fn write_any(&self, text: &mut TextWriter<'_>) {
        self.row.write_text(text);
        text.push(",");
        self.column.write_text(text);
        text.push(":");
        for (count, direction) in self.counts.iter().zip(Direction::ALL) {
            if *count != 0 {
                text.push(direction.word());
                count.write_text(text);
            }
        }
        if self.counts == [0; 4] {
            text.push("n0");
        }
    }
}

impl FromStr for Departure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| {
            format!("expected a departure as ROW,COLUMN:n2e1 (directions n, s, e, w), found '{text}': {what}")
        };
        let (origin, mut rest) = text.split_once(':').ok_or_else(|| wrong("no ':'"))?;
        let (row, column) = origin.split_once(',').ok_or_else(|| wrong("no ',' before the ':'"))?;
        let row = integer(row).ok_or_else(|| wrong("the row is no number in -32768..=32767"))?;
        let column = integer(column).ok_or_else(|| wrong("the column is no number in -32768..=32767"))?;
        let mut departure = Self { row, column, counts: [0; 4] };
        if rest.is_empty() {
            return Err(wrong("no direction after the ':'"));
        }
        let mut next = 0;
        while let Some(letter) = rest.chars().next() {
            let word = &rest[..letter.len_utf8()];
            let direction: Direction = word.parse().map_err(|error: String| wrong(&error))?;
            let slot = direction as usize;
            if slot < next {
                return Err(wrong("directions come once each, in the order n, s, e, w"));
            }
            next = slot + 1;
            rest = &rest[word.len()..];
            let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
            departure.counts[slot] = integer(&rest[..end])
                .ok_or_else(|| wrong(&format!("the count after '{word}' is no whole number")))?;
            rest = &rest[end..];
        }
        Ok(departure)
    }
}

/// Parses a whole number without a plus sign or blanks.
fn integer<T: FromStr>(text: &str) -> Option<T> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self, f)
    }
}

impl WriteText for Action {
    fn write_text(&self, text: &mut TextWriter<'_>) {
        if self.0.is_empty() {
            text.push("-");
        }
        for (index, departure) in self.0.iter().enumerate() {
            text.push(if index > 0 { " " } else { "" });
            departure.write_text(text);
        }
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "-" {
            return Ok(Self::default());
        }
        if text.trim().is_empty() {
            return Err("expected departures, or '-' for none, found nothing".into());
        }
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.moves())
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let moves = Vec::<(i16, i16, String, i32)>::deserialize(deserializer)?;
        let mut action = Self::default();
        for (index, (row, column, word, count)) in moves.into_iter().enumerate() {
            let direction =
                word.parse().map_err(|error| D::Error::custom(format!("move {}: {error}", index + 1)))?;
            action.push(row, column, direction, count);
        }
        Ok(action)
    }
}
