//! The clocks of people at a table, read against the current time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use meeple_table::{Clocks, Frame, Holder, Left, Table, TimeControl};
use tokio::sync::Notify;

use crate::time::Time;

pub struct Timing {
    pub time: Time,
    state: Mutex<State>,
    /// Notified after each change of the table, because the next clock to expire may be another one.
    pub moved: Notify,
}

pub struct State {
    pub clocks: Clocks,
    /// True while a task waits for the first clock to expire.
    pub is_watched: bool,
}

impl Timing {
    /// Clocks for the table's current state, with the stored times in ms if there are any.
    pub fn new(time: Time, control: TimeControl, left: Option<&[u64]>, table: &Table) -> Self {
        let seats = table.holders().len();
        let mut clocks = match left {
            Some(left) if left.len() == seats => Clocks::with_left(control, left),
            _ => Clocks::new(control, seats),
        };
        clocks.go_on(time.now_ms(), &table.times());
        Self { time, state: Mutex::new(State { clocks, is_watched: false }), moved: Notify::new() }
    }

    /// Updates the clocks to the table's state. Returns the times left in ms, by seat, for storage.
    pub fn go_on(&self, table: &Table) -> Vec<u64> {
        let now = self.time.now_ms();
        let mut state = self.lock();
        state.clocks.go_on(now, &table.times());
        let left = state.clocks.all_left(now);
        drop(state);
        self.moved.notify_one();
        left
    }

    /// Milliseconds for which the question of a seat has been open; `None` if none is.
    pub fn waited_ms(&self, seat: usize) -> Option<u64> {
        self.lock().clocks.waited(seat, self.time.now_ms())
    }

    pub fn control(&self) -> TimeControl {
        self.lock().clocks.control()
    }

    /// The times left at the seats of a frame, as far as its viewer may know. Clocks would reveal which seats
    /// owe a secret decision.
    pub fn shown(&self, frame: &Frame) -> Vec<Option<Left>> {
        let (now, state) = (self.time.now_ms(), self.lock());
        let seats = frame.seats.iter().enumerate();
        seats
            .map(|(seat, line)| {
                let is_person = matches!(line.holder, Holder::Person { .. });
                (is_person && line.owes.is_some()).then(|| state.clocks.left(seat, now))
            })
            .collect()
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
