//! Jobs yield to tables: they pause while the server is behind schedule.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_lab::StopFlag;

/// Jobs pause while the server's lag is at least this long.
const PAUSE_ABOVE_LAG: Duration = Duration::from_millis(20);
/// Jobs pause at most this long at a time, so that they progress even on an overloaded machine.
const MAX_PAUSE: Duration = Duration::from_millis(200);
/// The interval at which a paused job checks whether it was stopped.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A gate that pauses jobs. Clones share state.
#[derive(Clone, Default)]
pub struct Gate(Arc<State>);

#[derive(Default)]
struct State {
    state: Mutex<GateState>,
    opened: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum GateState {
    #[default]
    Open,
    /// Closed by a measurement of the lag.
    Measured,
    /// A state set from outside: closed if true. Later measurements are ignored.
    Set(bool),
}

impl Gate {
    pub fn measured(&self, lag: Duration) {
        let mut state = self.lock();
        if !matches!(*state, GateState::Set(_)) {
            *state = if lag >= PAUSE_ABOVE_LAG { GateState::Measured } else { GateState::Open };
            self.0.opened.notify_all();
        }
    }

    /// Sets the lag until the next call. Later measurements are ignored.
    pub fn tell(&self, lag: Duration) {
        *self.lock() = GateState::Set(lag >= PAUSE_ABOVE_LAG);
        self.0.opened.notify_all();
    }

    pub fn is_held(&self) -> bool {
        matches!(*self.lock(), GateState::Measured | GateState::Set(true))
    }

    /// Blocks while the gate is closed, until this job is stopped. A measurement blocks for at most
    /// [`MAX_PAUSE`].
    pub fn pass(&self, stop: &StopFlag) {
        let began = Instant::now();
        let mut state = self.lock();
        while !stop.is_stopped() {
            match *state {
                GateState::Open | GateState::Set(false) => return,
                GateState::Measured if began.elapsed() >= MAX_PAUSE => return,
                GateState::Measured | GateState::Set(true) => {}
            }
            state = self
                .0
                .opened
                .wait_timeout(state, STOP_POLL_INTERVAL)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
