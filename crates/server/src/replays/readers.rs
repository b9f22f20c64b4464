//! Limits on long work for visitors, such as rendering replays: threads, memory, and the queue for them.

use std::sync::Arc;

use crate::limits::party;
use crate::limits::places::{Place, Places};
use crate::trouble::Trouble;

/// Upper bound on replay texts in memory while they are read and drawn, in bytes.
const ROOM_BYTES: usize = 32 << 20;
/// The unit of memory, in bytes.
const UNIT_BYTES: usize = 64 << 10;
const ROOM: usize = ROOM_BYTES / UNIT_BYTES;

/// Places for threads and for memory. A party gets at most half of each.
pub struct Readers {
    threads: Arc<Places>,
    room: Arc<Places>,
}

impl Readers {
    pub fn new(threads: usize) -> Self {
        Self { threads: Places::new(threads, threads / 2), room: Places::new(ROOM, ROOM / 2) }
    }

    pub async fn thread(&self) -> Result<Place, Trouble> {
        wait(&self.threads, 1).await
    }

    /// Waits for memory for a text of this many bytes.
    pub async fn room(&self, bytes: usize) -> Result<Place, Trouble> {
        wait(&self.room, (bytes / UNIT_BYTES + 1).min(ROOM)).await
    }
}

async fn wait(of: &Arc<Places>, places: usize) -> Result<Place, Trouble> {
    of.take(party::current(), places).await.ok_or(Trouble::Busy)
}
