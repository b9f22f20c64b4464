//! Watchdog that names a case that never ends, even if the case is stuck within a step.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Time after which a running case is reported.
const SLOW_CASE: Duration = Duration::from_secs(60);

pub(super) struct Watched {
    now: Mutex<Now>,
    changed: Condvar,
}

struct Now {
    case: String,
    since: Instant,
    reported: bool,
    ended: bool,
}

impl Watched {
    pub(super) fn new() -> Self {
        let now = Now { case: String::new(), since: Instant::now(), reported: true, ended: false };
        Self { now: Mutex::new(now), changed: Condvar::new() }
    }

    pub(super) fn begin(&self, case: String) {
        *self.now() = Now { case, since: Instant::now(), reported: false, ended: false };
    }

    /// Ends the watch: there are no more cases.
    pub(super) fn end(&self) {
        self.now().ended = true;
        self.changed.notify_all();
    }

    /// Reports slow cases, until [`end`](Self::end).
    pub(super) fn watch(&self) {
        let mut now = self.now();
        while !now.ended {
            if !now.reported && now.since.elapsed() > SLOW_CASE {
                eprintln!("no end after {} seconds: {}", SLOW_CASE.as_secs(), now.case);
                now.reported = true;
            }
            let waited = self.changed.wait_timeout(now, Duration::from_secs(5));
            now = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
