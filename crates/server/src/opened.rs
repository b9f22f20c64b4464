//! Tournaments of the command line that the operator shows, and replays of episodes that somebody looks at.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use meeple_arena::{ArenaError, DATABASE};
use meeple_core::Replay;

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
    pub name: String,
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
    /// When its record was last written.
    pub written: SystemTime,
}

/// What the hub keeps of competitions besides its file.
#[derive(Default)]
pub struct Kept {
    opened: Vec<Opened>,
    results: Mutex<Vec<(String, Arc<OpenedResult>)>>,
    replays: Mutex<VecDeque<(String, Arc<Replay>)>>,
}

impl Kept {
    /// With the tournaments of these directories, and of folders in them.
    ///
    /// # Errors
    /// If there is none in one of them.
    pub fn open(directories: &[PathBuf]) -> Result<Self, ArenaError> {
        let mut opened = Vec::new();
        for directory in directories {
            let before = opened.len();
            let folders = std::fs::read_dir(directory).into_iter().flatten().flatten();
            let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
            folders.sort();
            for path in std::iter::once(directory.clone()).chain(folders) {
                if path.join(DATABASE).is_file() {
                    opened.push(Opened::at(path));
                }
            }
            if opened.len() == before {
                return Err(ArenaError::Missing {
                    path: directory.clone(),
                    reason: format!(
                        "expected the directory of a tournament ({DATABASE}), or of several, found none\nhint: \
                         meeple tournament GAME AGENT… --out DIR makes one"
                    ),
                });
            }
        }
        Ok(Self { opened, ..Self::default() })
    }

    /// All directories.
    pub fn opened(&self) -> &[Opened] {
        &self.opened
    }

    /// The directory of this name.
    pub fn find(&self, id: &str) -> Option<&Opened> {
        self.opened.iter().find(|opened| opened.id == id)
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
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Self { id: key::name_of(&path.to_string_lossy()), name, path }
    }

    /// Reads it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> Result<OpenedResult, ArenaError> {
        let written = written(&self.path);
        let (plan, command, result) = competition::opened(&self.id, &self.path)?;
        Ok(OpenedResult { plan, command, result: Arc::new(result), written })
    }
}

/// When the record in a directory was last written.
pub fn written(directory: &Path) -> SystemTime {
    let time = std::fs::metadata(directory.join(DATABASE)).and_then(|file| file.modified());
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}
