//! Whether the file can be written: what the last write came to, or one that is made to find out.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::{Store, StoreError};

/// How long an answer holds, so that those who ask often do not wear out the disk.
const HOLDS: Duration = Duration::from_secs(10);
/// What is written to find out, in bytes: more than a move of any game.
const PROBE_BYTES: u32 = 256 * 1024;

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

    fn set(&self, known: Result<(), String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), known));
    }

    /// What is known, if it is not too old.
    fn known(&self) -> Option<Result<(), String>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(at, _)| at.elapsed() < HOLDS).map(|(_, known)| known.clone())
    }
}

/// Writes something that is gone afterwards.
fn probe(file: &Connection) -> rusqlite::Result<()> {
    file.execute_batch(&format!(
        "drop table if exists probe; create table probe(bytes blob) strict; insert into probe values(zeroblob({PROBE_BYTES}));"
    ))?;
    file.execute_batch("drop table probe")
}

impl Store {
    /// Whether the file can be written, as far as is known for some seconds.
    ///
    /// # Errors
    /// If the disk refuses, as when it is full.
    pub async fn expect_writable(&self) -> Result<(), StoreError> {
        let known = match self.health.known() {
            Some(known) => known,
            None => {
                let written = self.read(probe).await?.map_err(|error| error.to_string());
                self.health.set(written.clone());
                written
            }
        };
        known.map_err(|reason| StoreError::Unwritable { reason })
    }
}
