//! The record of a tournament: one SQLite file, and one file of replays beside it.
//!
//! Episodes are stored in order and in transactions. Whatever moment a run is killed at, the file holds the
//! episodes from 0 on without a gap, and a run that goes on from there ends with the same results.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use meeple_core::Replay;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use crate::ArenaError;
use crate::plan::Plan;
use crate::replays::{Packer, Replays};
use crate::row::{EpisodeRow, SeatTime};
use crate::standings::Standings;

/// The database of a tournament's directory.
pub const DATABASE: &str = "tournament.db";
/// The replays: one line of JSON per episode, each compressed by itself; `zcat` prints them all.
pub const REPLAYS: &str = "replays.jsonl.gz";

/// "MEEP" as a number: marks our databases.
const APPLICATION: i32 = 0x4d45_4550;
const FORMAT: i32 = 1;
const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE competitors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, run TEXT NOT NULL, kind TEXT NOT NULL,
    files TEXT) STRICT;
CREATE TABLE episodes (idx INTEGER PRIMARY KEY, deal INTEGER NOT NULL, rotation INTEGER NOT NULL,
    seating TEXT NOT NULL, scores TEXT NOT NULL, places TEXT NOT NULL, winners INTEGER NOT NULL,
    forfeits TEXT NOT NULL, end INTEGER NOT NULL, length INTEGER NOT NULL, decisions INTEGER NOT NULL,
    replay_at INTEGER, replay_bytes INTEGER) STRICT;
CREATE TABLE faults (id INTEGER PRIMARY KEY, episode INTEGER NOT NULL, competitor INTEGER NOT NULL,
    seat INTEGER NOT NULL, code TEXT NOT NULL, detail TEXT NOT NULL, step INTEGER NOT NULL, record TEXT NOT NULL)
    STRICT;
CREATE INDEX faults_by_episode ON faults (episode);
CREATE TABLE times (episode INTEGER NOT NULL, seat INTEGER NOT NULL, competitor INTEGER NOT NULL,
    asked INTEGER NOT NULL, fallbacks INTEGER NOT NULL, cpu_us INTEGER, wall_us INTEGER NOT NULL,
    longest_us INTEGER NOT NULL, PRIMARY KEY (episode, seat)) STRICT, WITHOUT ROWID;
