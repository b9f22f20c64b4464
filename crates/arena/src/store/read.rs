use std::ops::Range;

use meeple_bothost::{FaultRecord, Usage};
use meeple_core::Replay;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::check::damaged;
use super::record::{CompetitorRow, FaultRow, RatingRow, RecordStore};
use super::schema::has_dropped;
use super::shape::{Shape, impossible, number, perhaps, unlist};
use crate::error::ArenaError;
use crate::plan::TournamentPlan;
use crate::plan_check::check_plan;
use crate::row::{PlayedEpisode, SeatTiming};
use crate::schedule::Pairing;

impl RecordStore {
    fn shape(&self) -> Result<Shape, ArenaError> {
        if let Some(shape) = self.shape.get() {
            return Ok(*shape);
        }
        let plan = self.plan()?;
        Ok(*self.shape.get_or_init(|| Shape::of(&plan)))
    }

    /// The plan, checked like a new one.
    ///
    /// # Errors
    /// If the record or its plan cannot be read, or a number of the plan is out of range.
    pub fn plan(&self) -> Result<TournamentPlan, ArenaError> {
        let (text, hash) = (self.meta("plan")?, self.meta("plan_hash")?);
        let damaged = |reason: String| {
            let hint = "the plan was changed by hand or written by another release; nothing was changed";
            ArenaError::database(&self.path, reason, hint)
        };
        let plan: TournamentPlan =
            serde_json::from_str(&text).map_err(|error| damaged(format!("expected a plan: {error}")))?;
        if plan.to_text() != text {
            return Err(damaged("expected the text of a plan, found other spaces or keys".into()));
        }
        if plan.hash() != hash {
            return Err(damaged(format!("expected a plan with fingerprint {hash}, found {}", plan.hash())));
        }
        let format = self.format()?;
        if plan.format != format {
            return Err(damaged(format!("expected a plan of format {format}, found {}", plan.format)));
        }
        check_plan(&plan).map_err(|error| {
            // The hint is for those who ask for a new plan.
            damaged(format!("the plan: {}", error.to_string().lines().next().unwrap_or_default()))
        })?;
        Ok(plan)
    }

    /// The format of the plan, as the database states it.
    fn format(&self) -> Result<u32, ArenaError> {
        let found = self.connection.query_row("PRAGMA user_version", [], |row| row.get(0));
        found.map_err(|error| self.wrong(&error))
    }

