//! What the operator sees of the tables, and does to them.

use std::sync::Arc;

use serde_json::json;

use super::{Hosted, Hub, Trouble, now};
use crate::store::{Holdings, OperatorWrite, StoreError, Write};
use crate::thinking::Seen;

/// Tables at which nobody has done anything since they were opened are kept for so many days.
const UNTOUCHED_DAYS: u32 = 3;

/// A table in memory, for the operator's eyes.
pub struct Live {
    /// Its name in addresses.
    pub id: String,
    /// `game/preset`.
    pub game: String,
    /// Pages that show it.
    pub watchers: usize,
    /// Whether it is over.
    pub over: bool,
    /// Seconds of a processor that its agents have used lately.
    pub used: f64,
}

impl Hub {
    /// The tables in memory.
    pub async fn live(&self) -> Vec<Live> {
        let tables: Vec<Arc<Hosted>> = self.tables.lock().await.values().cloned().collect();
        let mut live = Vec::with_capacity(tables.len());
        for hosted in tables {
            // One that is broken is over.
            let over = hosted.replay().await.map_or(true, |(_, over)| over);
            let (id, game) = (hosted.row.id.clone(), hosted.row.game.clone());
            let used = self.thinking.used_by(&id);
            live.push(Live { id, game, watchers: hosted.watchers(), over, used });
        }
        // Whoever burns the processor stands first.
        live.sort_by(|left, right| right.used.total_cmp(&left.used));
        live
    }

    /// Decisions of agents that are computed or wait, those of tables that have ended included.
    pub fn thinking(&self) -> Vec<Seen> {
        self.thinking.seen()
    }

    /// Ends a table, for good: its players are told why, and what was played stays as a replay.
    ///
    /// # Errors
    /// If there is none, or it could not be stored.
    pub async fn close_table(self: &Arc<Self>, id: &str, reason: &str) -> Result<(), Trouble> {
        let hosted = self.find(id).await?;
        // Nothing is accepted any more from here on.
        {
            let mut live = hosted.live.lock().await;
            live.table()?;
            (live.table, live.fault, live.closed) = (None, reason.to_owned(), true);
        }
        self.thinking.end(id);
        hosted.changed.send_modify(|count| *count += 1);
        let close = OperatorWrite::Close { table: id.to_owned(), reason: reason.to_owned(), at: now() };
        let written = self.store.write(vec![Write::Operator(close)]).await;
        // It is made again from what is stored: as it was, if it could not be noted.
        self.tables.lock().await.remove(id);
        self.table_event("table_closed", id, &[("reason", json!(reason))]);
        written.map_err(Trouble::Unstored)
    }

    /// Whether a table was ended by the operator.
    ///
    /// # Errors
    /// If it was, with the reason, or it cannot be read.
    pub(super) async fn expect_open(&self, id: &str) -> Result<(), Trouble> {
        self.store.closed(id).await?.map_or(Ok(()), |reason| Err(Trouble::Closed(reason)))
    }

    /// The addresses that are turned away.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn bans(&self) -> Result<Vec<String>, StoreError> {
        self.store.bans().await
    }

    /// Notes what the operator did.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn note(&self, write: OperatorWrite) -> Result<(), Trouble> {
        self.store.write(vec![Write::Operator(write)]).await.map_err(Trouble::Unstored)
    }

    /// What the file holds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn holdings(&self) -> Result<Holdings, Trouble> {
        Ok(self.store.holdings().await?)
    }

    /// Forgets tables that have been over for so many days, if there is such a number, and those that were opened days ago and
    /// never touched, but for those in memory.
    ///
    /// # Errors
    /// If that could not be stored.
    pub async fn forget_tables(&self, days: Option<u32>) -> Result<(), Trouble> {
        // Held meanwhile: nobody makes one again that is being forgotten.
        let tables = self.tables.lock().await;
        let but = tables.keys().cloned().collect();
        let ago = |days: u32| now() - i64::from(days) * 24 * 3600;
        let (before, untouched_before) = (days.map(ago), ago(UNTOUCHED_DAYS));
        self.store
            .write(vec![Write::Operator(OperatorWrite::Forget { before, untouched_before, but })])
            .await
            .map_err(Trouble::Unstored)
    }
}
