//! Exclusive write access to a record, alongside any number of readers.
//!
//! The claim is a lock on the replay file, which every writer has open. It ends with the process and is
//! independent of SQLite's locks, so readers of the database do not wait for it.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use super::check::occupied;
use crate::error::ArenaError;

/// Claims the record for writing, until the file is closed.
pub(super) fn claim(replays: &File, record: &Path) -> Result<(), ArenaError> {
    // Retries, because `is_claimed` holds the lock for a moment, too.
    const ATTEMPTS: u32 = 20;
    const PAUSE: Duration = Duration::from_millis(25);
    for _ in 1..ATTEMPTS {
        if try_claim(replays, record)? {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
    }
    if try_claim(replays, record)? { Ok(()) } else { Err(occupied(record)) }
}

fn try_claim(replays: &File, record: &Path) -> Result<bool, ArenaError> {
    match replays.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => {
            Err(ArenaError::file(record, format!("expected to lock the replays beside it: {error}")))
        }
    }
}

/// True if a writer has claimed the record of these replays.
pub(super) fn is_claimed(replays: &Path) -> bool {
    File::open(replays).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
