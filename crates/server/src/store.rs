//! The persistent state: one SQLite file with every table's seats, keys and accepted entries.
//!
//! One thread owns the file. Group commit: all queued writes share one transaction and one fsync, and callers
//! get their answer after it. Nothing is stored twice, and nothing is overwritten: a table *is* its seed and
//! its entries.

mod accounts;
mod competitions;
mod health;
mod members;
mod operation;
pub mod reads;

use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use meeple_core::AnyEntry;
use meeple_replay::{compressed, read_text};
use meeple_table::{Entry, Holder};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use thiserror::Error;
use tokio::sync::oneshot;

use self::health::Health;
use crate::key::KeyHash;
use crate::recorded::MAX_TEXT;

pub use accounts::{AccountRow, AccountWrite, OwnTable};
pub use competitions::{Competing, CompetitionRow, CompetitionWrite};
pub use operation::{Holdings, OperatorWrite};

/// The SQLite application identifier of our files.
const APPLICATION: i32 = 0x6d65_706c;
/// Number of migrations applied.
const VERSION: i32 = CHANGES.len() as i32;

/// The migrations from an empty file to the newest schema, in order. A released migration never changes,
/// because users' files have gone through it.
const CHANGES: [&str; 7] = [
    "
create table game(
    id text primary key, game text not null, settings text not null, rules int not null, root text not null,
    holders text not null, listed int not null, created int not null, ended int
) without rowid, strict;
create table entry(game text not null, number int not null, entry text not null, primary key(game, number))
    without rowid, strict;
create table key(game text not null, hash blob not null, seat int not null, primary key(game, hash))
    without rowid, strict;
create table job(id text primary key, plan text not null, result text not null) without rowid, strict;
create index by_time on game(created);
",
    "
alter table game add column next text;
",
    "
create table replay(id text primary key, text blob not null, created int not null) without rowid, strict;
alter table game add column steps blob;
",
    competitions::TABLES,
    operation::TABLES,
    accounts::TABLES,
    "
alter table game add column time text;
alter table game add column left text;
",
];

/// Reasons why the file cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("{path}: {error}\nhint: {hint}")]
    Sqlite {
        path: String,
        error: rusqlite::Error,
        /// A possible remedy.
        hint: &'static str,
    },
    #[error(
        "{path}: expected a file of `meeple serve`, found another program's database\nhint: name another file"
    )]
    Foreign { path: String },
    #[error(
        "{path}: expected version {VERSION}, found {found}\nhint: a newer meeple has written it; use that one"
    )]
    Newer { path: String, found: i32 },
    #[error(
        "{path}: expected version {VERSION}, found {found}\nhint: an older meeple has written it; a server that opens a copy \
         brings that to the present form: meeple serve --data COPY"
    )]
    Older { path: String, found: i32 },
    /// The writer thread has ended.
    #[error("the server's file can be written no more; see the server's messages")]
    Closed,
    /// The disk refuses writes.
    #[error("the server's file cannot be written: {reason}\nhint: is the disk full?")]
    Unwritable {
        /// The system's error.
        reason: String,
    },
    /// Stored data cannot be read.
    #[error("table {table}: {reason}")]
    Damaged { table: String, reason: String },
}

impl StoreError {
    /// An error of SQLite with this file, and a possible remedy.
    pub fn of_sqlite(path: &str, error: rusqlite::Error) -> Self {
        let hint = match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DatabaseBusy) => {
                "another server uses it; end that one or name another file"
            }
            Some(rusqlite::ErrorCode::NotADatabase) => "it is no database; name another file",
            _ => "the folder must exist and be writable",
        };
        Self::Sqlite { path: path.to_owned(), error, hint }
    }
}

/// Checks, for readers of the file, that it is ours and has this release's schema.
pub fn expect_our_file(path: &str, file: &Connection) -> Result<(), StoreError> {
    let number = |name: &str| {
        let value = file.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        value.map_err(|error| StoreError::of_sqlite(path, error))
    };
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION, VERSION) => Ok(()),
        (APPLICATION, found) if found > VERSION => Err(StoreError::Newer { path: path.to_owned(), found }),
        (APPLICATION, found) => Err(StoreError::Older { path: path.to_owned(), found }),
        _ => Err(StoreError::Foreign { path: path.to_owned() }),
    }
}