    /// The sandbox levels of all runs, in order, without duplicates.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn sandboxes(&self) -> Result<Vec<String>, ArenaError> {
        let mut levels: Vec<String> =
            self.all("SELECT sandbox FROM sessions ORDER BY id", [], |row| row.get(0))?;
        let mut seen = Vec::new();
        levels.retain(|level| !seen.contains(level) && (seen.push(level.clone()), true).1);
        Ok(levels)
    }

    /// The command that created the tournament.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn command(&self) -> Result<String, ArenaError> {
        self.meta("command")
    }

    fn meta(&self, key: &str) -> Result<String, ArenaError> {
        self.connection
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
            .map_err(|error| self.wrong(&error))
    }

    fn all<T>(
        &self,
        query: &str,
        params: impl rusqlite::Params,
        each: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, ArenaError> {
        let rows = self
            .connection
            .prepare_cached(query)
            .and_then(|mut query| query.query_map(params, each)?.collect());
        rows.map_err(|error| self.wrong(&error))
    }

    /// Visits the rows of a query one by one: a long tournament does not fit into memory.
    fn each_row(
        &self,
        query: &str,
        params: impl rusqlite::Params,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), ArenaError> {
        let read = || -> rusqlite::Result<()> {
            let mut query = self.connection.prepare_cached(query)?;
            let mut rows = query.query(params)?;
            while let Some(row) = rows.next()? {
                each(row)?;
            }
            Ok(())
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// Calls `each` with the result of every stored episode, in order.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each(&self, each: &mut dyn FnMut(PlayedEpisode)) -> Result<(), ArenaError> {
        self.each_of(0..self.next, each)
    }

    /// Calls `each` with the results of the episodes in this range.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each_of(&self, range: Range<u64>, each: &mut dyn FnMut(PlayedEpisode)) -> Result<(), ArenaError> {
        let shape = self.shape()?;
        let episodes = "SELECT idx, deal, rotation, seating, scores, places, winners, forfeits, end, length,
            decisions FROM episodes WHERE idx >= ?1 AND idx < ?2 ORDER BY idx";
        self.each_row(episodes, params![range.start as i64, range.end as i64], |row| {
            let episode = PlayedEpisode {
                pairing: Pairing {
                    index: number(row, 0)?,
                    group: number(row, 1)?,
                    rotation: row.get(2)?,
                    seats: unlist(row, 3)?,
                },
                scores: unlist(row, 4)?,
                places: unlist(row, 5)?,
                winners: row.get(6)?,
                forfeits: unlist(row, 7)?,
                end: number(row, 8)? as usize,
                length: number(row, 9)?,
                decisions: number(row, 10)?,
            };
            shape.check(&episode).map_err(|reason| impossible(row, 0, &reason))?;
            each(episode);
            Ok(())
        })
    }

    /// Calls `each` with every deal group, in order: its stored episodes in the order of their rotations. A
    /// group may lack its last rotations if its block is incomplete.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each_group(&self, each: &mut dyn FnMut(&[PlayedEpisode])) -> Result<(), ArenaError> {
        self.shape()?;
        let schedule = self.plan()?.schedule;
        let mut hand_out = |block: &mut Vec<PlayedEpisode>| {
            block.sort_by_key(|row| (row.pairing.group, row.pairing.index));
            block.chunk_by(|a, b| a.pairing.group == b.pairing.group).for_each(&mut *each);
            block.clear();
        };
        let (mut block, mut end) = (Vec::new(), 0);
        self.each(&mut |row| {
            if row.pairing.index >= end {
                hand_out(&mut block);
                end = schedule.block_of(row.pairing.index).end;
            }
            block.push(row);
        })?;
        hand_out(&mut block);
        Ok(())
    }

    /// The replay of an episode, if kept, with its faults. Replays before format 4 lack the faults, which
    /// then come from the record.
    ///
    /// # Errors
    /// If the record or the replay cannot be read.
    pub fn replay(&mut self, index: u64) -> Result<Option<Replay>, ArenaError> {
        let span = self
            .connection
            .query_row(
                "SELECT replay_at, replay_bytes FROM episodes WHERE idx = ?1 AND replay_at IS NOT NULL",
                params![index as i64],
                |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
            )
            .optional()
            .map_err(|error| self.wrong(&error))?;
        let Some((at, bytes)) = span else { return Ok(None) };
        let mut replay = self.replays.read(index, at as u64, bytes as u64)?;
        if replay.faults.is_empty() && self.format()? < 4 {
            for row in self.faults_of(index..index + 1)? {
                let record: FaultRecord = serde_json::from_str(&row.record)
                    .map_err(|error| damaged(&self.path, &format!("a fault of episode {index}: {error}")))?;
                replay.faults.push(record.in_replay());
            }
        }
        Ok(Some(replay))
    }

    /// All bans: competitor, episode, reason.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn bans(&self) -> Result<Vec<(u16, u64, String)>, ArenaError> {
        let shape = self.shape()?;
        let bans = "SELECT competitor, episode, reason FROM bans ORDER BY episode, competitor";
        self.all(bans, [], |row| Ok((shape.competitor(row, 0)?, number(row, 1)?, row.get(2)?)))
    }

    /// Calls `each` with every fault: episode, competitor, code, and the whole record as JSON.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each_fault(&self, each: &mut dyn FnMut(u64, u16, &str, &str)) -> Result<(), ArenaError> {
        let shape = self.shape()?;
        self.each_row("SELECT episode, competitor, code, record FROM faults ORDER BY id", [], |row| {
            let (code, record): (String, String) = (row.get(2)?, row.get(3)?);
            each(number(row, 0)?, shape.competitor(row, 1)?, &code, &record);
            Ok(())
        })
    }

    pub(crate) fn faults_of(&self, range: Range<u64>) -> Result<Vec<FaultRow>, ArenaError> {
        let shape = self.shape()?;
        let faults = "SELECT episode, competitor, seat, code, detail, step, record FROM faults
            WHERE episode >= ?1 AND episode < ?2 ORDER BY id";
        self.all(faults, params![range.start as i64, range.end as i64], |row| {
            Ok(FaultRow {
                episode: number(row, 0)?,
                competitor: shape.competitor(row, 1)?,
                seat: number(row, 2)? as usize,
                code: row.get(3)?,
                detail: row.get(4)?,
                step: number(row, 5)? as usize,
                record: row.get(6)?,
            })
        })
    }

    /// The stored ratings; empty before results are written.
    pub(crate) fn ratings(&self) -> Result<Vec<RatingRow>, ArenaError> {
        let ratings = "SELECT competitor, points, low, high, rank, band FROM ratings ORDER BY competitor";
        self.all(ratings, [], |row| row.try_into())
    }

    /// Rows of the table of competitors.
    pub(crate) fn competitors(&self) -> Result<Vec<CompetitorRow>, ArenaError> {
        self.all("SELECT id, name, run, kind, files FROM competitors ORDER BY id", [], |row| row.try_into())
    }

    pub(crate) fn meta_keys(&self) -> Result<Vec<String>, ArenaError> {
        self.all("SELECT key FROM meta ORDER BY key", [], |row| row.get(0))
    }

    /// Bytes of the two files outside stored data: behind the database's pages, and between and behind the
    /// replays. A killed run may leave some behind the last replay.
    pub(crate) fn stray_bytes(&self) -> Result<[u64; 2], ArenaError> {
        let pragma = |name: &str| {
            let number = self.connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
            number.map(|number| number as u64).map_err(|error| self.wrong(&error))
        };
        let length =
            std::fs::metadata(&self.path).map_err(|error| ArenaError::file(&self.path, error))?.len();
        let behind_pages = length.saturating_sub(pragma("page_count")?.saturating_mul(pragma("page_size")?));
        let (mut end, mut between) = (0, 0);
        let spans =
            "SELECT idx, replay_at, replay_bytes FROM episodes WHERE replay_at IS NOT NULL ORDER BY idx";
        self.each_row(spans, [], |row| {
            let (at, bytes) = (number(row, 1)?, number(row, 2)?);
            between = at.abs_diff(end).saturating_add(between);
            end = at + bytes;
            Ok(())
        })?;
        Ok([behind_pages, self.replays.end().saturating_sub(end).saturating_add(between)])
    }

    /// True if another program has stored episodes, sessions or ratings since this record was opened for
    /// reading. The check ends the snapshot, so it must be the last call.
    pub(crate) fn has_moved_on(&self) -> Result<bool, ArenaError> {
        // SQLite's own count of changes also moves in read-only directories, where nothing is stored.
        let stored = |connection: &Connection| -> rusqlite::Result<[i64; 3]> {
            let counted = "SELECT coalesce(max(idx), -1), (SELECT count(*) FROM sessions), (SELECT count(*) FROM ratings)
                FROM episodes";
            connection.query_row(counted, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))
        };
        let states = || -> rusqlite::Result<[[i64; 3]; 2]> {
            let then = stored(&self.connection)?;
            self.connection.execute_batch("COMMIT")?;
            Ok([
                then,
                if self.is_copy() {
                    stored(&Connection::open(&self.path)?)?
                } else {
                    stored(&self.connection)?
                },
            ])
        };
        states().map(|[then, now]| then != now).map_err(|error| self.wrong(&error))
    }

    /// Number of rows of dropped bytes that belong to no bot in a stored episode, or are below one byte.
    pub(crate) fn stray_drops(&self) -> Result<u64, ArenaError> {
        let count = || {
            match has_dropped(&self.connection)? {
            true => self.connection.query_row(
                "SELECT count(*) FROM dropped LEFT JOIN times USING (episode, seat) WHERE competitor IS NULL OR bytes < 1",
                [],
                |row| row.get::<_, i64>(0),
            ),
            false => Ok(0),
        }
        };
        count().map(|count| count as u64).map_err(|error| self.wrong(&error))
    }

    /// Number of rows of this table without a stored episode.
    pub(crate) fn strays(&self, table: &str) -> Result<u64, ArenaError> {
        let question = format!("SELECT count(*) FROM {table} WHERE episode < 0 OR episode >= ?1");
        self.connection
            .query_row(&question, params![self.next as i64], |row| row.get::<_, i64>(0))
            .map(|count| count as u64)
            .map_err(|error| self.wrong(&error))
    }

    /// Calls `each` with the times of every bot in every episode.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each_time(&self, each: impl FnMut(u64, SeatTiming)) -> Result<(), ArenaError> {
        self.each_time_of(0..self.next, each)
    }

    /// Calls `each` with the times of bots in the episodes of this range.
    pub(crate) fn each_time_of(
        &self,
        range: Range<u64>,
        mut each: impl FnMut(u64, SeatTiming),
    ) -> Result<(), ArenaError> {
        let shape = self.shape()?;
        let (bytes, dropped) = match has_dropped(&self.connection).map_err(|error| self.wrong(&error))? {
            true => ("coalesce(bytes, 0)", "LEFT JOIN dropped USING (episode, seat)"),
            false => ("0", ""),
        };
        let times = format!(
            "SELECT episode, seat, competitor, asked, fallbacks, cpu_us, wall_us, longest_us, start_cpu_us, start_wall_us,
            {bytes} AS dropped_bytes FROM times {dropped} WHERE episode >= ?1 AND episode < ?2 ORDER BY episode, seat"
        );
        self.each_row(&times, params![range.start as i64, range.end as i64], |row| {
            let time = SeatTiming {
                seat: row.get(1)?,
                competitor: shape.competitor(row, 2)?,
                asked: number(row, 3)?,
                fallbacks: number(row, 4)?,
                cpu_us: perhaps(row, 5)?,
                wall_us: number(row, 6)?,
                longest_us: number(row, 7)?,
                start: Usage { cpu_us: perhaps(row, 8)?, wall_us: number(row, 9)? },
                dropped_bytes: number(row, 10)?,
            };
            each(number(row, 0)?, time);
            Ok(())
        })
    }
}
