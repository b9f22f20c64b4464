//! The operator's view of tables, and control over them.

use std::sync::Arc;

use serde_json::json;

use crate::operator::store::OperatorWrite;
use crate::tables::hosted::Hosted;
use crate::tables::hub::Hub;
use crate::tables::thinking::Seen;
use crate::time::now;
use crate::trouble::Trouble;

/// Days for which a table without any person's action is kept.
const UNTOUCHED_DAYS: u32 = 3;

pub struct LiveTable {
    pub id: String,
    /// `game/preset`.
    pub game: String,
    /// The number of subscribers.
    pub watchers: usize,
    pub over: bool,
    /// Seconds of computing that its agents used recently.
    pub used: f64,
}

impl Hub {
    /// The tables in memory. Tables whose agents used most time recently come first.
    pub async fn live(&self) -> Vec<LiveTable> {
        let tables: Vec<Arc<Hosted>> = self.tables.lock().await.values().cloned().collect();
        let mut live = Vec::with_capacity(tables.len());
        for hosted in tables {
            let over = hosted.replay().await.map_or(true, |(_, over)| over);
            let (id, game) = (hosted.row.id.clone(), hosted.row.game.clone());
            let used = self.thinking.used_by(&id) + self.quick_thinking.used_by(&id);
            live.push(LiveTable { id, game, watchers: hosted.watchers(), over, used });
        }
        live.sort_by(|left, right| right.used.total_cmp(&left.used));
        live
    }

    /// Agents' decisions in progress or in the queue, including those of closed tables.
    pub fn thinking(&self) -> Vec<Seen> {
        [&self.thinking, &self.quick_thinking].into_iter().flat_map(|scheduler| scheduler.seen()).collect()
    }

    /// Closes a table permanently. Players see the reason, and the game so far stays available as a replay.
    pub async fn close_table(self: &Arc<Self>, id: &str, reason: &str) -> Result<(), Trouble> {
        let hosted = self.find(id).await?;
        // From here on the table accepts nothing.
        {
            let mut live = hosted.live.lock().await;
            live.table()?;
            (live.table, live.fault, live.closed) = (None, reason.to_owned(), true);
        }
        self.end_thinking(id);
        hosted.changed.send_modify(|count| *count += 1);
        let close = OperatorWrite::Close { table: id.to_owned(), reason: reason.to_owned(), at: now() };
        let written = self.store.write(vec![close]).await;
        // The next visitor restores the table from the file: closed, or as before if the write failed.
        self.tables.lock().await.remove(id);
        self.table_event("table_closed", id, &[("reason", json!(reason))]);
        written.map_err(Trouble::Unstored)
    }

    /// Deletes tables that ended more than `days` days ago, if given. Also deletes tables without any
    /// person's action that were opened more than [`UNTOUCHED_DAYS`] ago. Tables in memory stay.
    pub async fn forget_tables(&self, days: Option<u32>) -> Result<(), Trouble> {
        // The lock prevents further restorations while tables are deleted.
        let tables = self.tables.lock().await;
        let but = tables.keys().cloned().chain(self.restorations.ids()).collect();
        let ago = |days: u32| now() - i64::from(days) * 24 * 3600;
        let (before, untouched_before) = (days.map(ago), ago(UNTOUCHED_DAYS));
        self.note(vec![OperatorWrite::Forget { before, untouched_before, but }]).await
    }
}
