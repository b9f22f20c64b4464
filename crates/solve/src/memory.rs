//! What a seat remembers: everything that it was ever shown and told, and what it did.

use meeple_core::{EventSink, Seat, Viewer, key_of};
use serde::Serialize;

/// All that a seat has seen, heard and done since the beginning, as a key: equal memories, equal pasts (but for collisions
/// of 128 bits).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Memory(u128);

/// What is added to a memory.
#[derive(Clone, Copy, Serialize)]
pub(crate) enum Impression {
    /// The table, as the seat sees it, by its information key.
    Seen(u128),
    /// An event that it was told, by the key of the event.
    Told(u128),
    /// Its own action, by its place among those that were legal.
    Did(u32),
}

impl Memory {
    /// Of nothing.
    pub(crate) const EMPTY: Self = Self(0);

    /// And then this.
    #[must_use]
    pub(crate) fn and(self, impression: Impression) -> Self {
        Self(key_of(&(self.0, impression)))
    }
}

/// Events go into the memories of who is told them.
pub(crate) struct Hearing<'a>(pub(crate) &'a mut [Memory]);

impl<E: Serialize> EventSink<E> for Hearing<'_> {
    fn emit(&mut self, audience: meeple_core::Audience, event: impl FnOnce() -> E) {
        let told = Impression::Told(key_of(&event()));
        for (seat, memory) in Seat::all(self.0.len()).zip(self.0.iter_mut()) {
            if audience.includes(Viewer::Seat(seat)) {
                *memory = memory.and(told);
            }
        }
    }
}
