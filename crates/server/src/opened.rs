//! Tournaments of the command line that the operator shows, and replays of episodes that somebody looks at.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use meeple_arena::{ArenaError, DATABASE, Store};
use meeple_core::{PublicName, Replay};

use crate::competition::{self, Competition};
use crate::key;
use crate::work::Result as Shown;

/// Replays of episodes that are kept in memory: to look at one moment after the other must not play it anew each time.
const MOST_REPLAYS: usize = 32;

/// A tournament's directory that the operator shows.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its name in addresses.
    pub id: String,
    /// Its name for people.
    pub name: PublicName,
    /// Where it is.
    pub path: PathBuf,
}

/// What came of a directory, as it stood when its record was last written.
pub struct OpenedResult {
    /// What was played.
    pub plan: Competition,
    /// The command that began it.
    pub command: String,
    /// What came out.
    pub result: Arc<Shown>,
    /// Its state when it was read.
    pub state: RecordState,
    /// The end of that reading, and how long it took.
    pub read: (Instant, Duration),
    /// The directory.
    pub opened: Opened,
}

/// A record that is being played is read anew when so many times has passed what that takes.
const READING_SHARE: u32 = 20;

impl OpenedResult {
    /// Whether this is what is to be shown now: nothing was stored since, or so little that it would cost too much.
    pub fn is_current(&self) -> bool {
        let (read, took) = self.read;
        let soon = || read.elapsed() < took * READING_SHARE && Store::is_played(&self.opened.path);
        self.state == record_state(&self.opened.path) || soon()
    }
}

/// What tells whether a record was written since: the times and lengths of its files. What a tournament writes stands beside
/// the database until it is folded in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordState([Option<(SystemTime, u64)>; 2]);

/// What the hub keeps of competitions besides its file.
#[derive(Default)]
pub struct Kept {
    directories: Vec<PathBuf>,
    results: Mutex<Vec<(String, Arc<OpenedResult>)>>,
    /// Held by the one who reads a directory, for all who wait for it.
    pub reading: tokio::sync::Mutex<()>,
    replays: Mutex<VecDeque<(String, Arc<Replay>)>>,
}

impl Kept {
    /// With the tournaments of these directories and of folders in them, as they are whenever somebody looks.
    ///
    /// # Errors
    /// If one of them is no directory that can be read.
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

    /// The tournaments that there are now, each once, in the order of their directories and names.
    pub fn opened(&self) -> Vec<Opened> {
        let mut opened: Vec<Opened> = Vec::new();
        for directory in &self.directories {
            let folders = std::fs::read_dir(directory).into_iter().flatten().flatten();
            let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
            folders.sort();
            for path in std::iter::once(directory.clone()).chain(folders) {
                if path.join(DATABASE).is_file() {
                    let found = Opened::at(path);
                    if opened.iter().all(|known| known.id != found.id) {
                        opened.push(found);
                    }
                }
            }
        }
        opened
    }

    /// The directory of this name.
    pub fn find(&self, id: &str) -> Option<Opened> {
        // What was looked at before needs no search.
        let known = self.result(id).map(|known| known.opened.clone());
        let known = known.filter(|known| known.path.join(DATABASE).is_file());
        known.or_else(|| self.opened().into_iter().find(|opened| opened.id == id))
    }

    /// What is known of a directory.
    pub fn result(&self, id: &str) -> Option<Arc<OpenedResult>> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.iter().find(|(known, _)| known == id).map(|(_, result)| Arc::clone(result))
    }

    /// Keeps what is known of a directory.
    pub fn keep_result(&self, id: &str, result: &Arc<OpenedResult>) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.retain(|(known, _)| known != id);
        results.push((id.to_owned(), Arc::clone(result)));
    }

    /// A replay that was looked at before.
    pub fn replay(&self, name: &str) -> Option<Arc<Replay>> {
        let replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        replays.iter().find(|(known, _)| known == name).map(|(_, replay)| Arc::clone(replay))
    }

    /// Keeps a replay for who looks at it again.
    pub fn keep_replay(&self, name: &str, replay: &Arc<Replay>) {
        let mut replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        if replays.len() >= MOST_REPLAYS {
            replays.pop_front();
        }
        replays.push_back((name.to_owned(), Arc::clone(replay)));
    }
}

impl Opened {
    fn at(path: PathBuf) -> Self {
        let path = path.canonicalize().unwrap_or(path);
        let name =
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()).into();
        Self { id: key::name_of(&path.to_string_lossy()), name, path }
    }

    /// Reads it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> Result<OpenedResult, ArenaError> {
        let (state, began) = (record_state(&self.path), Instant::now());
        let (plan, command, result) = competition::opened(&self.id, &self.path)?;
        let read = (Instant::now(), began.elapsed());
        Ok(OpenedResult { plan, command, result: Arc::new(result), state, read, opened: self.clone() })
    }
}

/// The state of the record in a directory.
fn record_state(directory: &Path) -> RecordState {
    RecordState([DATABASE.to_owned(), format!("{DATABASE}-wal")].map(|name| {
        let file = std::fs::metadata(directory.join(name)).ok()?;
        Some((file.modified().unwrap_or(SystemTime::UNIX_EPOCH), file.len()))
    }))
}
