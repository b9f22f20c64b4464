//! Directories of the command line's tournaments, which the operator shows, and cached replays of episodes.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use meeple_arena::{ArenaError, DATABASE, RecordStore};
use meeple_core::{PublicName, Replay};

use crate::competitions::plan;
use crate::competitions::plan::Competition;
use crate::jobs::job::JobResult;
use crate::key;

/// Capacity of the cache of replays. A cached episode is played once, while a reader steps through its
/// moments.
const MAX_REPLAYS: usize = 32;

#[derive(Clone, Debug)]
pub struct TournamentDirectory {
    pub id: String,
    /// The name for people.
    pub name: PublicName,
    pub path: PathBuf,
}

/// The result of a directory, from one state of its record.
pub struct DirectoryResult {
    pub plan: Competition,
    /// The command that started the tournament.
    pub command: String,
    pub result: Arc<JobResult>,
    /// The record's state when the reading began.
    pub state: RecordState,
    /// The end of the reading, and its duration.
    pub read: (Instant, Duration),
    pub opened: TournamentDirectory,
}

/// A record that grows is read again after this multiple of the last reading's duration, at the earliest.
const REREAD_FACTOR: u32 = 20;

impl DirectoryResult {
    /// Returns true while this result may be shown: the record is unchanged, or it grows and was read too
    /// recently.
    pub fn is_current(&self) -> bool {
        let (read, took) = self.read;
        let soon = || read.elapsed() < took * REREAD_FACTOR && RecordStore::is_played(&self.opened.path);
        self.state == record_state(&self.opened.path) || soon()
    }
}

/// A fingerprint of the record: modification times and sizes of the database and its write-ahead log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordState([Option<(SystemTime, u64)>; 2]);

/// Directories of tournaments, with cached results and replays.
#[derive(Default)]
pub struct Directories {
    directories: Vec<PathBuf>,
    results: Mutex<Vec<(String, Arc<DirectoryResult>)>>,
    /// Held while a directory is read, so that concurrent requests share the result.
    pub reading: tokio::sync::Mutex<()>,
    replays: Mutex<VecDeque<(String, Arc<Replay>)>>,
}

impl Directories {
    /// Shows the tournaments in these directories and in their folders. The directories are listed again at
    /// each request.
    pub fn open(directories: &[PathBuf]) -> Result<Self, ArenaError> {
        for directory in directories {
            std::fs::read_dir(directory).map_err(|error| ArenaError::Missing {
                path: directory.clone(),
                reason: format!(
                    "expected a directory, of a tournament or for several: {error}\nhint: meeple tournament GAME AGENT… \
                     --out DIR makes one of a tournament"
                ),
            })?;
        }
        Ok(Self { directories: directories.to_vec(), ..Self::default() })
    }

    /// The current tournaments without duplicates, in the order of directories and then of names.
    pub fn opened(&self) -> Vec<TournamentDirectory> {
        let mut opened: Vec<TournamentDirectory> = Vec::new();
        for directory in &self.directories {
            let folders = std::fs::read_dir(directory).into_iter().flatten().flatten();
            let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
            folders.sort();
            for path in std::iter::once(directory.clone()).chain(folders) {
                if path.join(DATABASE).is_file() {
                    let found = TournamentDirectory::at(path);
                    if opened.iter().all(|known| known.id != found.id) {
                        opened.push(found);
                    }
                }
            }
        }
        opened
    }

    /// Finds a directory by its identifier.
    pub fn find(&self, id: &str) -> Option<TournamentDirectory> {
        // Cached directories need no search.
        let known = self.result(id).map(|known| known.opened.clone());
        let known = known.filter(|known| known.path.join(DATABASE).is_file());
        known.or_else(|| self.opened().into_iter().find(|opened| opened.id == id))
    }

    pub fn result(&self, id: &str) -> Option<Arc<DirectoryResult>> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.iter().find(|(known, _)| known == id).map(|(_, result)| Arc::clone(result))
    }

    pub fn keep_result(&self, id: &str, result: &Arc<DirectoryResult>) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.retain(|(known, _)| known != id);
        results.push((id.to_owned(), Arc::clone(result)));
    }

    pub fn replay(&self, name: &str) -> Option<Arc<Replay>> {
        let replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        replays.iter().find(|(known, _)| known == name).map(|(_, replay)| Arc::clone(replay))
    }

    pub fn keep_replay(&self, name: &str, replay: &Arc<Replay>) {
        let mut replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        if replays.len() >= MAX_REPLAYS {
            replays.pop_front();
        }
        replays.push_back((name.to_owned(), Arc::clone(replay)));
    }
}

impl TournamentDirectory {
    fn at(path: PathBuf) -> Self {
        let path = path.canonicalize().unwrap_or(path);
        let name =
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()).into();
        Self { id: key::name_of(&path.to_string_lossy()), name, path }
    }

    pub fn read(&self) -> Result<DirectoryResult, ArenaError> {
        let (state, began) = (record_state(&self.path), Instant::now());
        let (plan, command, result) = plan::opened(&self.id, &self.path)?;
        let read = (Instant::now(), began.elapsed());
        Ok(DirectoryResult { plan, command, result: Arc::new(result), state, read, opened: self.clone() })
    }
}

/// The current state of the record in a directory.
fn record_state(directory: &Path) -> RecordState {
    RecordState([DATABASE.to_owned(), format!("{DATABASE}-wal")].map(|name| {
        let file = std::fs::metadata(directory.join(name)).ok()?;
        Some((file.modified().unwrap_or(SystemTime::UNIX_EPOCH), file.len()))
    }))
}
