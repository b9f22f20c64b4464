//! Events of an episode and their audiences.

use crate::phase::Viewer;
use crate::seat::{Seat, SeatSet};

/// Seats that may see an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Everybody, including spectators.
    All,
    /// These seats only, without spectators.
    Seats(SeatSet),
}

impl Audience {
    /// The audience of one seat, without spectators.
    pub const fn only(seat: Seat) -> Self {
        Self::Seats(SeatSet::single(seat))
    }

    /// Returns true if `viewer` may see the event.
    pub fn includes(self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (Self::All, _) | (_, Viewer::Everything) => true,
            (Self::Seats(seats), Viewer::Seat(seat)) => seats.contains(seat),
            (Self::Seats(_), Viewer::Public) => false,
        }
    }
}

/// Importance of an event for spectators.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A landmark, such as the start or end of a round. Playback by rounds pauses here.
    Round,
    /// An event within a turn.
    Turn,
    /// Arithmetic and other details.
    Detail,
}

/// Receiver of the events of an episode.
///
/// Events are passed as closures, so a sink that discards events never builds them.
pub trait EventSink<E> {
    /// Takes one event.
    fn emit(&mut self, audience: Audience, event: impl FnOnce() -> E);
}

/// The sink of playouts: discards every event.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvents;

impl<E> EventSink<E> for NoEvents {
    #[inline(always)]
    fn emit(&mut self, _audience: Audience, _event: impl FnOnce() -> E) {}
}

/// Log of every event with its audience, in order.
#[derive(Clone, Debug)]
pub struct EventLog<E> {
    entries: Vec<(Audience, E)>,
    /// If true, events are discarded and never built.
    is_deaf: bool,
}

impl<E> EventLog<E> {
    /// An empty log.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), is_deaf: false }
    }

    /// A log that stays empty and never builds an event.
    pub const fn deaf() -> Self {
        Self { entries: Vec::new(), is_deaf: true }
    }

    /// All entries, in chronological order.
    pub fn entries(&self) -> &[(Audience, E)] {
        &self.entries
    }

    /// The events that `viewer` may see, in order.
    pub fn seen_by(&self, viewer: Viewer) -> impl Iterator<Item = &E> {
        self.entries.iter().filter(move |(audience, _)| audience.includes(viewer)).map(|(_, event)| event)
    }

    /// A log of only the events that `viewer` may see.
    pub fn only(&self, viewer: Viewer) -> Self
    where
        E: Clone,
    {
        let seen = self.entries.iter().filter(|(audience, _)| audience.includes(viewer));
        Self { entries: seen.cloned().collect(), is_deaf: self.is_deaf }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the log has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Position of a viewer in the event log. A cursor counts hidden events, too, so hosts must not reveal it.
/// Viewers get the numbers of the events that they see.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct EventCursor {
    entries: usize,
    seen: usize,
}

impl EventCursor {
    /// Number of events that the viewer has received.
    pub fn seen(self) -> usize {
        self.seen
    }
}

impl<E> EventLog<E> {
    /// The events after the cursor that `viewer` may see, with their indices among all visible ones. The
    /// cursor moves to the end.
    pub fn news(&self, viewer: Viewer, cursor: &mut EventCursor) -> impl Iterator<Item = (usize, &E)> {
        let (first, from) = (cursor.seen, cursor.entries.min(self.entries.len()));
        let untold = &self.entries[from..];
        let seen = untold.iter().filter(move |(audience, _)| audience.includes(viewer));
        *cursor = EventCursor { entries: self.entries.len(), seen: first + seen.clone().count() };
        seen.enumerate().map(move |(index, (_, event))| (first + index, event))
    }
}

impl<E> Default for EventLog<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> EventSink<E> for EventLog<E> {
    fn emit(&mut self, audience: Audience, event: impl FnOnce() -> E) {
        if !self.is_deaf {
            self.entries.push((audience, event()));
        }
    }
}
