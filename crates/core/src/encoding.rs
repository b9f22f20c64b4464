//! Encodings of observations for learners: numbers, and fields that describe them by names, units and bounds.
//!
//! One function of the game, [`Encode::encode`], provides both, so they always agree. Its [`FieldSink`]
//! either records the fields' descriptions or writes the numbers.

use serde::Serialize;

use crate::game::Game;
use crate::phase::Viewer;
use crate::seat::Seat;

/// Description of a field's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meaning {
    /// Name of the field: lower case, words joined by `_`, distinct within an encoding.
    pub name: &'static str,
    /// Lower bound, inclusive.
    pub low: f32,
    /// Upper bound, inclusive.
    pub high: f32,
    /// Quantity that the number 1 stands for.
    pub unit: &'static str,
    /// Content and order of the numbers.
    pub doc: &'static str,
}

impl Meaning {
    /// A meaning with bounds 0 and 1.
    #[inline]
    pub const fn share(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, low: 0.0, high: 1.0, unit, doc }
    }

    /// A meaning with bounds -1 and 1.
    #[inline]
    pub const fn signed(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, low: -1.0, high: 1.0, unit, doc }
    }

    /// A meaning of flags: numbers that are 0 or 1.
    #[inline]
    pub const fn flag(name: &'static str, doc: &'static str) -> Self {
        Self::share(name, "yes", doc)
    }

    /// The same meaning with both bounds multiplied by `factor`.
    #[inline]
    pub const fn times(mut self, factor: f32) -> Self {
        self.low *= factor;
        self.high *= factor;
        self
    }
}

/// A field of an encoding: adjacent numbers of one meaning, for example one per seat, good or place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Name, distinct within an encoding.
    pub name: &'static str,
    /// Count of numbers.
    pub size: usize,
    /// Lower bound, inclusive.
    pub low: f32,
    /// Upper bound, inclusive.
    pub high: f32,
    /// Quantity that the number 1 stands for.
    pub unit: &'static str,
    /// Content and order of the numbers.
    pub doc: &'static str,
}

/// Receiver of the fields of a game's [`Encode::encode`], in order.
pub trait FieldSink {
    /// Takes a field and its numbers. Their count depends only on variant and number of seats.
    fn field(&mut self, meaning: Meaning, numbers: impl IntoIterator<Item = f32>);

    /// Takes a field of one number.
    #[inline]
    fn one(&mut self, meaning: Meaning, number: f32) {
        self.field(meaning, [number]);
    }

    /// Takes a field of flags, as 0 and 1.
    #[inline]
    fn flags(&mut self, meaning: Meaning, flags: impl IntoIterator<Item = bool>) {
        self.field(meaning, flags.into_iter().map(|flag| f32::from(u8::from(flag))));
    }

    /// Takes a one-hot field of `count` numbers, with the 1 at `index`, or all 0 for `None`.
    #[inline]
    fn one_of(&mut self, meaning: Meaning, count: usize, index: Option<usize>) {
        self.flags(meaning, (0..count).map(|place| Some(place) == index));
    }
}

/// A game whose observations have an encoding.
pub trait Encode: Game {
    /// Version, raised when the meaning of the numbers changes; stored with every model trained on them.
    const VERSION: u32;

    /// Passes the fields of the observation of `seat` to `sink`, always the same ones in the same order.
    /// Values by seat begin with the own seat and follow the order of play. The function works at every
    /// moment of an episode and does not allocate.
    fn encode(&self, seen: &Self::Observation<'_>, seat: Seat, sink: &mut impl FieldSink);
}

/// An encoding of observations as numbers, for learners.
pub struct Encoding<G: Game> {
    /// Version, raised when the meaning of the numbers changes; stored with every model trained on them.
    pub version: u32,
    /// The fields, in order; they depend on variant and number of seats alone.
    pub fields: fn(&G) -> Vec<Field>,
    /// Writes all numbers of the seat's observation: `[size]`.
    pub write: for<'o> fn(&G, &G::Observation<'o>, Seat, &mut [f32]),
}

impl<G: Game> Clone for Encoding<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Encoding<G> {}

impl<G: Game> Encoding<G> {
    /// Count of numbers: the sum of the fields' sizes. Callers should cache it, because each call builds all
    /// fields.
    pub fn size(&self, game: &G) -> usize {
        (self.fields)(game).iter().map(|field| field.size).sum()
    }
}

impl<G: Encode> Encoding<G> {
    /// The encoding defined by [`Encode`].
    pub fn of_game() -> Self {
        Self {
            version: G::VERSION,
            fields: |game| {
                let mut fields = Fields::default();
                let (state, seat) = (game.initial_state(), Seat::new(0));
                game.encode(&game.observe(&state, Viewer::Seat(seat)), seat, &mut fields);
                fields.0
            },
            write: |game, seen, seat, out| {
                let mut numbers = Numbers { left: out };
                game.encode(seen, seat, &mut numbers);
                debug_assert!(numbers.left.is_empty(), "{} numbers were not written", numbers.left.len());
            },
        }
    }
}

/// Records the descriptions.
#[derive(Default)]
struct Fields(Vec<Field>);

impl FieldSink for Fields {
    fn field(&mut self, meaning: Meaning, numbers: impl IntoIterator<Item = f32>) {
        let Meaning { name, low, high, unit, doc } = meaning;
        self.0.push(Field { name, size: numbers.into_iter().count(), low, high, unit, doc });
    }
}

/// Writes the numbers into the rest of the slice.
struct Numbers<'a> {
    left: &'a mut [f32],
}

impl FieldSink for Numbers<'_> {
    #[inline(always)] // so the optimiser removes the unused meaning
    fn field(&mut self, _: Meaning, numbers: impl IntoIterator<Item = f32>) {
        let (left, mut written) = (std::mem::take(&mut self.left), 0);
        let mut numbers = numbers.into_iter();
        for (place, number) in left.iter_mut().zip(numbers.by_ref()) {
            *place = number;
            written += 1;
        }
        debug_assert!(numbers.next().is_none(), "more numbers than the fields say");
        self.left = &mut left[written..];
    }
}

/// An unbounded amount mapped to -1..1: amount / (|amount| + scale). `scale` is positive, and maps to ½.
#[inline]
pub fn bent(amount: f32, scale: f32) -> f32 {
    amount / (amount.abs() + scale)
}
