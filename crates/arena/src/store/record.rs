use std::cell::OnceCell;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, params};
use tempfile::TempPath;

use super::check::{
    APPLICATION, DATABASE, contiguous, database_error, existing, lost_replays, no_replays, open_whole,
    refuse_content, replays_end,
};
use super::claim::{claim, is_claimed};
use super::schema::TABLES;
use super::shape::Shape;
use crate::error::ArenaError;
use crate::files::temporary;
use crate::plan::{Competitor, TournamentPlan};
use crate::replays::{Packer, Replays};

/// The replay file: one line of JSON per stored replay, each compressed separately; `zcat` prints them all.
pub const REPLAYS: &str = "replays.jsonl.gz";

/// A row of the competitors table: number, name, spec, kind, fingerprint.
pub(crate) type CompetitorRow = (i64, String, String, String, Option<String>);

/// A row of the ratings table: competitor, points, both ends of their interval, rank, band.
pub(crate) type RatingRow = (i64, f64, f64, f64, i64, i64);

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FaultRow {
    pub episode: u64,
    pub competitor: u16,
    pub seat: usize,
    pub code: String,
    pub detail: String,
    pub step: usize,
    /// The whole fault as JSON.
    pub record: String,
}

pub struct RecordStore {
    pub(super) path: PathBuf,
    pub(super) connection: Connection,
    pub(super) replays: Replays,
    pub(super) packer: Packer,
    pub(super) next: u64,
    pub(super) shape: OnceCell<Shape>,
    /// The copy that is read, removed with this value; `None` if the record itself is read.
    copy: Option<TempPath>,
}

/// Creates a private directory if it is missing: its content reveals future deals, also to bots that run as
/// other users.
fn make_private(directory: &Path) -> std::io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    if let Some(above) = directory.parent() {
        std::fs::create_dir_all(above)?;
    }
    DirBuilder::new().mode(0o700).create(directory)
}

/// Options for opening the record and its replays, private regardless of the directory.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    options
}

/// SQLite's name of the write-ahead log.
const LOG: &str = "wal";
/// SQLite's name of a rollback journal in memory.
const IN_MEMORY: &str = "memory";

fn set_journal_mode(connection: &Connection, mode: &str) -> rusqlite::Result<()> {
    connection.query_row(&format!("PRAGMA journal_mode = {mode}"), [], |_| Ok(()))
}

/// Begins the write-ahead log. SQLite notes it in the database with a rollback journal, whatever the mode;
/// the journal stays in memory, because the file of a killed run would be refused. The change is one write of
/// the first page, so a kill leaves the old page or the new one.
fn begin_log(connection: &Connection) -> rusqlite::Result<()> {
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != LOG {
        set_journal_mode(connection, IN_MEMORY)?;
        set_journal_mode(connection, LOG)?;
    }
    Ok(())
}

