//! Events: what happened, and who may know.

use crate::phase::Viewer;
use crate::seat::{Seat, SeatSet};

/// Which seats may see an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Everybody, spectators too.
    All,
    /// These seats only; spectators not.
    Seats(SeatSet),
}

impl Audience {
    /// One seat only.
    pub const fn only(seat: Seat) -> Self {
        Self::Seats(SeatSet::single(seat))
    }

    /// Whether `viewer` may see it.
    pub fn includes(self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (Self::All, _) | (_, Viewer::Everything) => true,
            (Self::Seats(seats), Viewer::Seat(seat)) => seats.contains(seat),
            (Self::Seats(_), Viewer::Public) => false,
        }
    }
}

/// How much an event matters to who watches an episode go by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A landmark: a round began or ended. Watching by rounds stops here.
    Round,
    /// Something happened in a turn.
    Turn,
    /// Arithmetic and other small print.
    Detail,
}

/// Takes the events of an episode.
///
/// An event is passed as a closure, so that a sink that throws events away costs nothing: nothing is built.
pub trait EventSink<E> {
    /// Takes one event.
    fn emit(&mut self, audience: Audience, event: impl FnOnce() -> E);
}

/// Throws every event away: the sink of playouts.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvents;

impl<E> EventSink<E> for NoEvents {
    #[inline(always)]
    fn emit(&mut self, _audience: Audience, _event: impl FnOnce() -> E) {}
}

/// Keeps every event with its audience, in order.
#[derive(Clone, Debug)]
pub struct EventLog<E> {
    entries: Vec<(Audience, E)>,
    /// Whether it throws events away, as nobody will ask for them.
    is_deaf: bool,
}

impl<E> EventLog<E> {
    /// An empty log.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), is_deaf: false }
    }

    /// A log that stays empty, and for which no event is made.
    pub const fn deaf() -> Self {
        Self { entries: Vec::new(), is_deaf: true }
    }

    /// All entries in the order they happened.
    pub fn entries(&self) -> &[(Audience, E)] {
        &self.entries
    }

    /// The events that `viewer` may see, in order.
    pub fn seen_by(&self, viewer: Viewer) -> impl Iterator<Item = &E> {
        self.entries.iter().filter(move |(audience, _)| audience.includes(viewer)).map(|(_, event)| event)
    }

    /// A log of the events that `viewer` may see alone.
    pub fn only(&self, viewer: Viewer) -> Self
    where
        E: Clone,
    {
        let seen = self.entries.iter().filter(|(audience, _)| audience.includes(viewer));
        Self { entries: seen.cloned().collect(), is_deaf: self.is_deaf }
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// How far a viewer has been told of the events of an episode, for its host. It counts what the viewer may not see, too,
/// and is nothing for the viewer: that gets the numbers of its own events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct EventCursor {
    /// Entries of the log that lie behind.
    entries: usize,
    /// How many of them the viewer may see.
    seen: usize,
}

impl EventCursor {
    /// How many events the viewer has been told.
    pub fn seen(self) -> usize {
        self.seen
    }
}

impl<E> EventLog<E> {
    /// The events that `viewer` may see and has not been told, with their numbers among those that it may see. They count
    /// as told then.
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
