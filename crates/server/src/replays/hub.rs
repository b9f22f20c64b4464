//! Replays of finished tables and uploads, and tables that continue a replay.

use std::sync::Arc;

use meeple_replay::unpacked_length;

use crate::key;
use crate::limits::budget::Budget;
use crate::replays::recorded::{Permitted, Recorded};
use crate::replays::store::UploadWrite;
use crate::tables::hosted::Hosted;
use crate::tables::hub::{Hub, restore_table};
use crate::tables::order::Order;
use crate::time::now;
use crate::trouble::Trouble;
use crate::trouble::UploadError;

/// Upper bound on the steps from which a table continues a replay. They are played in less than a second.
const MAX_FIRST_STEPS: usize = 50_000;
/// Memory of a table per step, in bytes, as measured on the largest board of all games. First steps are
/// charged by it, because their texts are much shorter.
const STEP_BYTES: usize = 400;

impl Hub {
    /// Runs long work on a blocking thread, once a place for it is free.
    pub async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Trouble> {
        let fault = |fault: &dyn std::fmt::Display| Trouble::Fault(fault.to_string());
        let reader = self.readers.thread().await?;
        let task = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(reader);
            done
        });
        task.await.map_err(|panic| fault(&panic))
    }

    /// Finds a replay: an upload, or a table that is over or closed.
    pub async fn recorded(&self, id: &str) -> Result<Recorded, Trouble> {
        if let Some(text) = self.store.replay(id).await? {
            let room = self.readers.room(unpacked_length(&text)).await?;
            return Ok(self.apart(move || Recorded::read(text, Some(room))).await??);
        }
        let hosted = self.tables.lock().await.get(id).cloned();
        let hosted = match hosted {
            Some(hosted) => hosted,
            None => {
                let stored = self.store.table(id).await?;
                let stored = stored.ok_or_else(|| Trouble::NoReplay(id.to_owned()))?;
                // The table is restored for reading only, and takes no place among the tables in memory.
                let time = self.time.clone();
                Arc::new(self.apart(move || restore_table(stored, time)).await??)
            }
        };
        match hosted.replay().await? {
            (replay, over) if over || self.expect_open(id).await.is_err() => {
                let room = self.readers.room(replay.steps.iter().map(String::len).sum()).await?;
                Ok(Recorded::Ours { entry: hosted.entry, replay: Permitted::new(replay, Some(room)) })
            }
            _ => Err(Trouble::Playing),
        }
    }

    /// Verifies and stores an upload, and returns its identifier. Equal uploads have equal identifiers.
    pub async fn upload(&self, bytes: Vec<u8>) -> Result<String, Trouble> {
        let verified = move || {
            let recorded = Recorded::read(bytes, None)?;
            recorded.verify()?;
            let text = recorded.text();
            Ok::<_, UploadError>((key::name_of(&text), meeple_replay::compressed(&text)))
        };
        let (id, text) = self.apart(verified).await??;
        let _adding = self.adding.lock().await;
        if self.store.replay(&id).await?.is_none() {
            self.expect_room(text.len()).await?;
            self.spend(Budget::UploadBytes, text.len() as f64)?;
            let write = UploadWrite { id: id.clone(), text, created: now() };
            self.note(vec![write]).await?;
        }
        Ok(id)
    }

    /// Opens a table that continues a replay, and returns the keys to people's seats, by seat.
    pub async fn play_on(
        self: &Arc<Self>,
        order: Order,
    ) -> Result<(Arc<Hosted>, Vec<(usize, String)>), Trouble> {
        let count = order.steps.len();
        if count > MAX_FIRST_STEPS {
            return Err(Trouble::Setup(format!(
                "at: expected at most {MAX_FIRST_STEPS} steps before the moment to play on from, found {count}\n\
                 hint: go back first"
            )));
        }
        let bytes = order.steps.iter().map(String::len).sum();
        // The steps are played without the lock, because that takes long.
        let promised = {
            let _adding = self.adding.lock().await;
            self.expect_room(bytes).await?;
            self.spend(Budget::UploadBytes, (count * STEP_BYTES) as f64)?;
            self.readers.promise(bytes)
        };
        let opened = self.open(order).await;
        drop(promised);
        opened
    }

    /// Checks that the storage has room for this number of bytes besides what was promised. Callers hold the
    /// lock `adding`.
    async fn expect_room(&self, bytes: usize) -> Result<(), Trouble> {
        // Promises are read first: when one ends, its bytes are stored already.
        let bytes = (self.readers.promised() + bytes) as u64;
        let (most, found) = (self.most_upload_bytes, self.store.upload_bytes().await? + bytes);
        if found > most { Err(UploadError::Full { most, found }.into()) } else { Ok(()) }
    }
}