#[derive(Clone, Debug)]
pub struct TableRow {
    pub id: String,
    /// `game/preset`.
    pub game: String,
    /// Parameters that differ from the preset.
    pub settings: Vec<(String, String)>,
    /// The version of the rules it is played by.
    pub rules: u32,
    pub root: u64,
    pub holders: Vec<Holder>,
    /// From the replay that it continues.
    pub steps: Vec<String>,
    /// True if the table is listed publicly.
    pub listed: bool,
    /// In seconds since 1970.
    pub created: i64,
    /// As text.
    pub time: Option<String>,
}

impl TableRow {
    /// The settings to set its game up with. Parameters that are newer than the table get the value that
    /// matches the earlier rules.
    pub fn settings_for(&self, entry: &dyn AnyEntry) -> Vec<(String, String)> {
        entry.settings_of_stored(&self.settings, &serde_json::Value::Null)
    }
}

#[derive(Clone, Debug)]
pub struct Stored {
    pub row: TableRow,
    /// Accepted since.
    pub entries: Vec<Entry>,
    /// Hashes of keys, with the seats they open.
    pub keys: Vec<(KeyHash, usize)>,
    pub next: Option<String>,
    /// By account, with their seats.
    pub sitting: Vec<(String, usize)>,
    /// Remaining times at the last entry, by seat, in ms.
    pub left: Option<Vec<u64>>,
}

#[derive(Clone, Debug)]
pub struct Listed {
    pub id: String,
    /// `game/preset`.
    pub game: String,
    pub over: bool,
    /// Current holders, by seat.
    pub holders: Vec<Holder>,
    /// As text.
    pub time: Option<String>,
}

impl Listed {
    /// The seats that are open to anybody.
    pub fn open_seats(&self) -> Vec<usize> {
        let seats = self.holders.iter().enumerate();
        seats.filter(|(_, holder)| !self.over && **holder == Holder::Open).map(|(seat, _)| seat).collect()
    }
}

#[derive(Clone, Debug)]
pub enum Write {
    Open(TableRow),
    /// Entries that a table has accepted.
    Append {
        table: String,
        /// The number of the first entry.
        first: usize,
        /// As JSON.
        entries: Vec<String>,
        /// The time of the end in seconds since 1970, if the table has ended.
        ended: Option<i64>,
        /// Remaining times, by seat, in ms.
        left: Option<Vec<u64>>,
    },
    Key {
        table: String,
        hash: KeyHash,
        seat: usize,
    },
    Next {
        /// The finished one.
        table: String,
        /// The new one.
        next: String,
    },
    Replay {
        id: String,
        /// Compressed.
        text: Vec<u8>,
        /// In seconds since 1970.
        created: i64,
    },
    Job {
        id: String,
        /// As JSON.
        plan: String,
        /// As JSON.
        result: String,
    },
    Competition(CompetitionWrite),
    Operator(OperatorWrite),
    Account(AccountWrite),
    /// Withdrawal of all keys and members from a seat.
    DropKeys {
        table: String,
        /// The one that nobody controls any more.
        seat: usize,
    },
}

type Reading = Box<dyn FnOnce(&Connection) + Send>;

enum Job {
    Write { writes: Vec<Write>, done: oneshot::Sender<Result<(), rusqlite::Error>> },
    Read(Reading),
}

pub struct Store {
    jobs: mpsc::Sender<Job>,
    thread: JoinHandle<()>,
    health: Health,
}

impl Store {
    /// Opens or creates the file; `None` for a store in memory.
    pub fn open(path: Option<&Path>) -> Result<Self, StoreError> {
        let told = path.map_or("memory".to_owned(), |path| path.display().to_string());
        let sqlite = |error: rusqlite::Error| StoreError::of_sqlite(&told, error);
        let mut file = match path {
            Some(path) => Connection::open(path),
            None => Connection::open_in_memory(),
        }
        .map_err(sqlite)?;
        // The lock is exclusive and permanent, so waiting is useless.
        file.busy_timeout(Duration::ZERO).map_err(sqlite)?;
        file.pragma_update(None, "locking_mode", "exclusive").map_err(sqlite)?;
        let number =
            |file: &Connection, name: &str| file.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let tables: i64 =
            file.query_row("select count(*) from sqlite_master", [], |row| row.get(0)).map_err(sqlite)?;
        let application = number(&file, "application_id").map_err(sqlite)?;
        let version = number(&file, "user_version").map_err(sqlite)?;
        let done = match (application, version) {
            (APPLICATION, VERSION) => CHANGES.len(),
            (APPLICATION, found) if found > VERSION => return Err(StoreError::Newer { path: told, found }),
            (APPLICATION, 1..) => version as usize,
            _ if tables > 0 => return Err(StoreError::Foreign { path: told }),
            _ => 0,
        };
        // Set only after the file is known to be ours, because it writes to the file.
        file.pragma_update(None, "journal_mode", "wal").map_err(sqlite)?;
        file.pragma_update(None, "synchronous", "full").map_err(sqlite)?;
        // All migrations or none: an interrupted one leaves the old file.
        let bring_up = |file: &mut Connection| {
            let change = file.transaction()?;
            CHANGES[done..].iter().try_for_each(|sql| change.execute_batch(sql))?;
            change.pragma_update(None, "application_id", APPLICATION)?;
            change.pragma_update(None, "user_version", VERSION)?;
            change.commit()
        };
        if done < CHANGES.len() {
            bring_up(&mut file).map_err(sqlite)?;
        }
        let (jobs, inbox) = mpsc::channel();
        let health = Health::default();
        let noted = health.clone();
        let thread = std::thread::spawn(move || serve(file, &inbox, &noted));
        Ok(Self { jobs, thread, health })
    }

