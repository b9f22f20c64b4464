//! Watching long work: Ctrl-C, progress, and what ends a run early.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_lab::{Progress, StopFlag};
use pyo3::prelude::*;

use crate::failure::guarded;

/// Time between two looks for Ctrl-C, and between two calls of whoever is told how far a run is.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What watches a run. The only place that looks for Ctrl-C and calls Python about progress.
pub(crate) struct Watch {
    /// Called with how many episodes of how many are played.
    told: Option<Py<PyAny>>,
    /// Stops the run between two episodes.
    pub(crate) stop: StopFlag,
    /// Episodes that are played, counted one by one, and all of the run.
    done: AtomicU64,
    total: AtomicU64,
    state: Mutex<State>,
}

struct State {
    /// When to look next.
    next: Instant,
    /// What was told last.
    last: (u64, u64),
    /// What has ended the run early.
    error: Option<PyErr>,
}

impl Watch {
    /// A watch of a run that has not begun; `told` is called about progress.
    pub(crate) fn new(told: Option<Py<PyAny>>) -> Self {
        let state = State { next: Instant::now() + POLL_INTERVAL, last: (0, 0), error: None };
        let (done, total) = Default::default();
        Self { told, stop: StopFlag::new(), done, total, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run with this error, unless another one has ended it.
    pub(crate) fn end(&self, error: PyErr) {
        self.state().error.get_or_insert(error);
        self.stop.stop();
    }

    /// Whether an error has ended the run.
    pub(crate) fn has_ended(&self) -> bool {
        self.state().error.is_some()
    }

    /// The error that has ended the run, if any.
    pub(crate) fn error(&self) -> Option<PyErr> {
        self.state().error.take()
    }

    /// Counts an episode that was played.
    pub(crate) fn count_episode(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Looks for Ctrl-C and tells how far the run is, if that was done too long ago. On the thread that asked for the run.
    pub(crate) fn look_if_due(&self) {
        if self.state().next <= Instant::now() {
            self.look();
        }
    }

    /// Looks for Ctrl-C and tells how far the run is. On the thread that asked for the run.
    pub(crate) fn look(&self) {
        let progress = self.progress();
        // Nothing is locked while Python runs: what it calls may look here again.
        let is_news = {
            let mut state = self.state();
            state.next = Instant::now() + POLL_INTERVAL;
            let is_news = progress != state.last && progress.1 > 0 && state.error.is_none();
            state.last = progress;
            is_news
        };
        let looked = Python::attach(|py| {
            py.check_signals()?;
            match &self.told {
                Some(told) if is_news => told.call1(py, progress).map(drop),
                _ => Ok(()),
            }
        });
        if let Err(error) = looked {
            self.end(error);
        }
    }

    /// Episodes that are played, and all of the run.
    fn progress(&self) -> (u64, u64) {
        let total = self.total.load(Ordering::Relaxed);
        (self.done.load(Ordering::Relaxed).min(total), total)
    }

    /// Plays something long on a thread of its own, without the lock of the interpreter. The thread that asks looks every
    /// [`POLL_INTERVAL`] until it is done: only that thread may hear of Ctrl-C.
    pub(crate) fn over<T: Send>(
        &self,
        py: Python<'_>,
        play: impl FnOnce(&mut dyn Progress) -> T + Send,
    ) -> PyResult<T> {
        let played = py.detach(|| {
            std::thread::scope(|scope| {
                let (sender, ended) = channel::<()>();
                let player = scope.spawn(move || {
                    let played = guarded(|| play(&mut Counts(self)));
                    drop(sender);
                    played
                });
                while ended.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    self.look();
                }
                player.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        py.detach(|| self.look());
        played
    }

    /// Plays something long on this thread, for what belongs to it. Whoever plays calls [`look_if_due`](Self::look_if_due).
    pub(crate) fn over_here<T: Send>(
        &self,
        py: Python<'_>,
        play: impl FnOnce(&mut dyn Progress) -> T + Send,
    ) -> PyResult<T> {
        let played = py.detach(|| guarded(|| play(&mut Counts(self))));
        py.detach(|| self.look());
        played
    }
}

/// Writes down how far a run is, for the thread that looks.
struct Counts<'a>(&'a Watch);

impl Progress for Counts<'_> {
    fn update(&mut self, done: u64, total: u64, _label: &str) {
        self.0.total.store(total, Ordering::Relaxed);
        self.0.done.fetch_max(done, Ordering::Relaxed);
    }
}

/// The error that has ended a run early, with what was played until then as its attribute `partial` (`None` if nothing was).
pub(crate) fn with_partial(py: Python<'_>, error: PyErr, partial: Option<Py<PyAny>>) -> PyErr {
    // An exception that takes no attributes is raised as it is.
    let _ = error.value(py).setattr("partial", partial);
    error
}
