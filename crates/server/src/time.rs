//! What time it is for people's clocks, and for those who read nothing: the system's, or what somebody says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// A clock. Clones are the same one.
#[derive(Clone)]
pub struct Time {
    began: Instant,
    told: Arc<watch::Sender<Option<u64>>>,
}

impl Time {
    /// The system's.
    pub fn of_system() -> Self {
        Self { began: Instant::now(), told: Arc::new(watch::Sender::new(None)) }
    }

    /// It is so late until this is said again, in milliseconds, whatever the system says.
    pub fn tell(&self, ms: u64) {
        self.told.send_replace(Some(ms));
    }

    /// How late it is, in milliseconds since a moment that stays the same.
    pub fn now_ms(&self) -> u64 {
        let told = *self.told.borrow();
        told.unwrap_or_else(|| self.began.elapsed().as_millis() as u64)
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
