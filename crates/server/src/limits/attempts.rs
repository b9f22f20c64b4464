//! Rate limits of attempts per client, in a fixed amount of memory.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::key;

/// Rows of counters. In practice, no two clients share their counters in all rows.
const ROWS: usize = 4;
/// Counters per row.
const WIDTH: usize = 1 << 15;

/// A rate limit per client: a burst of attempts, refilled one by one over the window.
///
/// It is a count-min sketch of leaky buckets. Counters are shared by hash under a secret key, and the lowest
/// of four counts. Others can therefore raise a client's count, but never lower it. Nothing is ever cleared,
/// and no names are stored.
pub struct AttemptLimit {
    /// Cost of an attempt in ms.
    cost_ms: u64,
    /// Capacity of a bucket in ms.
    window_ms: u64,
    secret: [u8; 32],
    /// The time in ms at which each bucket is full again, `[ROWS * WIDTH]`.
    cells: Mutex<Box<[u64]>>,
}

impl AttemptLimit {
    /// A limit of `attempts` per window.
    pub fn new(attempts: u64, window: Duration) -> Self {
        let window_ms = window.as_millis() as u64;
        Self {
            cost_ms: window_ms / attempts,
            window_ms,
            secret: key::random(),
            cells: Mutex::new(vec![0; ROWS * WIDTH].into()),
        }
    }

    /// Counts an attempt and returns true if the limit allows it. Refused attempts do not count.
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

    /// Takes a counted attempt back.
    pub fn give_back(&self, who: &[u8]) {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        for place in self.places(who) {
            cells[place] = cells[place].saturating_sub(self.cost_ms);
        }
    }

    /// Indices of the client's counters, one per row.
    fn places(&self, who: &[u8]) -> [usize; ROWS] {
        let digest = Sha256::new().chain_update(self.secret).chain_update(who).finalize();
        std::array::from_fn(|row| {
            let bytes = [digest[2 * row], digest[2 * row + 1]];
            row * WIDTH + usize::from(u16::from_le_bytes(bytes)) % WIDTH
        })
    }
}
