//! The persistent state: one SQLite file with every table's seats, keys and accepted entries.
//!
//! One thread owns the file. Group commit: all queued writes share one transaction and one fsync, and callers
//! get their answer after it. A table is event-sourced: its seed and its entries reproduce it, and entries
//! never change.

mod health;

use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, Transaction};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::store::health::Health;

/// The SQLite application identifier of our files.
const APPLICATION: i32 = 0x6d65_706c;
/// The schema's version: the number of migrations.
const SCHEMA_VERSION: i32 = MIGRATIONS.len() as i32;

/// The migrations from an empty file to the newest schema, in order. A released migration never changes,
/// because users' files have gone through it.
const MIGRATIONS: [&str; 7] = [
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
    "
create table competition(
    id text primary key, plan text not null, state int not null, result blob, created int not null
) without rowid, strict;
create table piece(
    competition text not null, first int not null, last int not null, shard blob not null, micros int not null,
    primary key(competition, first)
) without rowid, strict;
create index competition_by_time on competition(created);
",
    "
alter table game add column closed text;
create table ban(address text primary key, created int not null) without rowid, strict;
",
    "
create table account(
    id text primary key, name text not null, folded text not null unique, password text not null, created int not null,
    locked int
) without rowid, strict;
create table session(
    hash blob primary key, id text not null, account text not null, began int not null, browser text not null
) without rowid, strict;
create table sitting(game text not null, seat int not null, account text not null, primary key(game, seat))
    without rowid, strict;
create index sitting_by_account on sitting(account);
",
    "
alter table game add column time text;
alter table game add column left text;
",
];

/// Size of the probe's write in bytes: more than a move of any game.
const PROBE_BYTES: u32 = 256 * 1024;

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
        "{path}: expected version {SCHEMA_VERSION}, found {found}\nhint: a newer meeple has written it; use that one"
    )]
    Newer { path: String, found: i32 },
    #[error(
        "{path}: expected version {SCHEMA_VERSION}, found {found}\nhint: an older meeple has written it; a server that opens a copy \
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
    /// Stored data is damaged. `table` names the damaged row or list.
    #[error("table {table}: {reason}")]
    Damaged { table: String, reason: String },
}

impl StoreError {
    /// An error of SQLite with this file, with a possible remedy.
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

/// Checks that a file is ours and has this release's schema, for readers that do not migrate it.
pub fn expect_our_file(path: &str, file: &Connection) -> Result<(), StoreError> {
    let number = |name: &str| {
        let value = file.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        value.map_err(|error| StoreError::of_sqlite(path, error))
    };
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION, SCHEMA_VERSION) => Ok(()),
        (APPLICATION, found) if found > SCHEMA_VERSION => {
            Err(StoreError::Newer { path: path.to_owned(), found })
        }
        (APPLICATION, found) => Err(StoreError::Older { path: path.to_owned(), found }),
        _ => Err(StoreError::Foreign { path: path.to_owned() }),
    }
}