    /// Queues writes as one atomic unit. The future resolves once they are on disk. They are queued when this
    /// returns, even if the future is dropped.
    pub fn write(&self, writes: Vec<Write>) -> impl Future<Output = Result<(), String>> + use<> {
        let (done, answer) = oneshot::channel();
        let sent = self.jobs.send(Job::Write { writes, done });
        async move {
            sent.map_err(|_| StoreError::Closed.to_string())?;
            answer.await.map_err(|_| StoreError::Closed.to_string())?.map_err(|error| error.to_string())
        }
    }

    /// [`write`](Self::write), for a thread that blocks.
    ///
    /// # Errors
    /// If they could not be written; then none was.
    pub fn write_and_wait(&self, writes: Vec<Write>) -> Result<(), String> {
        let (done, answer) = oneshot::channel();
        self.jobs.send(Job::Write { writes, done }).map_err(|_| StoreError::Closed.to_string())?;
        let written = answer.blocking_recv().map_err(|_| StoreError::Closed.to_string())?;
        written.map_err(|error| error.to_string())
    }

    /// Reads, for a thread that blocks.
    fn read_and_wait<T: Send + 'static>(
        &self,
        reading: impl FnOnce(&Connection) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, answer) = oneshot::channel();
        let job = Job::Read(Box::new(move |file| drop(done.send(reading(file)))));
        self.jobs.send(job).map_err(|_| StoreError::Closed)?;
        answer.blocking_recv().map_err(|_| StoreError::Closed)
    }

    async fn read<T: Send + 'static>(
        &self,
        reading: impl FnOnce(&Connection) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, answer) = oneshot::channel();
        // The caller may have gone.
        let job = Job::Read(Box::new(move |file| drop(done.send(reading(file)))));
        self.jobs.send(job).map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)
    }

    /// Finds a table; `None` if there is none.
    pub async fn table(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        let table = id.to_owned();
        self.read(move |file| stored(file, &table)).await?
    }

    /// The last public tables, newest first.
    pub async fn listed(&self, most: usize) -> Result<Vec<Listed>, StoreError> {
        let list = move |file: &Connection| {
            let mut query = file.prepare_cached(
                "select id, game, ended, holders, time from game where listed = 1 order by created desc, id limit ?",
            )?;
            let row = |row: &rusqlite::Row<'_>| {
                let texts = (row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(3)?);
                Ok((texts, row.get::<_, Option<i64>>(2)?.is_some(), row.get::<_, Option<String>>(4)?))
            };
            let rows = query.query_map([most as i64], row)?.collect::<Result<Vec<_>, _>>()?;
            // Changes of holders since the start, for tables with open seats.
            let mut seated = file.prepare_cached(
                "select entry from entry where game = ? and entry like '{\"seated\"%' order by number",
            )?;
            rows.into_iter()
                .map(|((id, game, holders), over, time)| {
                    let changes = match over {
                        true => Vec::new(),
                        false => {
                            seated.query_map([&id], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?
                        }
                    };
                    Ok((id, game, holders, changes, over, time))
                })
                .collect::<rusqlite::Result<Vec<_>>>()
        };
        let rows = self.read(list).await?.map_err(|error| damaged("list", &error))?;
        let listed = rows.into_iter().map(|(id, game, holders, changes, over, time)| {
            let unread = |error: serde_json::Error| damaged(&id, &error);
            let mut holders: Vec<Holder> = serde_json::from_str(&holders).map_err(unread)?;
            for change in &changes {
                if let Entry::Seated { seat, holder } = serde_json::from_str(change).map_err(unread)?
                    && let Some(place) = holders.get_mut(seat)
                {
                    *place = holder;
                }
            }
            Ok(Listed { id, game, over, holders, time })
        });
        listed.collect()
    }

    /// A finished run: its plan and its result, as JSON.
    pub async fn job(&self, id: &str) -> Result<Option<(String, String)>, StoreError> {
        let name = id.to_owned();
        let read = move |file: &Connection| {
            file.prepare_cached("select plan, result from job where id = ?")?
                .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        };
        self.read(read).await?.map_err(|error| damaged(id, &error))
    }

    /// An upload's text, compressed.
    pub async fn replay(&self, id: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let name = id.to_owned();
        let read = move |file: &Connection| {
            file.prepare_cached("select text from replay where id = ?")?
                .query_row([name], |row| row.get(0))
                .optional()
        };
        self.read(read).await?.map_err(|error| damaged(id, &error))
    }

    /// The total size of uploads and of tables' initial steps, in bytes.
    pub async fn upload_bytes(&self) -> Result<u64, StoreError> {
        let count = |file: &Connection| {
            let texts = "select coalesce(sum(length(text)), 0) from replay";
            let steps = "select coalesce(sum(length(steps)), 0) from game where steps is not null";
            file.prepare_cached(&format!("select ({texts}) + ({steps})"))?
                .query_row([], |row| row.get::<_, i64>(0))
        };
        let bytes = self.read(count).await?.map_err(|error| damaged("uploads", &error))?;
        Ok(bytes.unsigned_abs())
    }

    /// Waits until all writes are done.
    pub fn close(self) {
        drop(self.jobs);
        // The thread's panic has been reported already.
        drop(self.thread.join());
    }
}

