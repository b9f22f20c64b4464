//! Perfect recall of a seat: all its observations, events and own actions.

use meeple_core::{EventSink, Seat, Viewer, key_of};
use serde::Serialize;

/// Hash of a seat's past. Up to 128-bit collisions, hashes are equal if and only if the pasts are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Memory(u128);

#[derive(Clone, Copy, Serialize)]
pub(crate) enum Impression {
    /// Information key of an observation.
    Seen(u128),
    /// Key of an event.
    Told(u128),
    /// Index of the seat's own action among its legal actions.
    Did(u32),
}

impl Memory {
    pub(crate) const EMPTY: Self = Self(0);

    #[must_use]
    pub(crate) fn and(self, impression: Impression) -> Self {
        Self(key_of(&(self.0, impression)))
    }
}

/// Event sink that adds events to the memories of their audience.
pub(crate) struct Hearing<'a>(pub(crate) &'a mut [Memory]);

impl<E: Serialize> EventSink<E> for Hearing<'_> {
    fn emit(&mut self, audience: meeple_core::Audience, event: impl FnOnce() -> E) {
        let heard = Impression::Told(key_of(&event()));
        for (seat, memory) in Seat::all(self.0.len()).zip(self.0.iter_mut()) {
            if audience.includes(Viewer::Seat(seat)) {
                *memory = memory.and(heard);
            }
        }
    }
}
