use rusqlite::params;

use super::check::database_error;
use super::record::{RatingRow, RecordStore};
use super::schema::{DROPPED, has_dropped};
use super::shape::list;
use crate::error::ArenaError;
use crate::files::remove_results;
use crate::replays::Replays;
use crate::row::EpisodeRow;

impl RecordStore {
    /// Records the start of a run in this sandbox, and removes the results so far.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub fn begin_session(&self, sandbox: &str) -> Result<(), ArenaError> {
        if let Replays::File { .. } = self.replays {
            remove_results(&self.path)?;
        }
        let write = || -> rusqlite::Result<()> {
            let transaction = self.connection.unchecked_transaction()?;
            transaction.execute("DELETE FROM ratings", [])?;
            transaction.execute(
                "INSERT INTO sessions (first_episode, version, sandbox) VALUES (?1, ?2, ?3)",
                params![self.next as i64, env!("CARGO_PKG_VERSION"), sandbox],
            )?;
            transaction.commit()
        };
        write().map_err(|error| self.wrong(&error))
    }

    /// Stores episodes atomically: all or none.
    ///
    /// # Errors
    /// If the record cannot be written.
    ///
    /// # Panics
    /// If the episodes do not follow the stored ones.
    pub fn append(&mut self, rows: &[EpisodeRow]) -> Result<(), ArenaError> {
        // Replays first: bytes without an episode are truncated when the record is reopened.
        let mut packed = Vec::new();
        let mut spans = Vec::with_capacity(rows.len());
        let begin = self.replays.end();
        for row in rows {
            spans.push(match &row.replay {
                Some(replay) => {
                    let at = packed.len();
                    self.packer.pack(replay, &mut packed);
                    Some((begin + at as u64, (packed.len() - at) as u64))
                }
                None => None,
            });
        }
        self.replays.append(&packed)?;
        let next = self.next;
        let write = || -> rusqlite::Result<()> {
            let transaction = self.connection.unchecked_transaction()?;
            {
                let mut episode = transaction.prepare_cached(
                    "INSERT INTO episodes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                )?;
                for (offset, (row, span)) in rows.iter().zip(&spans).enumerate() {
                    assert_eq!(row.pairing.index, next + offset as u64, "episodes are stored in order");
                    episode.execute(params![
                        row.pairing.index as i64,
                        row.pairing.group as i64,
                        row.pairing.rotation,
                        list(&row.pairing.seats),
                        list(&row.scores),
                        list(&row.places),
                        row.winners,
                        list(&row.forfeits),
                        row.end as i64,
                        row.length as i64,
                        row.decisions as i64,
                        span.map(|(at, _)| at as i64),
                        span.map(|(_, bytes)| bytes as i64),
                    ])?;
                    write_details(&transaction, row)?;
                }
            }
            transaction.commit()
        };
        write().map_err(|error| database_error(&self.path, &error))?;
        self.next += rows.len() as u64;
        Ok(())
    }

    pub(crate) fn set_ratings(&self, ratings: &[RatingRow]) -> Result<(), ArenaError> {
        let write = || -> rusqlite::Result<()> {
            let transaction = self.connection.unchecked_transaction()?;
            transaction.execute("DELETE FROM ratings", [])?;
            for row in ratings {
                transaction.execute("INSERT INTO ratings VALUES (?1, ?2, ?3, ?4, ?5, ?6)", *row)?;
            }
            transaction.commit()
        };
        write().map_err(|error| self.wrong(&error))
    }
}

fn write_details(transaction: &rusqlite::Transaction<'_>, row: &EpisodeRow) -> rusqlite::Result<()> {
    let index = row.pairing.index as i64;
    for fault in &row.faults {
        let seat = fault.seat.index();
        let record = serde_json::to_string(fault).expect("a fault is plain data");
        transaction
            .prepare_cached(
                "INSERT INTO faults (episode, competitor, seat, code, detail, step, record)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                index,
                row.pairing.seats[seat],
                seat as i64,
                fault.fault.code.name(),
                fault.fault.detail,
                fault.step as i64,
                record
            ])?;
    }
    for time in &row.times {
        transaction
            .prepare_cached("INSERT INTO times VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?
            .execute(params![
                index,
                time.seat,
                time.competitor,
                time.asked as i64,
                time.fallbacks as i64,
                time.cpu_us.map(|value| value as i64),
                time.wall_us as i64,
                time.longest_us as i64,
                time.start.cpu_us.map(|value| value as i64),
                time.start.wall_us as i64
            ])?;
    }
    for time in row.times.iter().filter(|time| time.dropped_bytes > 0) {
        if !has_dropped(transaction)? {
            transaction.execute_batch(DROPPED)?;
        }
        transaction.prepare_cached("INSERT INTO dropped VALUES (?1, ?2, ?3)")?.execute(params![
            index,
            time.seat,
            time.dropped_bytes as i64
        ])?;
    }
    for (competitor, reason) in &row.bans {
        transaction
            .execute("INSERT OR IGNORE INTO bans VALUES (?1, ?2, ?3)", params![competitor, index, reason])?;
    }
    Ok(())
}
