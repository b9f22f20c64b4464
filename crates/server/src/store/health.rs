//! Whether the file can be written: what the last write came to, or one that is made to find out.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::ErrorCode;

/// How long an answer holds, so that those who ask often do not wear out the disk.
const HOLDS: Duration = Duration::from_secs(10);

/// What is known of the file. Clones are of the same one.
#[derive(Clone, Default)]
pub(super) struct Health(Arc<Mutex<Option<Known>>>);

/// When the file was last written, or refused, and what that came to.
type Known = (Instant, Result<(), String>);

impl Health {
    /// Notes what a write came to: only what the disk refuses says something of the next one.
    pub(super) fn note(&self, written: &rusqlite::Result<()>) {
        let known = match written {
            Ok(()) => return,
            Err(error) => match error.sqlite_error_code() {
                Some(
                    ErrorCode::DiskFull
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen,
                ) => Err(error.to_string()),
                _ => return,
            },
        };
        self.set(known);
    }

    /// Notes whether the file can be written now.
    pub(super) fn set(&self, known: Result<(), String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), known));
    }

    /// What is known, if it is not too old.
    pub(super) fn known(&self) -> Option<Result<(), String>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(at, _)| at.elapsed() < HOLDS).map(|(_, known)| known.clone())
    }
}
