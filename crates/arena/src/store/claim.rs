//! One writer of a record at a time, beside any number of readers.
//!
//! Its sign is a lock on the file of replays, which every writer has open: it ends with the process, and it is none of
//! SQLite's, so readers of the database need not wait for it.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use super::check::occupied;
use crate::error::ArenaError;

/// Makes the holder of this file of replays the only one who writes the record, until the file is closed.
pub(super) fn claim(replays: &File, record: &Path) -> Result<(), ArenaError> {
    // Whoever asks whether it is claimed holds it for a moment.
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

/// Whether somebody writes the record of these replays.
pub(super) fn is_claimed(replays: &Path) -> bool {
    File::open(replays).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
