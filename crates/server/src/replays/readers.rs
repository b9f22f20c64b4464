//! Limits on long work for visitors, such as rendering replays: threads, memory, and the queue for them.

use std::sync::Arc;

use crate::limits::party;
use crate::limits::permits::{FairPermits, Permit};
use crate::trouble::Trouble;

/// Upper bound on replay texts in memory while they are read and drawn, in bytes.
const ROOM_BYTES: usize = 32 << 20;
/// The unit of memory, in bytes.
const UNIT_BYTES: usize = 64 << 10;
const ROOM_UNITS: usize = ROOM_BYTES / UNIT_BYTES;

/// Permits for threads and for memory. A party gets at most half of each.
pub struct Readers {
    threads: Arc<FairPermits>,
    room: Arc<FairPermits>,
}

impl Readers {
    pub fn new(threads: usize) -> Self {
        Self {
            threads: FairPermits::new(threads, threads / 2),
            room: FairPermits::new(ROOM_UNITS, ROOM_UNITS / 2),
        }
    }

    pub async fn thread(&self) -> Result<Permit, Trouble> {
        wait(&self.threads, 1).await
    }

    /// Waits for memory for a text of this many bytes.
    pub async fn room(&self, bytes: usize) -> Result<Permit, Trouble> {
        wait(&self.room, (bytes / UNIT_BYTES + 1).min(ROOM_UNITS)).await
    }
}

async fn wait(of: &Arc<FairPermits>, permits: usize) -> Result<Permit, Trouble> {
    of.take(party::current(), permits).await.ok_or(Trouble::Busy)
}
