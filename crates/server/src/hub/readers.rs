//! What showing replays may take of the machine: threads, memory, and how many wait for them.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::trouble::Trouble;

/// Bytes of replays' texts that are in memory at once, read and drawn.
const ROOM_BYTES: usize = 32 << 20;
/// The unit in which room is given out, in bytes.
const UNIT_BYTES: usize = 64 << 10;
/// Requests that wait at once; those beyond are refused.
const MAX_WAITING: usize = 64;

/// Threads and memory for replays.
pub struct Readers {
    threads: Arc<Semaphore>,
    room: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Readers {
    /// With so many threads.
    pub fn new(threads: usize) -> Self {
        Self {
            threads: Arc::new(Semaphore::new(threads)),
            room: Arc::new(Semaphore::new(ROOM_BYTES / UNIT_BYTES)),
            waiting: Semaphore::new(MAX_WAITING),
        }
    }

    /// A thread, as soon as one is free.
    ///
    /// # Errors
    /// If too many wait already.
    pub async fn thread(&self) -> Result<OwnedSemaphorePermit, Trouble> {
        self.wait(&self.threads, 1).await
    }

    /// Room for a text of so many bytes, as soon as there is some.
    ///
    /// # Errors
    /// If too many wait already.
    pub async fn room(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Trouble> {
        let units = (bytes / UNIT_BYTES + 1).min(ROOM_BYTES / UNIT_BYTES);
        self.wait(&self.room, units as u32).await
    }

    async fn wait(&self, of: &Arc<Semaphore>, permits: u32) -> Result<OwnedSemaphorePermit, Trouble> {
        let _waiting = self.waiting.try_acquire().map_err(|_| Trouble::Busy)?;
        let permit = Arc::clone(of).acquire_many_owned(permits).await;
        Ok(permit.expect("it is never closed"))
    }
}
