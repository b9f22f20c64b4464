//! What time it is for people's clocks, and for those who read nothing: the time for which the server has run, or what somebody
//! says.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// How often a server looks at the time.
const BEAT: Duration = Duration::from_millis(250);
/// Nobody has looked at the time for so long: the process was stopped, or the machine slept, and nobody was served.
const MAX_GAP_MS: u64 = 3_000;

/// A clock. Clones are the same one.
#[derive(Clone)]
pub struct Time {
    began: Instant,
    told: Arc<watch::Sender<Option<Told>>>,
    served: Arc<Mutex<Served>>,
}

/// What stands in place of the system's clock, in milliseconds.
#[derive(Clone, Copy)]
enum Told {
    /// The time for which the server has run.
    Served(u64),
    /// The system's clock.
    System(u64),
}

/// The time for which the server has run, and when it was looked at, both in milliseconds.
#[derive(Default)]
struct Served {
    ms: u64,
    seen_ms: u64,
}

impl Served {
    /// The system's clock shows this now.
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
    /// The system's.
    pub fn of_system() -> Self {
        Self { began: Instant::now(), told: Arc::new(watch::Sender::new(None)), served: Arc::default() }
    }

    /// The server has run for so long until this is said again, in milliseconds, whatever the system says.
    pub fn tell(&self, ms: u64) {
        self.told.send_replace(Some(Told::Served(ms)));
    }

    /// The system's clock shows this until it is said again, in milliseconds, and the server looks at it now.
    pub fn tell_system(&self, ms: u64) {
        self.told.send_replace(Some(Told::System(ms)));
        self.now_ms();
    }

    /// How late it is, in milliseconds since a moment that stays the same. It does not go on while the process is stopped.
    pub fn now_ms(&self) -> u64 {
        let told = *self.told.borrow();
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        match told {
            Some(Told::Served(ms)) => ms,
            Some(Told::System(ms)) => served.at(ms),
            None => served.at(self.began.elapsed().as_millis() as u64),
        }
    }

    /// Looks at the time without end, so that a gap between two looks is one in which the server did not run.
    pub async fn beat(&self) {
        loop {
            self.now_ms();
            tokio::time::sleep(BEAT).await;
        }
    }

    /// Waits until it is so late.
    pub async fn until(&self, ms: u64) {
        let mut told = self.told.subscribe();
        loop {
            let now = self.now_ms();
            if now >= ms {
                return;
            }
            let is_told = told.borrow_and_update().is_some();
            let rest = Duration::from_millis(ms - now);
            tokio::select! {
                // The sender is kept here: it is not gone.
                _ = told.changed() => {}
                () = tokio::time::sleep(rest), if !is_told => {}
            }
        }
    }
}
