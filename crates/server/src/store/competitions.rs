//! Competitions in the file: their plans, and their records in pieces.

use std::ops::Range;
use std::time::Duration;

use meeple_replay::{compressed, read_text};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{Store, StoreError, damaged};
use crate::competition::Piece;
use crate::work::Result as Shown;

/// What a file of an earlier form lacks.
pub const TABLES: &str = "
create table competition(
    id text primary key, plan text not null, state int not null, result blob, created int not null
) without rowid, strict;
create table piece(
    competition text not null, first int not null, last int not null, shard blob not null, micros int not null,
    primary key(competition, first)
) without rowid, strict;
create index competition_by_time on competition(created);
";

/// The longest text of a piece or a result, in bytes.
const MOST_TEXT: usize = 64 << 20;

/// Whether a competition is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Competing {
    /// It is, or will be as soon as there is time.
    Playing = 0,
    /// It was stopped, or could not go on.
    Stopped = 1,
    /// All episodes are played.
    Done = 2,
}

impl Competing {
    fn of(state: i64) -> Self {
        match state {
            0 => Self::Playing,
            2 => Self::Done,
            _ => Self::Stopped,
        }
    }
}

/// A competition as it is stored.
#[derive(Clone, Debug)]
pub struct CompetitionRow {
    /// Its name in addresses.
    pub id: String,
    /// Its plan, as JSON.
    pub plan: String,
    /// Whether it is played.
    pub state: Competing,
    /// What came out, if it is done.
    pub result: Option<Shown>,
}

/// Something to be written of a competition.
#[derive(Clone, Debug)]
pub enum CompetitionWrite {
    /// It begins, or goes on.
    Begin {
        /// Its name.
        id: String,
        /// Its plan, as JSON.
        plan: String,
        /// When, in seconds since 1970.
        created: i64,
    },
    /// Some of its episodes are played.
    Piece {
        /// Its name.
        id: String,
        /// Which.
        episodes: Range<u64>,
        /// How they came out, compressed.
        shard: Vec<u8>,
        /// What that took, in microseconds.
        micros: i64,
    },
    /// It has ended.
    End {
        /// Its name.
        id: String,
        /// How.
        state: Competing,
        /// What came out, compressed.
        result: Option<Vec<u8>>,
    },
}

impl CompetitionWrite {
    /// A piece.
    pub fn piece(piece: &Piece) -> Self {
        Self::Piece {
            id: piece.competition.clone(),
            episodes: piece.episodes.clone(),
            shard: compressed(&piece.shard),
            micros: piece.took.as_micros() as i64,
        }
    }

    /// An end.
    pub fn end(id: &str, state: Competing, result: Option<&Shown>) -> Self {
        let text = |result| serde_json::to_string(result).expect("results are plain data");
        Self::End { id: id.to_owned(), state, result: result.map(|result| compressed(&text(result))) }
    }
}

pub(super) fn apply(change: &Transaction<'_>, write: &CompetitionWrite) -> rusqlite::Result<()> {
    match write {
        CompetitionWrite::Begin { id, plan, created } => change
            .prepare_cached(
                "insert into competition(id, plan, state, created) values(?, ?, 0, ?) \
                 on conflict(id) do update set state = 0 where state != 2",
            )?
            .execute(params![id, plan, created])?,
        CompetitionWrite::Piece { id, episodes, shard, micros } => change
            .prepare_cached("insert into piece values(?, ?, ?, ?, ?)")?
            .execute(params![id, episodes.start as i64, episodes.end as i64, shard, micros])?,
        CompetitionWrite::End { id, state, result } => change
            // What is done stays so: somebody may have pressed the button just then.
            .prepare_cached("update competition set state = ?, result = ? where id = ? and state != 2")?
            .execute(params![*state as i64, result, id])?,
    };
    Ok(())
}

fn piece(row: &rusqlite::Row<'_>) -> rusqlite::Result<(i64, i64, Vec<u8>, i64)> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}

fn unpacked(id: &str, (first, last, shard, micros): (i64, i64, Vec<u8>, i64)) -> Result<Piece, StoreError> {
    let shard = read_text(shard, MOST_TEXT).map_err(|error| damaged(id, &error))?;
    let took = Duration::from_micros(micros.unsigned_abs());
    let episodes = first.unsigned_abs()..last.unsigned_abs();
    Ok(Piece { competition: id.to_owned(), episodes, shard, took })
}

impl Store {
    /// The competition of this name.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn competition(&self, id: &str) -> Result<Option<CompetitionRow>, StoreError> {
        let name = id.to_owned();
        let read = move |file: &Connection| {
            file.prepare_cached("select plan, state, result from competition where id = ?")?
                .query_row([name], |row| {
                    Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, Option<Vec<u8>>>(2)?))
                })
                .optional()
        };
        let found = self.read(read).await?.map_err(|error| damaged(id, &error))?;
        let Some((plan, state, result)) = found else { return Ok(None) };
        let read = |packed| -> Result<Shown, StoreError> {
            let text = read_text(packed, MOST_TEXT).map_err(|error| damaged(id, &error))?;
            serde_json::from_str(&text).map_err(|error| damaged(id, &error))
        };
        let result = result.map(read).transpose()?;
        Ok(Some(CompetitionRow { id: id.to_owned(), plan, state: Competing::of(state), result }))
    }

    /// The last competitions, newest first, without what came out; those that are played alone, oldest first.
    ///
    /// # Errors
    /// If they cannot be read.
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

    /// How many bytes all records of competitions take.
    ///
    /// # Errors
    /// If they cannot be counted.
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

    /// The pieces of a competition that hold any of these episodes, in order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn pieces(&self, id: &str, episodes: Range<u64>) -> Result<Vec<Piece>, StoreError> {
        let name = id.to_owned();
        let found = self.read(move |file| packed(file, &name, episodes)).await?;
        let found = found.map_err(|error| damaged(id, &error))?;
        found.into_iter().map(|row| unpacked(id, row)).collect()
    }

    /// All pieces of a competition in order, for a thread that waits.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn all_pieces(&self, id: &str) -> Result<Vec<Piece>, StoreError> {
        let name = id.to_owned();
        let found = self.read_and_wait(move |file| packed(file, &name, 0..u64::MAX >> 1))?;
        let found = found.map_err(|error| damaged(id, &error))?;
        found.into_iter().map(|row| unpacked(id, row)).collect()
    }
}

type Packed = (i64, i64, Vec<u8>, i64);

fn packed(file: &Connection, id: &str, episodes: Range<u64>) -> rusqlite::Result<Vec<Packed>> {
    let query = "select first, last, shard, micros from piece \
                 where competition = ? and first < ? and last > ? order by first";
    let mut query = file.prepare_cached(query)?;
    let span = params![id, episodes.end as i64, episodes.start as i64];
    query.query_map(span, piece)?.collect()
}
