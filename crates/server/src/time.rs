//! The clock for time limits and rate limits. It shows the time that the server has run, or a value set from
//! outside.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

/// The interval at which the server reads the clock.
const CLOCK_READ_INTERVAL: Duration = Duration::from_millis(250);
/// Upper bound on a gap between two readings, in ms. A longer gap does not count: the process was stopped or
/// the machine slept, so nobody was served.
const MAX_GAP_MS: u64 = 3_000;

/// A clock. Clones share it.
#[derive(Clone)]
pub struct Time {
    began: Instant,
    set: Arc<watch::Sender<Option<SetTime>>>,
    served: Arc<Mutex<Served>>,
}

/// A reading that is set from outside, in ms.
#[derive(Clone, Copy)]
enum SetTime {
    /// The time that the server has run.
    Served(u64),
    /// The system's clock.
    System(u64),
}

/// The time that the server has run, and the last reading of the system's clock, both in ms.
#[derive(Default)]
struct Served {
    ms: u64,
    seen_ms: u64,
}

impl Served {
    /// Takes a reading of the system's clock, and returns the time that the server has run.
    fn at(&mut self, system_ms: u64) -> u64 {
        let gone = system_ms.saturating_sub(self.seen_ms);
        self.seen_ms = self.seen_ms.max(system_ms);
        if gone <= MAX_GAP_MS {
            self.ms += gone;
        }
        self.ms
    }
}

impl Time {
    pub fn of_system() -> Self {
        Self { began: Instant::now(), set: Arc::new(watch::Sender::new(None)), served: Arc::default() }
    }

    /// Sets the time that the server has run, in ms, until the next call. The system's clock is ignored.
    pub fn tell(&self, ms: u64) {
        self.set.send_replace(Some(SetTime::Served(ms)));
    }

    /// Sets the system's clock, in ms, until the next call, and reads it.
    pub fn tell_system(&self, ms: u64) {
        self.set.send_replace(Some(SetTime::System(ms)));
        self.now_ms();
    }

    /// The current time in ms since a fixed origin. It stands still while the process is stopped.
    pub fn now_ms(&self) -> u64 {
        let set = *self.set.borrow();
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        match set {
            Some(SetTime::Served(ms)) => ms,
            Some(SetTime::System(ms)) => served.at(ms),
            None => served.at(self.began.elapsed().as_millis() as u64),
        }
    }

    /// Reads the clock regularly, for ever, so that a gap between readings means the server did not run.
    pub async fn beat(&self) {
        loop {
            self.now_ms();
            tokio::time::sleep(CLOCK_READ_INTERVAL).await;
        }
    }

    pub async fn until(&self, ms: u64) {
        let mut set = self.set.subscribe();
        loop {
            let now = self.now_ms();
            if now >= ms {
                return;
            }
            let is_set = set.borrow_and_update().is_some();
            let rest = Duration::from_millis(ms - now);
            tokio::select! {
                // The sender is part of `self`, so it is never gone.
                _ = set.changed() => {}
                () = tokio::time::sleep(rest), if !is_set => {}
            }
        }
    }
}

/// The current time, in seconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
