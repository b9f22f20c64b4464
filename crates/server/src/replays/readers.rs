//! Limits on long work for visitors, such as rendering replays: threads, memory, storage, and the queue for
//! them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::party;
use crate::limits::permits::{FairPermits, Permit};
use crate::trouble::Trouble;

/// Upper bound on replay texts in memory while they are read and drawn, in bytes.
const ROOM_BYTES: usize = 32 << 20;
/// The unit of memory, in bytes.
const UNIT_BYTES: usize = 64 << 10;
const ROOM_UNITS: usize = ROOM_BYTES / UNIT_BYTES;

/// Permits for threads and for memory, of which a party gets at most half, and promises of storage.
pub struct Readers {
    threads: Arc<FairPermits>,
    room: Arc<FairPermits>,
    /// Storage for the first steps of tables that are being opened, in bytes.
    promised: Arc<AtomicUsize>,
}

/// A guard that promises storage until it is dropped.
pub struct Promise {
    promised: Arc<AtomicUsize>,
    bytes: usize,
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.promised.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Readers {
    pub fn new(threads: usize) -> Self {
        Self {
            threads: FairPermits::new(threads, threads / 2),
            room: FairPermits::new(ROOM_UNITS, ROOM_UNITS / 2),
            promised: Arc::default(),
        }
    }

    /// Promises storage.
    pub fn promise(&self, bytes: usize) -> Promise {
        self.promised.fetch_add(bytes, Ordering::Relaxed);
        Promise { promised: Arc::clone(&self.promised), bytes }
    }

    /// All promised storage, in bytes.
    pub fn promised(&self) -> usize {
        self.promised.load(Ordering::Relaxed)
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