impl RecordStore {
    /// A record in memory, for runs that store nothing.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn in_memory(plan: &TournamentPlan, command: &str) -> Result<Self, ArenaError> {
        let path = PathBuf::from("memory");
        let connection = Connection::open_in_memory().map_err(|error| database_error(&path, &error))?;
        let store = Self::new(path, connection);
        store.initialise(plan, command)?;
        Ok(store)
    }

    fn new(path: PathBuf, connection: Connection) -> Self {
        let replays = Replays::Memory(Vec::new());
        Self { path, connection, replays, packer: Packer::new(), next: 0, shape: OnceCell::new(), copy: None }
    }

    /// Creates a record in a directory. `command` is the command that requested the tournament.
    ///
    /// # Errors
    /// If the directory is not empty or not writable. The directory is unchanged then.
    pub fn create(directory: &Path, plan: &TournamentPlan, command: &str) -> Result<Self, ArenaError> {
        refuse_content(directory)?;
        make_private(directory).map_err(|error| {
            ArenaError::file(directory, format!("expected to make the directory: {error}"))
        })?;
        let path = directory.join(DATABASE);
        let unwritable = |error: &dyn std::fmt::Display| {
            ArenaError::file(directory, format!("expected to write into it: {error}"))
        };
        // The record appears atomically. SQLite's files beside it inherit its permissions.
        let temporary = temporary(&path, 0o600).map_err(|error| unwritable(&error))?.into_temp_path();
        let connection = Connection::open(&temporary).map_err(|error| unwritable(&error))?;
        Self::new(path.clone(), connection).initialise(plan, command)?;
        temporary
            .persist(&path)
            .map_err(|error| ArenaError::file(&path, format!("expected to write it: {}", error.error)))?;
        Self::open(directory)
    }

    /// Opens a record for writing, and claims it.
    /// # Errors
    /// If there is no record, it is damaged, or another program is writing it. The record is unchanged then.
    pub fn open(directory: &Path) -> Result<Self, ArenaError> {
        let path = existing(directory)?;
        let stored = replays_end(&path, &open_whole(&path)?)?;
        let replays_path = directory.join(REPLAYS);
        let file = private().create(stored == 0).truncate(false).open(&replays_path);
        let mut file = file.map_err(|error| no_replays(&replays_path, stored, &error))?;
        claim(&file, &path)?;
        let wrong = |error: &rusqlite::Error| database_error(&path, error);
        let connection =
            Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(|e| wrong(&e))?;
        // Concurrent readers see the snapshot of their opening.
        begin_log(&connection).map_err(|e| wrong(&e))?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(|e| wrong(&e))?;
        connection.execute_batch("BEGIN IMMEDIATE; COMMIT;").map_err(|e| wrong(&e))?;
        let next = contiguous(&path, &connection)?;
        let end = replays_end(&path, &connection)?;
        let found = file.metadata().map_err(|error| ArenaError::file(&replays_path, error))?.len();
        if found < end {
            return Err(lost_replays(&replays_path, end, &found.to_string()));
        }
        // Bytes after the last stored episode are from a killed run.
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(|error| ArenaError::file(&replays_path, error))?;
        let replays = Replays::File { path: replays_path, file, end };
        Ok(Self { next, replays, ..Self::new(path, connection) })
    }

    /// Opens a snapshot of a tournament's record for reading, even while another program plays it.
    ///
    /// # Errors
    /// If there is no record, or it is damaged. The record is unchanged then.
    pub fn open_read_only(directory: &Path) -> Result<Self, ArenaError> {
        let path = existing(directory)?;
        let connection = open_whole(&path)?;
        let next = contiguous(&path, &connection)?;
        let replays_path = directory.join(REPLAYS);
        let expected = replays_end(&path, &connection)?;
        let replays = match File::open(&replays_path) {
            Ok(file) => {
                let end = file.metadata().map_err(|error| ArenaError::file(&replays_path, error))?.len();
                Replays::File { path: replays_path, file, end }
            }
            Err(error) if expected > 0 => return Err(no_replays(&replays_path, expected, &error)),
            Err(_) => Replays::Memory(Vec::new()),
        };
        Ok(Self { next, replays, ..Self::new(path, connection) })
    }

    /// The same record, read in a way that never keeps other programs from continuing the tournament, however
    /// long reading takes. Without a write-ahead log, a reader locks out a program that would begin the log.
    /// An incomplete record without a log is therefore read from a private copy.
    ///
    /// # Errors
    /// If the copy cannot be written.
    pub(crate) fn for_long(self) -> Result<Self, ArenaError> {
        if self.has_log()? || self.next >= self.plan()?.schedule.episodes() {
            return Ok(self);
        }
        let path = self.path.clone();
        let unwritable = |error: std::io::Error| {
            let place = std::env::temp_dir();
            ArenaError::file(&place, format!("expected to write a copy of {}: {error}", path.display()))
        };
        let copy = tempfile::NamedTempFile::new().map_err(unwritable)?.into_temp_path();
        let open = || -> rusqlite::Result<(Connection, u64)> {
            self.connection.execute_batch("COMMIT")?;
            self.connection.pragma_update(None, "query_only", false)?;
            self.connection.execute("VACUUM INTO ?1", [copy.to_string_lossy()])?;
            let connection = Connection::open(&copy)?;
            connection.pragma_update(None, "query_only", true)?;
            // Snapshots are read in a transaction, which `has_moved_on` ends.
            connection.execute_batch("BEGIN")?;
            let next =
                connection.query_row("SELECT count(*) FROM episodes", [], |row| row.get::<_, i64>(0))?;
            Ok((connection, next as u64))
        };
        let (connection, next) = open().map_err(|error| self.wrong(&error))?;
        Ok(Self { connection, next, copy: Some(copy), ..self })
    }

    /// True if the database has a write-ahead log, so SQLite keeps files beside it. The header says so, also
    /// of a database in a read-only directory, where the connection does not use the log.
    pub(crate) fn has_log(&self) -> Result<bool, ArenaError> {
        // The versions for writers and readers, after 16 bytes of magic and 2 of page size; 2 is the log.
        let mut header = [0; 20];
        let read = File::open(&self.path).and_then(|mut file| file.read_exact(&mut header));
        read.map_err(|error| ArenaError::file(&self.path, error))?;
        Ok(header[18..] == [2, 2])
    }

    /// True if a private copy is read.
    pub(super) fn is_copy(&self) -> bool {
        self.copy.is_some()
    }

    fn initialise(&self, plan: &TournamentPlan, command: &str) -> Result<(), ArenaError> {
        let fill = || -> rusqlite::Result<()> {
            self.connection.execute_batch("BEGIN")?;
            self.connection.execute_batch(TABLES)?;
            self.connection.pragma_update(None, "application_id", APPLICATION)?;
            self.connection.pragma_update(None, "user_version", plan.format)?;
            self.set_meta("plan", &plan.to_text())?;
            self.set_meta("plan_hash", &plan.hash())?;
            self.set_meta("command", command)?;
            let mut insert =
                self.connection.prepare("INSERT INTO competitors VALUES (?1, ?2, ?3, ?4, ?5)")?;
            for (index, competitor) in plan.competitors.iter().enumerate() {
                let kind = competitor.kind.name();
                let Competitor { name, run, files, .. } = competitor;
                insert.execute(params![index as i64, name, run, kind, files])?;
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

    pub(super) fn wrong(&self, error: &rusqlite::Error) -> ArenaError {
        database_error(&self.path, error)
    }

    /// The next episode to play; all earlier ones are stored.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// True if a program is playing the tournament in this directory.
    pub fn is_played(directory: &Path) -> bool {
        is_claimed(&directory.join(REPLAYS))
    }

    /// Folds the write-ahead log into the file, so the file alone is the record. If others are reading the
    /// record, the last of them folds the log in. As in `begin_log`, no rollback journal is written.
    ///
    /// # Errors
    /// If the write fails.
    pub fn close(self) -> Result<(), ArenaError> {
        const ATTEMPTS: u32 = 20;
        const PAUSE: Duration = Duration::from_millis(25);
        let path = self.path;
        for attempt in 1..=ATTEMPTS {
            // SQLite itself does not retry this change.
            match set_journal_mode(&self.connection, IN_MEMORY) {
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                    if attempt < ATTEMPTS {
                        std::thread::sleep(PAUSE);
                    }
                }
                Err(error) => return Err(database_error(&path, &error)),
                Ok(_) => break,
            }
        }
        self.connection.close().map_err(|(_, error)| database_error(&path, &error))
    }
}
