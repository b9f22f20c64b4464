//! Validation of a record's directory and database.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::schema;
use crate::error::ArenaError;
use crate::files::is_temporary;
use crate::plan::PLAN_FORMATS;

pub const DATABASE: &str = "tournament.db";
/// SQLite's rollback journal of the database. Records use a write-ahead log, and change to it and back with a
/// journal in memory, so even a killed run leaves no such file.
const JOURNAL: &str = "tournament.db-journal";
/// "MEEP" as a number: SQLite application id of our databases.
pub(super) const APPLICATION: i32 = 0x4d45_4550;

pub(super) fn refuse_content(directory: &Path) -> Result<(), ArenaError> {
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
        if !is_temporary(&name) {
            return occupied(format!("'{name}'"), "name another directory");
        }
    }
    Ok(())
}

/// The path of the database in a directory, which is safe to open. Everything that opens a record calls this
/// first.
pub(super) fn existing(directory: &Path) -> Result<PathBuf, ArenaError> {
    let path = directory.join(DATABASE);
    if path.is_file() {
        expect_harmless_entries(directory)?;
        return Ok(path);
    }
    Err(ArenaError::missing(
        directory,
        format!(
            "expected a directory with a tournament ({DATABASE}), found none\nhint: begin one with: meeple tournament GAME BOT… --out {}",
            directory.display()
        ),
    ))
}

/// Refuses entries that act when a record is opened, read or continued. A symbolic link leads reads and
/// writes out of the directory, a reader of a pipe waits forever, and a device may do anything. SQLite plays
/// a rollback journal back into the database, and deletes the file that the journal names.
fn expect_harmless_entries(directory: &Path) -> Result<(), ArenaError> {
    let unreadable = |error| ArenaError::file(directory, error);
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        let found = if kind.is_symlink() {
            "a symbolic link"
        } else if !kind.is_file() && !kind.is_dir() {
            "a pipe, a socket or a device"
        } else if entry.file_name() == JOURNAL {
            "a rollback journal, which no tournament leaves"
        } else {
            continue;
        };
        let reason = format!(
            "expected files and folders of a tournament, found {found}\nhint: move it elsewhere; nothing was changed"
        );
        return Err(ArenaError::file(&entry.path(), reason));
    }
    Ok(())
}

/// Opens a database for reading. The connection sees one snapshot, even while another program plays the
/// tournament. Write access is requested only because SQLite needs it to roll back or fold in the leftovers
/// of a killed run; nothing else is written.
fn open_snapshot(path: &Path) -> Result<Connection, ArenaError> {
    let begin = |connection: Connection| -> rusqlite::Result<Connection> {
        connection.pragma_update(None, "query_only", true)?;
        connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")?;
        Ok(connection)
    };
    match Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(begin) {
        // A write-ahead log needs a file beside it, which cannot be created in a read-only directory.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::CannotOpen) => {
            if has_log(path) {
                return Err(ArenaError::database(
                    path,
                    "expected a directory that can be written to, because a run was killed here, found a read-only one",
                    "copy the directory to where it can be written to; nothing was changed",
                ));
            }
            let uri = format!("file:{}?immutable=1", escaped(path));
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(uri, flags).and_then(begin)
        }
        opened => opened,
    }
    .map_err(|error| database_error(path, &error))
}

/// True if the write-ahead log of a database has content.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

/// A path escaped for a URI.
fn escaped(path: &Path) -> String {
    let mut uri = String::new();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                uri.push(char::from(*byte))
            }
            _ => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri
}