fn damaged(table: &str, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Damaged { table: table.to_owned(), reason: reason.to_string() }
}

/// Runs jobs until all senders are gone.
fn serve(mut file: Connection, inbox: &mpsc::Receiver<Job>, health: &Health) {
    while let Ok(first) = inbox.recv() {
        let mut group = Vec::new();
        for job in std::iter::once(first).chain(inbox.try_iter()) {
            match job {
                Job::Write { writes, done } => group.push((writes, done)),
                Job::Read(reading) => {
                    // Readers see all earlier writes.
                    commit(&mut file, std::mem::take(&mut group), health);
                    reading(&file);
                }
            }
        }
        commit(&mut file, group, health);
    }
}

type Waiting = (Vec<Write>, oneshot::Sender<Result<(), rusqlite::Error>>);

/// Writes a group in one transaction. If that fails, each member is written separately, so that one cannot
/// spoil another.
fn commit(file: &mut Connection, group: Vec<Waiting>, health: &Health) {
    if group.is_empty() {
        return;
    }
    let together = whole(file, group.iter().flat_map(|(writes, _)| writes));
    let alone = group.len() > 1;
    let mut together = Some(together);
    let all_well = matches!(together, Some(Ok(())));
    for (writes, done) in group {
        let result = match together.take() {
            _ if all_well => Ok(()),
            Some(result) if !alone => result,
            _ => whole(file, &writes),
        };
        health.note(&result);
        // The caller may have gone.
        drop(done.send(result));
    }
}

fn whole<'a>(file: &mut Connection, writes: impl IntoIterator<Item = &'a Write>) -> rusqlite::Result<()> {
    let change = file.transaction()?;
    for write in writes {
        apply(&change, write)?;
    }
    change.commit()
}

