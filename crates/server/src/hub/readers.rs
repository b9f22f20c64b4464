//! Limits on rendering replays: threads, memory, and the queue for them.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::trouble::Trouble;

/// Upper bound on replay texts in memory while they are read and drawn, in bytes.
const ROOM_BYTES: usize = 32 << 20;
/// The unit of memory permits, in bytes.
const UNIT_BYTES: usize = 64 << 10;
/// Upper bound on waiting requests; further ones are refused.
const MAX_WAITING: usize = 64;

/// Permits for threads and memory of replays.
pub struct Readers {
    threads: Arc<Semaphore>,
    room: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Readers {
    pub fn new(threads: usize) -> Self {
        Self {
            threads: Arc::new(Semaphore::new(threads)),
            room: Arc::new(Semaphore::new(ROOM_BYTES / UNIT_BYTES)),
            waiting: Semaphore::new(MAX_WAITING),
        }
    }

    pub async fn thread(&self) -> Result<OwnedSemaphorePermit, Trouble> {
        self.wait(&self.threads, 1).await
    }

    /// Waits for memory for a text of this size.
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
