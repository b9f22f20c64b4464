//! Competitions in the file: plans, and records in pieces.

use std::ops::Range;

use meeple_replay::compressed;
use rusqlite::{Connection, Transaction, params};

use crate::competition::Piece;
use crate::work::Result as Shown;

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

/// Upper bound on the unpacked text of a piece or result, in bytes.
pub(super) const MAX_TEXT: usize = 64 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Competing {
    /// It is running or in the queue.
    Playing = 0,
    /// It was stopped, or has failed.
    Stopped = 1,
    Done = 2,
}

impl Competing {
    pub(super) fn of(state: i64) -> Self {
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
    /// As JSON.
    pub plan: String,
    pub state: Competing,
    /// `None` until it is done.
    pub result: Option<Shown>,
}

/// A change of a competition.
#[derive(Clone, Debug)]
pub enum CompetitionWrite {
    /// A start or a continuation.
    Begin {
        id: String,
        /// As JSON.
        plan: String,
        /// In seconds since 1970.
        created: i64,
    },
    /// A finished piece.
    Piece {
        id: String,
        /// The range of episode numbers.
        episodes: Range<u64>,
        /// Compressed.
        shard: Vec<u8>,
        /// Processor time.
        micros: i64,
    },
    /// The end.
    End {
        id: String,
        /// The final state.
        state: Competing,
        /// Compressed.
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
            // A finished competition stays finished, even if somebody pressed the stop button at that moment.
            .prepare_cached("update competition set state = ?, result = ? where id = ? and state != 2")?
            .execute(params![*state as i64, result, id])?,
    };
    Ok(())
}

fn piece(row: &rusqlite::Row<'_>) -> rusqlite::Result<Packed> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}

/// A stored piece: first episode, end (exclusive), compressed results, processor time in µs.
pub(super) type Packed = (i64, i64, Vec<u8>, i64);

/// The pieces of a competition that overlap these episodes, in order.
pub(super) fn packed(file: &Connection, id: &str, episodes: Range<u64>) -> rusqlite::Result<Vec<Packed>> {
    let query = "select first, last, shard, micros from piece \
                 where competition = ? and first < ? and last > ? order by first";
    let mut query = file.prepare_cached(query)?;
    let span = params![id, episodes.end as i64, episodes.start as i64];
    query.query_map(span, piece)?.collect()
}