fn apply(change: &Transaction<'_>, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Open(TableRow { id, game, settings, rules, root, holders, steps, listed, created, time }) => {
            let steps = (!steps.is_empty()).then(|| compressed(&json(steps)));
            change
                .prepare_cached(
                    "insert into game(id, game, settings, rules, root, holders, listed, created, steps, time) \
                 values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![
                    id,
                    game,
                    json(settings),
                    rules,
                    format!("{root:016x}"),
                    json(holders),
                    listed,
                    created,
                    steps,
                    time
                ])?;
        }
        Write::Append { table, first, entries, ended, left } => {
            let mut insert = change.prepare_cached("insert into entry values(?, ?, ?)")?;
            for (number, entry) in (*first as i64..).zip(entries) {
                insert.execute(params![table, number, entry])?;
            }
            if let Some(left) = left {
                change
                    .prepare_cached("update game set left = ? where id = ?")?
                    .execute(params![json(left), table])?;
            }
            if let Some(ended) = ended {
                change
                    .prepare_cached("update game set ended = ? where id = ? and ended is null")?
                    .execute(params![ended, table])?;
            }
        }
        Write::Key { table, hash, seat } => {
            change.prepare_cached("insert or replace into key values(?, ?, ?)")?.execute(params![
                table,
                hash.as_slice(),
                *seat as i64
            ])?;
        }
        Write::Next { table, next } => {
            change.prepare_cached("update game set next = ? where id = ?")?.execute(params![next, table])?;
        }
        Write::Replay { id, text, created } => {
            change
                .prepare_cached("insert or ignore into replay values(?, ?, ?)")?
                .execute(params![id, text, created])?;
        }
        Write::Job { id, plan, result } => {
            change
                .prepare_cached("insert or replace into job values(?, ?, ?)")?
                .execute(params![id, plan, result])?;
        }
        Write::Competition(write) => competitions::apply(change, write)?,
        Write::Operator(write) => operation::apply(change, write)?,
        Write::Account(write) => accounts::apply(change, write)?,
        Write::DropKeys { table, seat } => {
            for query in [
                "delete from key where game = ? and seat = ?",
                "delete from sitting where game = ? and seat = ?",
            ] {
                change.prepare_cached(query)?.execute(params![table, *seat as i64])?;
            }
        }
    }
    Ok(())
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}

pub fn stored(file: &Connection, table: &str) -> Result<Option<Stored>, StoreError> {
    let wrong = |error: rusqlite::Error| damaged(table, &error);
    let unread = |error: serde_json::Error| damaged(table, &error);
    let found = file
        .prepare_cached(
            "select game, settings, rules, root, holders, listed, created, next, steps, time, left from game where id = ?",
        )
        .map_err(wrong)?
        .query_row([table], |row| {
            let texts = [row.get::<_, String>(0)?, row.get(1)?, row.get(3)?, row.get(4)?];
            let rest = (row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?, row.get(9)?, row.get(10)?);
            Ok((texts, row.get::<_, u32>(2)?, rest))
        })
        .optional()
        .map_err(wrong)?;
    type Rest = (bool, i64, Option<String>, Option<Vec<u8>>, Option<String>, Option<String>);
    let Some(([game, settings, root, holders], rules, rest)) = found else { return Ok(None) };
    let (listed, created, next, steps, time, left): Rest = rest;
    let left = left.map(|text| serde_json::from_str(&text)).transpose().map_err(unread)?;
    let steps = match steps {
        None => Vec::new(),
        Some(packed) => {
            let text = read_text(packed, MAX_TEXT).map_err(|error| damaged(table, &error))?;
            serde_json::from_str(&text).map_err(unread)?
        }
    };
    let row = TableRow {
        id: table.to_owned(),
        game,
        settings: serde_json::from_str(&settings).map_err(unread)?,
        rules,
        root: u64::from_str_radix(&root, 16).map_err(|error| damaged(table, &error))?,
        holders: serde_json::from_str(&holders).map_err(unread)?,
        steps,
        listed,
        created,
        time,
    };
    let mut query = file
        .prepare_cached("select number, entry from entry where game = ? order by number")
        .map_err(wrong)?;
    let texts: Vec<(i64, String)> = query
        .query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect)
        .map_err(wrong)?;
    let mut entries = Vec::with_capacity(texts.len());
    for (expected, (number, text)) in (0..).zip(texts) {
        if number != expected {
            return Err(damaged(table, &format!("expected entry {expected}, found {number}")));
        }
        entries.push(serde_json::from_str(&text).map_err(unread)?);
    }
    let mut query = file.prepare_cached("select hash, seat from key where game = ?").map_err(wrong)?;
    let keys = query
        .query_map([table], |row| Ok((row.get::<_, KeyHash>(0)?, row.get::<_, u32>(1)? as usize)))
        .and_then(Iterator::collect)
        .map_err(wrong)?;
    let sitting = sitting(file, table).map_err(wrong)?;
    Ok(Some(Stored { row, entries, keys, next, sitting, left }))
}

/// The members at a table, with their seats.
fn sitting(file: &Connection, table: &str) -> rusqlite::Result<Vec<(String, usize)>> {
    let mut query = file.prepare_cached("select account, seat from sitting where game = ?")?;
    query.query_map([table], |row| Ok((row.get(0)?, row.get::<_, u32>(1)? as usize)))?.collect()
}