CREATE TABLE bans (competitor INTEGER PRIMARY KEY, episode INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
CREATE TABLE sessions (id INTEGER PRIMARY KEY, first_episode INTEGER NOT NULL, version TEXT NOT NULL,
    sandbox TEXT NOT NULL) STRICT;
CREATE TABLE ratings (competitor INTEGER PRIMARY KEY, points REAL NOT NULL, low REAL NOT NULL,
    high REAL NOT NULL, rank INTEGER NOT NULL, band INTEGER NOT NULL) STRICT;
CREATE VIEW seats AS SELECT episodes.idx AS episode, deal, seat.key AS seat, seat.value AS competitor,
    json_extract(scores, '$[' || seat.key || ']') AS score,
    json_extract(places, '$[' || seat.key || ']') AS place
    FROM episodes, json_each(seating) AS seat;
";

/// The record of one tournament.
pub struct Store {
    path: PathBuf,
    connection: Connection,
    replays: Replays,
    packer: Packer,
    next: u64,
}

impl Store {
    /// A record in memory, for runs that keep nothing.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn in_memory(plan: &Plan, command: &str) -> Result<Self, ArenaError> {
        let path = PathBuf::from("memory");
        let connection = Connection::open_in_memory().map_err(|error| database_error(&path, &error))?;
        let store =
            Self { path, connection, replays: Replays::Memory(Vec::new()), packer: Packer::new(), next: 0 };
        store.initialise(plan, command)?;
        Ok(store)
    }

    /// Begins the record of a tournament in a new or empty directory. `command` is the one that asked for it.
    ///
    /// # Errors
    /// If the directory holds something, or cannot be written to. Nothing in it has changed then.
    pub fn create(directory: &Path, plan: &Plan, command: &str) -> Result<Self, ArenaError> {
        refuse_content(directory)?;
        std::fs::create_dir_all(directory).map_err(|error| {
            ArenaError::file(directory, format!("expected to make the directory: {error}"))
        })?;
        let path = directory.join(DATABASE);
        // Made under another name: there is either no tournament or a whole one.
        let temporary = directory.join(".tournament.db.tmp");
        let _ = std::fs::remove_file(&temporary);
        {
            let connection = Connection::open(&temporary).map_err(|error| {
                ArenaError::file(directory, format!("expected to write into it: {error}"))
            })?;
            let store = Self {
                path: path.clone(),
                connection,
                replays: Replays::Memory(Vec::new()),
                packer: Packer::new(),
                next: 0,
            };
            store.initialise(plan, command)?;
        }
        std::fs::rename(&temporary, &path)
            .map_err(|error| ArenaError::file(&path, format!("expected to write it: {error}")))?;
        Self::open(directory)
    }

    /// Opens the record of a tournament to go on with it.
    ///
    /// # Errors
    /// If there is none, if it is damaged, or if another program is writing it. Nothing has changed then.
    pub fn open(directory: &Path) -> Result<Self, ArenaError> {
        let path = existing(directory)?;
        check_whole(&path)?;
        let wrong = |error: &rusqlite::Error| database_error(&path, error);
        let connection =
            Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(|e| wrong(&e))?;
        // One writer: a second one would find the file locked instead of doubling episodes.
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(|e| wrong(&e))?;
        connection
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0))
            .map_err(|e| wrong(&e))?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(|e| wrong(&e))?;
        connection.execute_batch("BEGIN IMMEDIATE; COMMIT;").map_err(|e| wrong(&e))?;
        let replays_path = directory.join(REPLAYS);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&replays_path);
        let mut file = file.map_err(|error| ArenaError::file(&replays_path, error))?;
        let next = contiguous(&path, &connection)?;
        let end: u64 = connection
            .query_row("SELECT coalesce(max(replay_at + replay_bytes), 0) FROM episodes", [], |row| {
                row.get::<_, i64>(0)
            })
            .map_err(|e| wrong(&e))? as u64;
        let found = file.metadata().map_err(|error| ArenaError::file(&replays_path, error))?.len();
        if found < end {
            return Err(ArenaError::Database {
                path: replays_path,
                reason: format!("expected at least {end} bytes of replays, found {found}"),
                hint: "a part of the replays was lost; nothing was changed. Put the file back, or begin again in another directory".into(),
            });
        }
        // What follows the last stored episode was written by a run that was killed before it was stored.
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(|error| ArenaError::file(&replays_path, error))?;
        Ok(Self {
            path,
            connection,
            replays: Replays::File { path: replays_path, file, end },
            packer: Packer::new(),
            next,
        })
    }

    /// Opens the record of a tournament to look at it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_read_only(directory: &Path) -> Result<Self, ArenaError> {
        let path = existing(directory)?;
        check_whole(&path)?;
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .map_err(|error| database_error(&path, &error))?;
        let next = contiguous(&path, &connection)?;
        let replays_path = directory.join(REPLAYS);
        let replays = match File::open(&replays_path) {
            Ok(file) => {
                let end = file.metadata().map_err(|error| ArenaError::file(&replays_path, error))?.len();
                Replays::File { path: replays_path, file, end }
            }
            Err(_) => Replays::Memory(Vec::new()),
        };
        Ok(Self { path, connection, replays, packer: Packer::new(), next })
    }

    fn initialise(&self, plan: &Plan, command: &str) -> Result<(), ArenaError> {
        let fill = || -> rusqlite::Result<()> {
            self.connection.execute_batch("BEGIN")?;
            self.connection.execute_batch(TABLES)?;
            self.connection.pragma_update(None, "application_id", APPLICATION)?;
            self.connection.pragma_update(None, "user_version", FORMAT)?;
            self.set_meta("plan", &plan.to_text())?;
            self.set_meta("plan_hash", &plan.hash())?;
            self.set_meta("command", command)?;
            let mut insert =
                self.connection.prepare("INSERT INTO competitors VALUES (?1, ?2, ?3, ?4, ?5)")?;
            for (index, competitor) in plan.competitors.iter().enumerate() {
                let kind = crate::toml_file::name_of(&competitor.kind);
                insert.execute(params![
                    index as i64,
                    competitor.name,
                    competitor.run,
                    kind,
                    competitor.files
                ])?;
            }
            self.connection.execute_batch("COMMIT")
        };
        fill().map_err(|error| database_error(&self.path, &error))
    }

    fn set_meta(&self, key: &str, value: &str) -> rusqlite::Result<()> {
        self.connection
            .execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", params![key, value])
            .map(|_| ())
    }

    fn wrong(&self, error: &rusqlite::Error) -> ArenaError {
        database_error(&self.path, error)
    }

    /// The plan of the tournament.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn plan(&self) -> Result<Plan, ArenaError> {
        let text: String = self
            .connection
            .query_row("SELECT value FROM meta WHERE key = 'plan'", [], |row| row.get(0))
            .map_err(|error| self.wrong(&error))?;
        let hash: String = self
            .connection
            .query_row("SELECT value FROM meta WHERE key = 'plan_hash'", [], |row| row.get(0))
            .map_err(|error| self.wrong(&error))?;
        let damaged = |reason: String| ArenaError::Database {
            path: self.path.clone(),
            reason,
            hint: "the plan was changed by hand or written by another release; nothing was changed".into(),
        };
        let plan: Plan =
            serde_json::from_str(&text).map_err(|error| damaged(format!("expected a plan: {error}")))?;
        if plan.hash() != hash {
            return Err(damaged(format!("expected a plan with fingerprint {hash}, found {}", plan.hash())));
        }
        Ok(plan)
    }

    /// The next episode to be played: the stored ones are those before it.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Notes that a run begins, in this sandbox.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin_session(&self, sandbox: &str) -> Result<(), ArenaError> {
        self.connection
            .execute(
                "INSERT INTO sessions (first_episode, version, sandbox) VALUES (?1, ?2, ?3)",
                params![self.next as i64, env!("CARGO_PKG_VERSION"), sandbox],
            )
            .map(|_| ())
            .map_err(|error| self.wrong(&error))
    }

    /// The sandbox levels of all runs, in order, each once.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn sandboxes(&self) -> Result<Vec<String>, ArenaError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut query = self.connection.prepare("SELECT sandbox FROM sessions ORDER BY id")?;
            query.query_map([], |row| row.get(0))?.collect()
        };
        let mut levels = read().map_err(|error| self.wrong(&error))?;
        let mut seen = Vec::new();
        levels.retain(|level| !seen.contains(level) && (seen.push(level.clone()), true).1);
        Ok(levels)
    }

    /// The command that began the tournament.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn command(&self) -> Result<String, ArenaError> {
        self.connection
            .query_row("SELECT value FROM meta WHERE key = 'command'", [], |row| row.get(0))
            .map_err(|error| self.wrong(&error))
    }

    /// Stores episodes: all of them or, if that fails, none.
    ///
    /// # Errors
    /// If they cannot be written.
    ///
    /// # Panics
    /// If they do not follow the stored ones.
    pub fn append(&mut self, rows: &[EpisodeRow]) -> Result<(), ArenaError> {
        // Replays first: bytes that no episode points to are cut off when the record is opened again.
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

    /// Calls `each` with every stored episode, in order, without faults, bans and replay, until it returns
    /// false.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn each(&self, each: impl FnMut(EpisodeRow) -> bool) -> Result<(), ArenaError> {
        self.each_of(0..self.next, each)
    }

    /// The same for episodes whose number is in this range.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn each_of(
        &self,
        range: Range<u64>,
        mut each: impl FnMut(EpisodeRow) -> bool,
    ) -> Result<(), ArenaError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut query = self.connection.prepare(
                "SELECT idx, deal, rotation, seating, scores, places, winners, forfeits, end, length, decisions
                 FROM episodes WHERE idx >= ?1 AND idx < ?2 ORDER BY idx",
            )?;
            let mut rows = query.query(params![range.start as i64, range.end as i64])?;
            while let Some(row) = rows.next()? {
                let episode = EpisodeRow {
                    pairing: crate::schedule::Pairing {
                        index: row.get::<_, i64>(0)? as u64,
                        group: row.get::<_, i64>(1)? as u64,
                        rotation: row.get(2)?,
                        seats: unlist(row, 3)?,
                    },
                    scores: unlist(row, 4)?,
                    places: unlist(row, 5)?,
                    winners: row.get(6)?,
                    forfeits: unlist(row, 7)?,
                    end: row.get::<_, i64>(8)? as usize,
                    length: row.get::<_, i64>(9)? as u64,
                    decisions: row.get::<_, i64>(10)? as u64,
                    faults: Vec::new(),
                    times: Vec::new(),
                    bans: Vec::new(),
                    replay: None,
                };
                if !each(episode) {
                    break;
                }
            }
            Ok(())
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// The replay of an episode, if it was kept.
    ///
    /// # Errors
    /// If it cannot be read.
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
        self.replays.read(index, at as u64, bytes as u64).map(Some)
    }

    /// The bans so far: competitor, episode, reason.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn bans(&self) -> Result<Vec<(u16, u64, String)>, ArenaError> {
        let read = || -> rusqlite::Result<Vec<(u16, u64, String)>> {
            let mut query = self
                .connection
                .prepare("SELECT competitor, episode, reason FROM bans ORDER BY episode, competitor")?;
            let rows =
                query.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64, row.get(2)?)))?;
            rows.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// Calls `each` with every fault: episode, competitor, code, and the whole record as JSON.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn each_fault(&self, mut each: impl FnMut(u64, u16, &str, &str)) -> Result<(), ArenaError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut query = self
                .connection
                .prepare("SELECT episode, competitor, code, record FROM faults ORDER BY id")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let (code, record): (String, String) = (row.get(2)?, row.get(3)?);
                each(row.get::<_, i64>(0)? as u64, row.get(1)?, &code, &record);
            }
            Ok(())
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// Calls `each` with the times of every bot in every episode.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn each_time(&self, mut each: impl FnMut(u64, SeatTime)) -> Result<(), ArenaError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut query = self.connection.prepare(
                "SELECT episode, seat, competitor, asked, fallbacks, cpu_us, wall_us, longest_us FROM times
                 ORDER BY episode, seat",
            )?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let number = |index| row.get::<_, i64>(index).map(|value| value as u64);
                let time = SeatTime {
                    seat: row.get(1)?,
                    competitor: row.get(2)?,
                    asked: number(3)?,
                    fallbacks: number(4)?,
                    cpu_us: row.get::<_, Option<i64>>(5)?.map(|value| value as u64),
                    wall_us: number(6)?,
                    longest_us: number(7)?,
                };
                each(row.get::<_, i64>(0)? as u64, time);
            }
            Ok(())
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// Stores the ratings of a finished run.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn set_ratings(&self, plan: &Plan, standings: &Standings) -> Result<(), ArenaError> {
        let write = || -> rusqlite::Result<()> {
            let transaction = self.connection.unchecked_transaction()?;
            transaction.execute("DELETE FROM ratings", [])?;
            for (index, competitor) in plan.competitors.iter().enumerate() {
                let own = standings.standings.iter().find(|own| own.name == competitor.name);
                let Some((own, rated)) = own.and_then(|own| Some((own, own.rating.as_ref()?))) else {
                    continue;
                };
                transaction.execute(
                    "INSERT INTO ratings VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![
                        index as i64,
                        rated.points,
                        rated.interval[0],
                        rated.interval[1],
                        own.rank as i64,
                        rated.band as i64
                    ],
                )?;
            }
            transaction.commit()
        };
        write().map_err(|error| self.wrong(&error))
    }

    /// Folds the write-ahead log into the file, so that the file alone is the record.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn close(self) -> Result<(), ArenaError> {
        let path = self.path;
        self.connection
            .query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))
            .optional()
            .map_err(|error| database_error(&path, &error))?;
        self.connection.close().map_err(|(_, error)| database_error(&path, &error))
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
        transaction.prepare_cached("INSERT INTO times VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?.execute(
            params![
                index,
                time.seat,
                time.competitor,
                time.asked as i64,
                time.fallbacks as i64,
                time.cpu_us.map(|value| value as i64),
                time.wall_us as i64,
                time.longest_us as i64
            ],
        )?;
    }
    for (competitor, reason) in &row.bans {
        transaction
            .execute("INSERT OR IGNORE INTO bans VALUES (?1, ?2, ?3)", params![competitor, index, reason])?;
    }
    Ok(())
}

