//! Progress reports and cancellation of long runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use meeple_core::CancelToken;

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
    /// Ends episodes from within, in runs that can be abandoned.
    episodes: Option<CancelToken>,
}

impl StopFlag {
    /// An unset flag.
    pub fn new() -> Self {
        Self::default()
    }

    /// An unset flag of runs that can be abandoned. Their decisions get a little slower.
    pub fn with_abandonment() -> Self {
        Self(Arc::new(State { episodes: Some(CancelToken::new()), ..State::default() }))
    }

    /// Stops all runs with this flag, even within an episode, which is then lost. Flags made by
    /// [`new`](Self::new) only stop.
    pub fn abandon(&self) {
        self.stop();
        self.0.episodes.iter().for_each(CancelToken::cancel);
    }

    pub(crate) fn episodes(&self) -> Option<&CancelToken> {
        self.0.episodes.as_ref()
    }

    /// True once a run that can be abandoned was.
    pub fn is_abandoned(&self) -> bool {
        self.0.episodes.as_ref().is_some_and(CancelToken::is_cancelled)
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
