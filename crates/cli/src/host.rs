//! Services for long computations of games' tools: threads, files, and Ctrl-C.

use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use meeple_core::ToolHost;
use meeple_lab::pool::{self, PoolWorker};

use crate::replay_file::write_atomically;
use crate::terminal;

/// Environment variable that names the cache folder for long computations; an empty value disables the cache.
const FOLDER: &str = "MEEPLE_CACHE";

pub struct Host {
    threads: usize,
    folder: Option<PathBuf>,
    signals: Arc<Signals>,
}

#[derive(Default)]
struct Signals {
    /// True after the first Ctrl-C.
    stopped: AtomicBool,
    /// True if the computation polls for a stop. Otherwise the first Ctrl-C ends the program at once.
    asks: AtomicBool,
}

impl Host {
    /// A host with `threads` threads (0: one per core), which handles Ctrl-C from now on.
    pub fn new(threads: usize) -> anyhow::Result<Self> {
        let signals = Arc::new(Signals::default());
        let heard = Arc::clone(&signals);
        ctrlc::set_handler(move || {
            if heard.asks.load(Ordering::SeqCst) && !heard.stopped.swap(true, Ordering::SeqCst) {
                terminal::tell(
                    "\nmeeple: stops after the current step; Ctrl-C once more ends at once, and keeps what \
                     is done",
                );
            } else {
                std::process::exit(1);
            }
        })?;
        Ok(Self { threads: pool::threads(threads), folder: folder(), signals })
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(name))
    }
}

fn folder() -> Option<PathBuf> {
    match std::env::var_os(FOLDER).map(PathBuf::from) {
        Some(folder) => Some(folder).filter(|folder| !folder.as_os_str().is_empty()),
        None => caches(),
    }
}

/// Meeple's folder in the user's caches; `None` if the user has no home.
pub fn caches() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || set("HOME").map(|home| home.join(".cache"));
    set("XDG_CACHE_HOME").or_else(home).map(|caches| caches.join("meeple"))
}

impl ToolHost for Host {
    fn each(
        &self,
        count: usize,
        item: &(dyn Fn(usize) + Sync),
        done: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) {
        let workers = std::iter::repeat_n((), self.threads.min(count));
        let work = |_: &mut PoolWorker<'_, (), ()>, index| item(index);
        pool::run(workers, count, work, |pool| {
            (0..count).for_each(|index| pool.give(index));
            for index in 0..count {
                match pool.take() {
                    Some(Ok(())) if done(index).is_continue() => {}
                    Some(Err(panicked)) => panic!("{panicked}"),
                    _ => break,
                }
            }
        });
    }

    fn is_stopped(&self) -> bool {
        self.signals.asks.store(true, Ordering::SeqCst);
        self.signals.stopped.load(Ordering::SeqCst)
    }

    fn kept(&self, name: &str) -> Result<Option<String>, String> {
        let Some(path) = self.path(name) else { return Ok(None) };
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    fn keep(&self, name: &str, text: &str) -> Result<(), String> {
        let Some(path) = self.path(name) else {
            return Err(format!("there is no folder for it; {FOLDER} names one"));
        };
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder.map_err(|error| format!("{}: {error}", path.display()))?;
        write_atomically(&path, text.as_bytes()).map_err(|error| format!("{error:#}"))
    }
}
