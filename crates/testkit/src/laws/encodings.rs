//! Laws of encodings: observations as numbers.

use std::collections::BTreeSet;

use meeple_core::{Encoding, Field, Playable, Seat, Viewer};

use super::fault::{Fault, Held, hold};

/// A game's encoding with its fields.
pub(crate) struct Encoder<G: Playable> {
    encoding: Encoding<G>,
    pub(crate) fields: Vec<Field>,
    size: usize,
}

/// Information keys and encoded rows at positions of a run, to measure how well the numbers distinguish them.
#[derive(Debug, Default)]
pub(crate) struct EncodedPositions {
    keys: BTreeSet<u128>,
    rows: BTreeSet<Vec<u32>>,
}

impl EncodedPositions {
    pub(crate) fn add(&mut self, numbers: &[f32], key: u128) {
        // The first 200 keys are enough, and rows may be long.
        if self.keys.len() < 200 {
            self.keys.insert(key);
            self.rows.insert(numbers.iter().map(|number| number.to_bits()).collect());
        }
    }

    /// Law: the numbers may omit information, but must distinguish a tenth of the information keys.
    pub(crate) fn hold_enough(&self) -> Held {
        let (keys, rows) = (self.keys.len(), self.rows.len());
        hold!(
            "encoding-tells-positions-apart",
            keys < 20 || rows * 10 >= keys,
            "seats that knew {keys} different things had only {rows} different rows of numbers"
        );
        Ok(())
    }
}

impl<G: Playable> Encoder<G> {
    /// The game's encoder; `None` without an encoding.
    pub(crate) fn of(game: &G) -> Option<Self> {
        game.encoding().map(|encoding| Self::with(game, encoding))
    }

    pub(crate) fn with(game: &G, encoding: Encoding<G>) -> Self {
        let fields = (encoding.fields)(game);
        let size = fields.iter().map(|field| field.size).sum();
        Self { encoding, fields, size }
    }

    /// Laws of the field declarations.
    pub(crate) fn declared(&self) -> Held {
        const LAW: &str = "encoding-declared";
        hold!(LAW, self.encoding.version > 0, "the version of the encoding is 0");
        for (index, field) in self.fields.iter().enumerate() {
            let name = field.name;
            let words = !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
            hold!(LAW, words, "the field '{name}' is not words joined by '_'");
            let again = self.fields[..index].iter().any(|other| other.name == name);
            hold!(LAW, !again, "there are two fields '{name}'");
            let is_documented = !field.doc.trim().is_empty() && !field.unit.trim().is_empty();
            hold!(LAW, is_documented, "the field '{name}' has no doc or no unit");
            let (low, high) = (field.low, field.high);
            let bounded = low.is_finite() && high.is_finite() && low < high;
            hold!(LAW, bounded, "the field '{name}' is bounded by {low} and {high}");
        }
        Ok(())
    }

    /// The numbers of a seat: all written and within their bounds.
    pub(crate) fn numbers(&self, game: &G, state: &G::State, seat: Seat) -> Result<Vec<f32>, Fault> {
        const LAW: &str = "encoding-in-bounds";
        // Unwritten numbers stay NaN.
        let mut numbers = vec![f32::NAN; self.size];
        (self.encoding.write)(game, &game.observe(state, Viewer::Seat(seat)), seat, &mut numbers);
        let mut rest = &numbers[..];
        for Field { name, size, low, high, .. } in &self.fields {
            let (own, later) = rest.split_at(*size);
            let wrong = own.iter().position(|number| !(low..=high).contains(&number));
            if let Some(place) = wrong {
                let what = format!(
                    "expected numbers from {low} to {high} in the field '{name}' of seat {seat}, found {} at {place}",
                    own[place]
                );
                return Err(Fault { law: LAW, what });
            }
            rest = later;
        }
        Ok(numbers)
    }

    /// States that a seat cannot distinguish have equal numbers.
    pub(crate) fn hold_alike(
        &self,
        law: &'static str,
        game: &G,
        (one, other): (&G::State, &G::State),
        (seat, other_seat): (Seat, Seat),
        why: impl Fn() -> String,
    ) -> Held {
        let (left, right) = (self.numbers(game, one, seat)?, self.numbers(game, other, other_seat)?);
        let bits = |number: &f32| number.to_bits();
        let Some(place) = left.iter().zip(&right).position(|(one, two)| bits(one) != bits(two)) else {
            return Ok(());
        };
        let mut first = 0;
        for Field { name, size, .. } in &self.fields {
            if place < first + size {
                let what = format!(
                    "{}, but the number {} of the field '{name}' differs: {} and {}",
                    why(),
                    place - first,
                    left[place],
                    right[place]
                );
                return Err(Fault { law, what });
            }
            first += size;
        }
        Ok(())
    }
}
