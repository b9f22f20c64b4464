//! How what a seat knows becomes numbers, for learners: fields with names, units and bounds, and the numbers themselves.
//!
//! A game tells both in one function, [`Encode::encode`], so that they cannot drift apart: it hands every field with its
//! numbers to a [`FieldSink`], which either writes down what the field is or writes the numbers.

use serde::Serialize;

use crate::game::Game;
use crate::phase::Viewer;
use crate::seat::Seat;

/// What the numbers of a field mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meaning {
    /// Lower case, words joined by `_`; distinct within an encoding.
    pub name: &'static str,
    /// No number is below this.
    pub low: f32,
    /// No number is above this.
    pub high: f32,
    /// What 1 stands for.
    pub unit: &'static str,
    /// What the numbers say, and in which order they stand.
    pub doc: &'static str,
}

impl Meaning {
    /// Numbers from 0 to 1.
    #[inline]
    pub const fn share(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, low: 0.0, high: 1.0, unit, doc }
    }

    /// Numbers from -1 to 1.
    #[inline]
    pub const fn signed(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, low: -1.0, high: 1.0, unit, doc }
    }

    /// Numbers that are 0 or 1.
    #[inline]
    pub const fn flag(name: &'static str, doc: &'static str) -> Self {
        Self::share(name, "yes", doc)
    }

    /// The same numbers, but both bounds so many times as far from 0.
    #[inline]
    pub const fn times(mut self, factor: f32) -> Self {
        self.low *= factor;
        self.high *= factor;
        self
    }
}

/// A field of an encoding: numbers that stand side by side and mean the same, each of another seat, good or place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// How many numbers.
    pub size: usize,
    /// No number is below this.
    pub low: f32,
    /// No number is above this.
    pub high: f32,
    /// What 1 stands for.
    pub unit: &'static str,
    /// What the numbers say, and in which order they stand.
    pub doc: &'static str,
}

/// Where a game's [`Encode::encode`] puts its fields, one after the other.
pub trait FieldSink {
    /// A field and its numbers. How many there are depends on the game alone: its variant and its seats.
    fn field(&mut self, meaning: Meaning, numbers: impl IntoIterator<Item = f32>);

    /// A field of one number.
    #[inline]
    fn one(&mut self, meaning: Meaning, number: f32) {
        self.field(meaning, [number]);
    }

    /// A field of flags, as 0 and 1.
    #[inline]
    fn flags(&mut self, meaning: Meaning, flags: impl IntoIterator<Item = bool>) {
        self.field(meaning, flags.into_iter().map(|flag| f32::from(u8::from(flag))));
    }

    /// A field of `count` numbers that are 0, but for a 1 at `index`, if there is one.
    #[inline]
    fn one_of(&mut self, meaning: Meaning, count: usize, index: Option<usize>) {
        self.flags(meaning, (0..count).map(|place| Some(place) == index));
    }
}

/// A game whose observations become numbers.
pub trait Encode: Game {
    /// Raised when the numbers mean something else; stored with everything that was learned from them.
    const VERSION: u32;

    /// Hands the fields to `sink`, always the same ones in the same order, from what `seat` sees. Seats are told from
    /// the own one on, in the order of play around the table. Valid at every moment, before the first decision and
    /// after the end too; it takes no memory.
    fn encode(&self, seen: &Self::Observation<'_>, seat: Seat, sink: &mut impl FieldSink);
}

/// How what a seat knows becomes numbers, for learners.
pub struct Encoding<G: Game> {
    /// Raised when the numbers mean something else; stored with everything that was learned from them.
    pub version: u32,
    /// What they are, in order: a function of variant and number of seats.
    pub fields: fn(&G) -> Vec<Field>,
    /// Writes them, all of them, from what the seat sees.
    pub write: for<'o> fn(&G, &G::Observation<'o>, Seat, &mut [f32]),
}

impl<G: Game> Clone for Encoding<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Encoding<G> {}

impl<G: Game> Encoding<G> {
    /// How many numbers. It is worth keeping: all fields are made for it.
    pub fn size(&self, game: &G) -> usize {
        (self.fields)(game).iter().map(|field| field.size).sum()
    }
}

impl<G: Encode> Encoding<G> {
    /// As the game tells it.
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

/// Writes down what the fields are.
#[derive(Default)]
struct Fields(Vec<Field>);

impl FieldSink for Fields {
    fn field(&mut self, meaning: Meaning, numbers: impl IntoIterator<Item = f32>) {
        let Meaning { name, low, high, unit, doc } = meaning;
        self.0.push(Field { name, size: numbers.into_iter().count(), low, high, unit, doc });
    }
}

/// Writes the numbers, from the front of what is left.
struct Numbers<'a> {
    left: &'a mut [f32],
}

impl FieldSink for Numbers<'_> {
    #[inline(always)] // what a field means is for the other sink, and must vanish here
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

/// An amount without a largest value, bent into -1 to 1: a half at `scale`, which is above 0.
#[inline]
pub fn bent(amount: f32, scale: f32) -> f32 {
    amount / (amount.abs() + scale)
}
