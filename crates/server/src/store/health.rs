//! The health of the database file: the last disk error, or the outcome of the last probe.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::ErrorCode;

/// Time for which an outcome is valid, so that frequent checks do not wear out the disk.
const OUTCOME_TTL: Duration = Duration::from_secs(10);

/// The last known outcome. Clones share it.
#[derive(Clone, Default)]
pub struct Health(Arc<Mutex<Option<Known>>>);

/// The time of the last disk error or probe, and its outcome.
type Known = (Instant, Result<(), String>);

impl Health {
    /// Records a failed write if the next one would probably fail, too: after an error of the disk.
    pub fn note(&self, written: &rusqlite::Result<()>) {
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

    /// Records that the file can or cannot be written now.
    pub fn set(&self, known: Result<(), String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), known));
    }

    /// The last outcome, unless it has expired.
    pub fn known(&self) -> Option<Result<(), String>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(at, _)| at.elapsed() < OUTCOME_TTL).map(|(_, known)| known.clone())
    }
}