/// A change of the file.
pub trait FileChange: Send {
    fn apply(&self, change: &Transaction<'_>) -> rusqlite::Result<()>;
}

type Write = Box<dyn FileChange>;

fn boxed<C: FileChange + 'static>(writes: Vec<C>) -> Vec<Write> {
    writes.into_iter().map(|write| Box::new(write) as Write).collect()
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
        let name = path.map_or("memory".to_owned(), |path| path.display().to_string());
        let sqlite = |error: rusqlite::Error| StoreError::of_sqlite(&name, error);
        let mut file = match path {
            Some(path) => Connection::open(path),
            None => Connection::open_in_memory(),
        }
        .map_err(sqlite)?;
        // The lock is exclusive and permanent, so waiting for it is useless.
        file.busy_timeout(Duration::ZERO).map_err(sqlite)?;
        file.pragma_update(None, "locking_mode", "exclusive").map_err(sqlite)?;
        let number =
            |file: &Connection, name: &str| file.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let tables: i64 =
            file.query_row("select count(*) from sqlite_master", [], |row| row.get(0)).map_err(sqlite)?;
        let application = number(&file, "application_id").map_err(sqlite)?;
        let version = number(&file, "user_version").map_err(sqlite)?;
        let done = match (application, version) {
            (APPLICATION, SCHEMA_VERSION) => MIGRATIONS.len(),
            (APPLICATION, found) if found > SCHEMA_VERSION => {
                return Err(StoreError::Newer { path: name, found });
            }
            (APPLICATION, 1..) => version as usize,
            _ if tables > 0 => return Err(StoreError::Foreign { path: name }),
            _ => 0,
        };
        // This pragma writes to the file, so it is set only once the file is known to be ours.
        file.pragma_update(None, "journal_mode", "wal").map_err(sqlite)?;
        file.pragma_update(None, "synchronous", "full").map_err(sqlite)?;
        // One transaction has all migrations, so an interruption leaves the old file.
        let bring_up = |file: &mut Connection| {
            let change = file.transaction()?;
            MIGRATIONS[done..].iter().try_for_each(|sql| change.execute_batch(sql))?;
            change.pragma_update(None, "application_id", APPLICATION)?;
            change.pragma_update(None, "user_version", SCHEMA_VERSION)?;
            change.commit()
        };
        if done < MIGRATIONS.len() {
            bring_up(&mut file).map_err(sqlite)?;
        }
        let (jobs, inbox) = mpsc::channel();
        let health = Health::default();
        let noted = health.clone();
        let thread = std::thread::spawn(move || serve(file, &inbox, &noted));
        Ok(Self { jobs, thread, health })
    }

    /// Queues writes as one atomic unit. The writes are queued when this returns, even if the future is
    /// dropped. The future resolves once they are on disk.
    pub fn write<C: FileChange + 'static>(
        &self,
        writes: Vec<C>,
    ) -> impl Future<Output = Result<(), String>> + use<C> {
        let (done, answer) = oneshot::channel();
        let sent = self.jobs.send(Job::Write { writes: boxed(writes), done });
        async move {
            sent.map_err(|_| StoreError::Closed.to_string())?;
            answer.await.map_err(|_| StoreError::Closed.to_string())?.map_err(|error| error.to_string())
        }
    }

    /// Does the same as [`write`](Self::write), for threads that may block.
    ///
    /// # Errors
    /// If the writes fail. Then none of them takes effect.
    pub fn write_and_wait<C: FileChange + 'static>(&self, writes: Vec<C>) -> Result<(), String> {
        let (done, answer) = oneshot::channel();
        self.jobs
            .send(Job::Write { writes: boxed(writes), done })
            .map_err(|_| StoreError::Closed.to_string())?;
        let written = answer.blocking_recv().map_err(|_| StoreError::Closed.to_string())?;
        written.map_err(|error| error.to_string())
    }

    /// Does the same as [`read`](Self::read), for threads that may block.
    pub fn read_and_wait<T: Send + 'static>(
        &self,
        reading: impl FnOnce(&Connection) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, answer) = oneshot::channel();
        let job = Job::Read(Box::new(move |file| drop(done.send(reading(file)))));
        self.jobs.send(job).map_err(|_| StoreError::Closed)?;
        answer.blocking_recv().map_err(|_| StoreError::Closed)
    }

    pub async fn read<T: Send + 'static>(
        &self,
        reading: impl FnOnce(&Connection) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, answer) = oneshot::channel();
        // Sending fails if the caller has gone.
        let job = Job::Read(Box::new(move |file| drop(done.send(reading(file)))));
        self.jobs.send(job).map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)
    }

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

    /// Ends the thread after all pending jobs.
    pub fn close(self) {
        drop(self.jobs);
        // The thread's panic has been reported already.
        drop(self.thread.join());
    }
}

pub fn damaged(table: &str, reason: &dyn std::fmt::Display) -> StoreError {
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

/// Writes a group in one transaction. If that fails, each member of the group is written separately, so that
/// one cannot spoil another.
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
        // Sending fails if the caller has gone.
        drop(done.send(result));
    }
}

fn whole<'a>(file: &mut Connection, writes: impl IntoIterator<Item = &'a Write>) -> rusqlite::Result<()> {
    let change = file.transaction()?;
    for write in writes {
        write.apply(&change)?;
    }
    change.commit()
}

/// Writes and deletes [`PROBE_BYTES`] bytes.
fn probe(file: &Connection) -> rusqlite::Result<()> {
    file.execute_batch(&format!(
        "drop table if exists probe; create table probe(bytes blob) strict; insert into probe values(zeroblob({PROBE_BYTES}));"
    ))?;
    file.execute_batch("drop table probe")
}