fn list<T: serde::Serialize>(values: &[T]) -> String {
    serde_json::to_string(values).expect("numbers are plain data")
}

fn unlist<T: serde::de::DeserializeOwned>(
    row: &rusqlite::Row<'_>,
    column: usize,
) -> rusqlite::Result<Vec<T>> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

fn refuse_content(directory: &Path) -> Result<(), ArenaError> {
    let occupied = |found: String, hint: &str| {
        Err(ArenaError::Occupied { path: directory.to_owned(), found, hint: hint.to_owned() })
    };
    if directory.is_file() {
        return occupied("a file".into(), "name another directory");
    }
    let Ok(entries) = std::fs::read_dir(directory) else { return Ok(()) };
    if directory.join(DATABASE).exists() {
        let resume = format!("continue it with: meeple tournament --resume {}", directory.display());
        return occupied("a tournament".into(), &resume);
    }
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !(name.starts_with('.') && name.contains(".tmp")) {
            return occupied(format!("'{name}'"), "name another directory");
        }
    }
    Ok(())
}

fn existing(directory: &Path) -> Result<PathBuf, ArenaError> {
    let path = directory.join(DATABASE);
    if path.is_file() {
        return Ok(path);
    }
    Err(ArenaError::file(
        directory,
        format!(
            "expected a directory with a tournament ({DATABASE}), found none\nhint: begin one with: meeple tournament GAME BOT… --out {}",
            directory.display()
        ),
    ))
}

