//! Progress reports and cancellation of long runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Observer of a run's progress. It is called on the thread that started the run, a few to a few hundred
/// times a second.
pub trait Progress {
    /// Reports `done` of `total` episodes played and counted; in a review, decisions judged. In a sweep both
    /// count over all cells and `label` names the cell; elsewhere the label is empty.
    fn update(&mut self, done: u64, total: u64, label: &str);
}

/// An observer that ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn update(&mut self, _done: u64, _total: u64, _label: &str) {}
}

/// Cancellation flag for runs, for example in the handler of Ctrl-C. Clones share the same flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<State>);

#[derive(Debug, Default)]
struct State {
    stopped: AtomicBool,
    writing: AtomicBool,
}

impl StopFlag {
    /// An unset flag.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all runs with this flag to finish with the episodes they have.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// True once [`stop`](Self::stop) was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// True while a run writes its files after playing. Ending the program then loses these files; earlier
    /// results stay safe.
    pub fn is_writing(&self) -> bool {
        self.0.writing.load(Ordering::Relaxed)
    }

    /// Marks the run as writing until the returned guard is dropped.
    pub(crate) fn writing(&self) -> Writing<'_> {
        self.0.writing.store(true, Ordering::Relaxed);
        Writing(self)
    }
}

pub(crate) struct Writing<'a>(&'a StopFlag);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.0.writing.store(false, Ordering::Relaxed);
    }
}
