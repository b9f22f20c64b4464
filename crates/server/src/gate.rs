//! Jobs give way to the tables: while the server is late to what is due, they wait.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_lab::StopFlag;

/// Jobs wait while the server is at least so late.
const LATE: Duration = Duration::from_millis(20);
/// So long at a time: on a machine that is always late they go on in small pieces, rather than never.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often a job that waits looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(50);

/// Where jobs wait. Clones are the same gate.
#[derive(Clone, Default)]
pub struct Gate(Arc<State>);

#[derive(Default)]
struct State {
    held: Mutex<Held>,
    opened: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Held {
    #[default]
    Open,
    /// The server was late when it was measured.
    Measured,
    /// Somebody has said how late it is, who says it again when that changes; measurements mean nothing from then on.
    Told(bool),
}

impl Gate {
    /// The server was so late just now.
    pub fn measured(&self, lag: Duration) {
        let mut held = self.lock();
        if !matches!(*held, Held::Told(_)) {
            *held = if lag >= LATE { Held::Measured } else { Held::Open };
            self.0.opened.notify_all();
        }
    }

    /// The server is so late until this is said again, whatever is measured.
    pub fn tell(&self, lag: Duration) {
        *self.lock() = Held::Told(lag >= LATE);
        self.0.opened.notify_all();
    }

    /// Whether jobs wait.
    pub fn is_held(&self) -> bool {
        matches!(*self.lock(), Held::Measured | Held::Told(true))
    }

    /// Waits while jobs wait, unless this one is stopped.
    pub fn pass(&self, stop: &StopFlag) {
        let began = Instant::now();
        let mut held = self.lock();
        while !stop.is_stopped() {
            match *held {
                Held::Open | Held::Told(false) => return,
                Held::Measured if began.elapsed() >= PATIENCE => return,
                Held::Measured | Held::Told(true) => {}
            }
            held = self.0.opened.wait_timeout(held, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
