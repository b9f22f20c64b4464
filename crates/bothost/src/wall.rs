//! The wall clock, as hosts and bots read it. Tests can hold it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The clock for wall time: the machine's, or one held by a test.
///
/// A held clock stands still while bots think and while the host waits for the first of several bots. It
/// advances by [`HELD_WAIT`](Self::HELD_WAIT) whenever the host waits for one certain bot. A bot that is
/// charged more than zero was therefore charged for the wait for another bot.
#[derive(Clone, Debug, Default)]
pub struct WallClock(Option<Arc<AtomicU64>>);

impl WallClock {
    /// Step of a held clock for each wait for one bot.
    pub const HELD_WAIT: Duration = Duration::from_secs(100);

    /// The machine's clock.
    pub fn system() -> Self {
        Self(None)
    }

    /// A held clock, which stands still.
    pub fn held() -> Self {
        Self(Some(Arc::new(AtomicU64::new(0))))
    }

    /// The current time.
    pub fn now(&self) -> Instant {
        static BEGINNING: OnceLock<Instant> = OnceLock::new();
        match &self.0 {
            None => Instant::now(),
            Some(waits) => {
                let waits = waits.load(Ordering::SeqCst).try_into().unwrap_or(u32::MAX);
                *BEGINNING.get_or_init(Instant::now) + Self::HELD_WAIT * waits
            }
        }
    }

    /// Advances a held clock as the host does when it waits for one certain bot. The machine's clock is
    /// unaffected.
    pub fn wait_for_one(&self) {
        if let Some(waits) = &self.0 {
            waits.fetch_add(1, Ordering::SeqCst);
        }
    }
}
