//! Competitions in the database file: plans, and records in pieces.

use std::ops::Range;
use std::time::Duration;

use meeple_replay::{compressed, read_text};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::competitions::plan::Piece;
use crate::jobs::job::JobResult;
use crate::store::{FileChange, Store, StoreError, damaged};

/// Upper bound on the unpacked text of a piece or result, in bytes.
pub const MAX_TEXT: usize = 64 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompetitionState {
    /// Running or in the queue.
    Playing = 0,
    /// Stopped or failed.
    Stopped = 1,
    Done = 2,
}

impl CompetitionState {
    pub fn of(state: i64) -> Self {
        match state {
            0 => Self::Playing,
            2 => Self::Done,
            _ => Self::Stopped,
        }
    }
}

#[derive(Clone, Debug)]
pub struct CompetitionRow {
    pub id: String,
    /// The plan, as JSON.
    pub plan: String,
    pub state: CompetitionState,
    /// `None` until the competition is done, and in lists.
    pub result: Option<JobResult>,
}

/// A change of a competition.
#[derive(Clone, Debug)]
pub enum CompetitionWrite {
    /// A start or a continuation.
    Begin {
        id: String,
        /// The plan, as JSON.
        plan: String,
        /// The time of the start, in seconds since 1970.
        created: i64,
    },
    /// A finished piece.
    Piece {
        id: String,
        /// The range of episode numbers.
        episodes: Range<u64>,
        /// The shard as JSON, compressed.
        shard: Vec<u8>,
        /// Processor time over all threads, in µs.
        micros: i64,
    },
    /// The end of a competition that is not done yet.
    End {
        id: String,
        /// The final state.
        state: CompetitionState,
        /// The result as JSON, compressed.
        result: Option<Vec<u8>>,
    },
}

impl CompetitionWrite {
    pub fn piece(piece: &Piece) -> Self {
        Self::Piece {
            id: piece.competition.clone(),
            episodes: piece.episodes.clone(),
            shard: compressed(&piece.shard),
            micros: piece.took.as_micros() as i64,
        }
    }

    pub fn end(id: &str, state: CompetitionState, result: Option<&JobResult>) -> Self {
        let text = |result| serde_json::to_string(result).expect("results are plain data");
        Self::End { id: id.to_owned(), state, result: result.map(|result| compressed(&text(result))) }
    }
}

impl FileChange for CompetitionWrite {
    fn apply(&self, change: &Transaction<'_>) -> rusqlite::Result<()> {
        match self {
            Self::Begin { id, plan, created } => change
                .prepare_cached(
                    "insert into competition(id, plan, state, created) values(?, ?, 0, ?) \
                 on conflict(id) do update set state = 0 where state != 2",
                )?
                .execute(params![id, plan, created])?,
            Self::Piece { id, episodes, shard, micros } => change
                .prepare_cached("insert into piece values(?, ?, ?, ?, ?)")?
                .execute(params![id, episodes.start as i64, episodes.end as i64, shard, micros])?,
            Self::End { id, state, result } => change
                // A finished competition stays finished, even if somebody pressed the stop button at that
                // moment.
                .prepare_cached("update competition set state = ?, result = ? where id = ? and state != 2")?
                .execute(params![*state as i64, result, id])?,
        };
        Ok(())
    }
}

fn piece(row: &rusqlite::Row<'_>) -> rusqlite::Result<Packed> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}

/// A stored piece: first episode, end (exclusive), compressed results, processor time in µs.
pub type Packed = (i64, i64, Vec<u8>, i64);

/// The pieces of a competition that overlap these episodes, in order.
pub fn packed(file: &Connection, id: &str, episodes: Range<u64>) -> rusqlite::Result<Vec<Packed>> {
    let query = "select first, last, shard, micros from piece \
                 where competition = ? and first < ? and last > ? order by first";
    let mut query = file.prepare_cached(query)?;
    let span = params![id, episodes.end as i64, episodes.start as i64];
    query.query_map(span, piece)?.collect()
}

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
    let read = |packed| -> Result<JobResult, StoreError> {
        let text = read_text(packed, MAX_TEXT).map_err(|error| damaged(id, &error))?;
        serde_json::from_str(&text).map_err(|error| damaged(id, &error))
    };
    let result = result.map(read).transpose()?;
    Ok(CompetitionRow { id: id.to_owned(), plan, state: CompetitionState::of(state), result })
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
        only: Option<CompetitionState>,
    ) -> Result<Vec<CompetitionRow>, StoreError> {
        let list = move |file: &Connection| {
            let query = match only {
                None => "select id, plan, state from competition order by created desc, id limit ?",
                Some(_) => {
                    "select id, plan, state from competition where state = ? order by created, id limit ?"
                }
            };
            let row = |row: &rusqlite::Row<'_>| {
                let state = CompetitionState::of(row.get(2)?);
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
