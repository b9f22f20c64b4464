//! Perfect recall of a seat: all its observations, events and own actions.

use meeple_core::{EventSink, Seat, Viewer, key_of};
use serde::Serialize;

/// Hash of a seat's observations, events and actions since the beginning. Equal memories mean equal pasts, up
/// to 128-bit collisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Memory(u128);

/// An addition to a memory.
#[derive(Clone, Copy, Serialize)]
pub(crate) enum Impression {
    /// The table as seen by the seat, by its information key.
    Seen(u128),
    /// An event that the seat received, by its key.
    Told(u128),
    /// The seat's own action, by its index among the legal ones.
    Did(u32),
}

impl Memory {
    /// The memory at the beginning.
    pub(crate) const EMPTY: Self = Self(0);

    /// The memory extended by an impression.
    #[must_use]
    pub(crate) fn and(self, impression: Impression) -> Self {
        Self(key_of(&(self.0, impression)))
    }
}

/// Event sink that adds events to the memories of their audience.
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