/// Looks at the file without changing it, but for what a killed run left to be rolled back or folded in: only a
/// connection that may write can do that.
fn check_whole(path: &Path) -> Result<(), ArenaError> {
    let wrong = |error: &rusqlite::Error| database_error(path, error);
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .or_else(|_| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY))
        .map_err(|e| wrong(&e))?;
    let ids: (i32, i32) = (
        connection.query_row("PRAGMA application_id", [], |row| row.get(0)).map_err(|e| wrong(&e))?,
        connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(|e| wrong(&e))?,
    );
    if ids != (APPLICATION, FORMAT) {
        return Err(ArenaError::Database {
            path: path.to_owned(),
            reason: format!("expected a tournament of format {FORMAT}, found another database"),
            hint: "name the directory of a tournament; nothing was changed".into(),
        });
    }
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(|e| wrong(&e))?;
    if verdict != "ok" {
        return Err(damaged(path, &verdict));
    }
    Ok(())
}

/// Number of the next episode, if those before it are all there.
fn contiguous(path: &Path, connection: &Connection) -> Result<u64, ArenaError> {
    let (count, last): (i64, i64) = connection
        .query_row("SELECT count(*), coalesce(max(idx), -1) FROM episodes", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .map_err(|error| database_error(path, &error))?;
    if count != last + 1 {
        return Err(damaged(path, &format!("expected episodes 0 to {last}, found {count} of them")));
    }
    Ok(count as u64)
}

fn damaged(path: &Path, reason: &str) -> ArenaError {
    ArenaError::Database {
        path: path.to_owned(),
        reason: format!("the database is damaged: {reason}"),
        hint: "nothing was changed. Put a copy back, or save what can be read with sqlite3's .recover and begin again in another directory".into(),
    }
}

fn database_error(path: &Path, error: &rusqlite::Error) -> ArenaError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(path, &error.to_string()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ArenaError::Database {
            path: path.to_owned(),
            reason: "expected to be the only one at work on this tournament, found another program".into(),
            hint: "wait for it to end, or stop it with Ctrl-C; nothing was changed".into(),
        },
        _ => ArenaError::Database {
            path: path.to_owned(),
            reason: error.to_string(),
            hint: "check that the directory can be written to and has room".into(),
        },
    }
}
