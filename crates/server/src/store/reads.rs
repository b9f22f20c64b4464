//! Queries on competitions, and for the operator.

use std::ops::Range;
use std::time::Duration;

use meeple_replay::read_text;
use rusqlite::{Connection, OptionalExtension};

use super::competitions::{Competing, CompetitionRow, MAX_TEXT, Packed, packed};
use super::operation::Holdings;
use super::{Store, StoreError, damaged};
use crate::competition::Piece;
use crate::work::Result as Shown;

/// Size of the probe's write in bytes: more than a move of any game.
const PROBE_BYTES: u32 = 256 * 1024;

fn unpacked(id: &str, (first, last, shard, micros): Packed) -> Result<Piece, StoreError> {
    let shard = read_text(shard, MAX_TEXT).map_err(|error| damaged(id, &error))?;
    let took = Duration::from_micros(micros.unsigned_abs());
    let episodes = first.unsigned_abs()..last.unsigned_abs();
    Ok(Piece { competition: id.to_owned(), episodes, shard, took })
}

/// A competition with all its pieces, in order.
pub struct StoredCompetition {
    pub row: CompetitionRow,
    /// The pieces so far.
    pub pieces: Vec<Piece>,
}

pub fn stored_competition(file: &Connection, id: &str) -> Result<StoredCompetition, StoreError> {
    let wrong = |error: rusqlite::Error| damaged(id, &error);
    let row = row_of(file, id).map_err(wrong)?.ok_or_else(|| damaged(id, &"it is not there"))?;
    let pieces = packed(file, id, 0..u64::MAX >> 1).map_err(wrong)?;
    let pieces = pieces.into_iter().map(|piece| unpacked(id, piece)).collect::<Result<_, _>>()?;
    Ok(StoredCompetition { row: shown(id, row)?, pieces })
}

/// A stored competition: plan, state, and compressed result.
type PackedRow = (String, i64, Option<Vec<u8>>);

fn row_of(file: &Connection, id: &str) -> rusqlite::Result<Option<PackedRow>> {
    file.prepare_cached("select plan, state, result from competition where id = ?")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()
}

fn shown(id: &str, (plan, state, result): PackedRow) -> Result<CompetitionRow, StoreError> {
    let read = |packed| -> Result<Shown, StoreError> {
        let text = read_text(packed, MAX_TEXT).map_err(|error| damaged(id, &error))?;
        serde_json::from_str(&text).map_err(|error| damaged(id, &error))
    };
    let result = result.map(read).transpose()?;
    Ok(CompetitionRow { id: id.to_owned(), plan, state: Competing::of(state), result })
}

impl Store {
    pub async fn competition(&self, id: &str) -> Result<Option<CompetitionRow>, StoreError> {
        let name = id.to_owned();
        let found = self.read(move |file| row_of(file, &name)).await?;
        found.map_err(|error| damaged(id, &error))?.map(|row| shown(id, row)).transpose()
    }

    /// The last competitions, newest first, without results; or only those in this state, oldest first.
    pub async fn competitions(
        &self,
        most: usize,
        only: Option<Competing>,
    ) -> Result<Vec<CompetitionRow>, StoreError> {
        let list = move |file: &Connection| {
            let query = match only {
                None => "select id, plan, state from competition order by created desc, id limit ?",
                Some(_) => {
                    "select id, plan, state from competition where state = ? order by created, id limit ?"
                }
            };
            let row = |row: &rusqlite::Row<'_>| {
                let state = Competing::of(row.get(2)?);
                Ok(CompetitionRow { id: row.get(0)?, plan: row.get(1)?, state, result: None })
            };
            let mut query = file.prepare_cached(query)?;
            match only {
                None => query.query_map([most as i64], row)?.collect::<Result<Vec<_>, _>>(),
                Some(state) => query.query_map([state as i64, most as i64], row)?.collect(),
            }
        };
        self.read(list).await?.map_err(|error| damaged("competitions", &error))
    }

    /// The total size of all competitions' records, in bytes.
    pub async fn competition_bytes(&self) -> Result<u64, StoreError> {
        let count = |file: &Connection| {
            let pieces = "select coalesce(sum(length(shard)), 0) from piece";
            let results = "select coalesce(sum(length(result) + length(plan)), 0) from competition";
            file.prepare_cached(&format!("select ({pieces}) + ({results})"))?
                .query_row([], |row| row.get::<_, i64>(0))
        };
        let bytes = self.read(count).await?.map_err(|error| damaged("competitions", &error))?;
        Ok(bytes.unsigned_abs())
    }

    /// The pieces of a competition that overlap these episodes, in order.
    pub async fn pieces(&self, id: &str, episodes: Range<u64>) -> Result<Vec<Piece>, StoreError> {
        let name = id.to_owned();
        let found = self.read(move |file| packed(file, &name, episodes)).await?;
        let found = found.map_err(|error| damaged(id, &error))?;
        found.into_iter().map(|row| unpacked(id, row)).collect()
    }

    /// All pieces of a competition in order, for a thread that blocks.
    pub fn all_pieces(&self, id: &str) -> Result<Vec<Piece>, StoreError> {
        let name = id.to_owned();
        let found = self.read_and_wait(move |file| packed(file, &name, 0..u64::MAX >> 1))?;
        let found = found.map_err(|error| damaged(id, &error))?;
        found.into_iter().map(|row| unpacked(id, row)).collect()
    }
}

impl Store {
    /// The operator's reason for closing a table, if it is closed.
    pub async fn closed(&self, table: &str) -> Result<Option<String>, StoreError> {
        let name = table.to_owned();
        let read = move |file: &Connection| {
            file.prepare_cached("select closed from game where id = ?")?
                .query_row([name], |row| row.get::<_, Option<String>>(0))
                .optional()
        };
        Ok(self.read(read).await?.map_err(|error| damaged(table, &error))?.flatten())
    }

    pub async fn bans(&self) -> Result<Vec<String>, StoreError> {
        let read = |file: &Connection| {
            let mut query = file.prepare_cached("select address from ban order by address")?;
            query.query_map([], |row| row.get(0))?.collect::<Result<Vec<_>, _>>()
        };
        self.read(read).await?.map_err(|error| damaged("bans", &error))
    }

    pub async fn holdings(&self) -> Result<Holdings, StoreError> {
        let read = |file: &Connection| -> rusqlite::Result<Holdings> {
            let number = |query: &str| {
                file.prepare_cached(query)?.query_row([], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
            };
            let rows = [
                ("tables being played", "select count(*) from game where ended is null"),
                ("tables that are over", "select count(*) from game where ended is not null"),
                ("steps", "select count(*) from entry"),
                ("uploads", "select count(*) from replay"),
                ("runs of the laboratory", "select count(*) from job"),
                ("competitions", "select count(*) from competition"),
            ];
            let rows = rows.map(|(name, query)| number(query).map(|count| (name, count)));
            Ok(Holdings {
                bytes: number("pragma page_count")? * number("pragma page_size")?,
                rows: rows.into_iter().collect::<Result<_, _>>()?,
            })
        };
        self.read(read).await?.map_err(|error| damaged("file", &error))
    }
}

/// Writes and deletes some data.
fn probe(file: &Connection) -> rusqlite::Result<()> {
    file.execute_batch(&format!(
        "drop table if exists probe; create table probe(bytes blob) strict; insert into probe values(zeroblob({PROBE_BYTES}));"
    ))?;
    file.execute_batch("drop table probe")
}

impl Store {
    /// Checks that the file can be written. An outcome is cached for some seconds.
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
