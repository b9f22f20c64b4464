//! Limits of tries: how often somebody may try something in a while, counted in memory of a fixed size.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::key;

/// Rows of counters. Two who try share a counter in all of them as good as never.
const ROWS: usize = 4;
/// Counters of a row.
const WIDTH: usize = 1 << 15;

/// So many tries at once, and one more after each share of the time, for everybody alone.
///
/// It is a count-min sketch of leaky buckets: counters are shared by hash under a secret key, the lowest of four counts, so
/// that others can make somebody's count too high but never too low. Nothing is ever cleared and nothing is stored of names.
pub struct TryLimit {
    /// What a try costs, in milliseconds.
    cost_ms: u64,
    /// What may be used up at once, in milliseconds.
    window_ms: u64,
    secret: [u8; 32],
    /// By row: the time at which all tries are there again, in milliseconds.
    cells: Mutex<Box<[u64]>>,
}

impl TryLimit {
    /// So many tries in this time.
    pub fn new(tries: u64, window: Duration) -> Self {
        let window_ms = window.as_millis() as u64;
        Self {
            cost_ms: window_ms / tries,
            window_ms,
            secret: key::random(),
            cells: Mutex::new(vec![0; ROWS * WIDTH].into()),
        }
    }

    /// Counts a try unless there were too many; whether it may be made.
    pub fn count(&self, who: &[u8], now_ms: u64) -> bool {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        let places = self.places(who);
        let used = |place: &usize| cells[*place].saturating_sub(now_ms);
        let least = places.iter().map(used).min().expect("there are rows");
        if least + self.cost_ms > self.window_ms {
            return false;
        }
        for place in places {
            cells[place] = cells[place].max(now_ms) + self.cost_ms;
        }
        true
    }

    /// A counted try did not count after all.
    pub fn give_back(&self, who: &[u8]) {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        for place in self.places(who) {
            cells[place] = cells[place].saturating_sub(self.cost_ms);
        }
    }

    /// The counters of somebody, one in each row.
    fn places(&self, who: &[u8]) -> [usize; ROWS] {
        let digest = Sha256::new().chain_update(self.secret).chain_update(who).finalize();
        std::array::from_fn(|row| {
            let bytes = [digest[2 * row], digest[2 * row + 1]];
            row * WIDTH + usize::from(u16::from_le_bytes(bytes)) % WIDTH
        })
    }
}
