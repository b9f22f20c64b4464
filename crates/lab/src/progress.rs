//! How a long run is watched and stopped from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Is told how far a run has come. Called on the thread that started the run, a few times a second to a few
/// hundred times.
pub trait Progress {
    /// `done` of `total` episodes are played and counted. In a sweep both count over all cells and `label`
    /// names the cell; elsewhere it is empty.
    fn update(&mut self, done: u64, total: u64, label: &str);
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn update(&mut self, _done: u64, _total: u64, _label: &str) {}
}

/// Stops runs from elsewhere, as from the handler of Ctrl-C. Clones stop the same runs.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<State>);

#[derive(Debug, Default)]
struct State {
    stopped: AtomicBool,
    writing: AtomicBool,
}

impl StopFlag {
    /// A flag that stops nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all runs with this flag to finish with the episodes they have.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether they were asked.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Whether a run has played its episodes and writes its files: to end the program now would lose them.
    /// Earlier results would be safe.
    pub fn is_writing(&self) -> bool {
        self.0.writing.load(Ordering::Relaxed)
    }

    /// Says so until the value is dropped.
    pub(crate) fn writing(&self) -> Writing<'_> {
        self.0.writing.store(true, Ordering::Relaxed);
        Writing(self)
    }
}

/// A run that writes its files.
pub(crate) struct Writing<'a>(&'a StopFlag);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.0.writing.store(false, Ordering::Relaxed);
    }
}