pub(super) fn open_whole(path: &Path) -> Result<Connection, ArenaError> {
    let wrong = |error: &rusqlite::Error| database_error(path, error);
    let connection = open_snapshot(path)?;
    // A record has the format of its plan, so older releases refuse it instead of counting by other rules.
    let (application, format): (i32, u32) = (
        connection.query_row("PRAGMA application_id", [], |row| row.get(0)).map_err(|e| wrong(&e))?,
        connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(|e| wrong(&e))?,
    );
    if application != APPLICATION || !PLAN_FORMATS.contains(&format) {
        let (found, hint) = if application == APPLICATION {
            let age = if format < *PLAN_FORMATS.start() { "an earlier" } else { "a later" };
            (format!("one of format {format}"), format!("use {age} release, which wrote it"))
        } else {
            ("another database".to_owned(), "name the directory of a tournament".to_owned())
        };
        let (first, last) = PLAN_FORMATS.into_inner();
        let reason = format!("expected a tournament of format {first} to {last}, found {found}");
        return Err(ArenaError::database(path, reason, format!("{hint}; nothing was changed")));
    }
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(|e| wrong(&e))?;
    if verdict != "ok" {
        return Err(damaged(path, &verdict));
    }
    // A trigger or a view in place of a table would alter the stored data.
    match schema::difference(&connection).map_err(|e| wrong(&e))? {
        Some(difference) => Err(damaged(path, &format!("the schema: {difference}"))),
        None => Ok(connection),
    }
}

/// Number of the next episode, if all earlier ones are stored.
pub(super) fn contiguous(path: &Path, connection: &Connection) -> Result<u64, ArenaError> {
    let (count, first, last): (i64, i64, i64) = connection
        .query_row(
            "SELECT count(*), coalesce(min(idx), 0), coalesce(max(idx), -1) FROM episodes",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .map_err(|error| database_error(path, &error))?;
    if first != 0 || Some(count) != last.checked_add(1) {
        return Err(damaged(path, &format!("expected episodes 0 to {last}, found {count} of them")));
    }
    Ok(count as u64)
}

pub(super) fn replays_end(path: &Path, connection: &Connection) -> Result<u64, ArenaError> {
    let end: i64 = connection
        .query_row("SELECT coalesce(max(replay_at + replay_bytes), 0) FROM episodes", [], |row| row.get(0))
        .map_err(|error| database_error(path, &error))?;
    u64::try_from(end).map_err(|_| damaged(path, &format!("expected replays to end somewhere, found {end}")))
}

pub(super) fn no_replays(path: &Path, expected: u64, error: &std::io::Error) -> ArenaError {
    match error.kind() {
        std::io::ErrorKind::NotFound => lost_replays(path, expected, "no such file"),
        _ => ArenaError::file(path, error),
    }
}

pub(super) fn lost_replays(path: &Path, expected: u64, found: &str) -> ArenaError {
    let hint = "a part of the replays was lost; nothing was changed. Put the file back, or begin again in another directory";
    let reason = format!("expected at least {expected} bytes of replays, found {found}");
    ArenaError::database(path, reason, hint)
}

pub(super) fn damaged(path: &Path, reason: &str) -> ArenaError {
    let hint = "nothing was changed. Put a copy back, or save what can be read with sqlite3's .recover and begin again in another directory";
    ArenaError::database(path, format!("the database is damaged: {reason}"), hint)
}

pub(super) fn database_error(path: &Path, error: &rusqlite::Error) -> ArenaError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(path, &error.to_string()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => occupied(path),
        _ if is_of_content(error) => {
            let text = match error {
                rusqlite::Error::FromSqlConversionFailure(_, _, inner) => inner.to_string(),
                _ => error.to_string(),
            };
            damaged(path, &text)
        }
        _ => {
            let hint = "check that the directory can be written to and has room";
            ArenaError::database(path, error.to_string(), hint)
        }
    }
}

pub(super) fn occupied(path: &Path) -> ArenaError {
    ArenaError::database(
        path,
        "expected to be the only one at work on this tournament, found another program",
        "wait for it to end, or stop it with Ctrl-C; nothing was changed",
    )
}

/// True for errors of stored content, as opposed to failed reads.
fn is_of_content(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::QueryReturnedNoRows
            | rusqlite::Error::Utf8Error(..)
    )
}
