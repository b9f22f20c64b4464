//! Supervision of long work: Ctrl-C, progress, and early ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_lab::{Progress, StopFlag};
use pyo3::prelude::*;

use crate::failure::guarded;

/// Interval of polls for Ctrl-C and of progress reports.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Supervision of a run: polls for Ctrl-C, and calls Python about progress.
pub(crate) struct Watch {
    /// Progress callback, which receives the numbers of finished and of all episodes.
    on_progress: Option<Py<PyAny>>,
    pub(crate) stop: StopFlag,
    /// Number of finished episodes, counted one by one; `total` is that of all episodes of the run.
    done: AtomicU64,
    total: AtomicU64,
    state: Mutex<State>,
}

struct State {
    next: Instant,
    last: (u64, u64),
    error: Option<PyErr>,
}

impl Watch {
    /// The watch of a run that has not started, with a progress callback.
    pub(crate) fn new(on_progress: Option<Py<PyAny>>) -> Self {
        let state = State { next: Instant::now() + POLL_INTERVAL, last: (0, 0), error: None };
        let (done, total) = Default::default();
        Self { on_progress, stop: StopFlag::new(), done, total, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run with this error; an earlier error takes precedence.
    pub(crate) fn end(&self, error: PyErr) {
        self.state().error.get_or_insert(error);
        self.stop.stop();
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.state().error.is_some()
    }

    pub(crate) fn error(&self) -> Option<PyErr> {
        self.state().error.take()
    }

    pub(crate) fn count_episode(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Polls for Ctrl-C and reports progress, if the next poll is due. Call it on the thread that requested
    /// the run.
    pub(crate) fn look_if_due(&self) {
        if self.state().next <= Instant::now() {
            self.look();
        }
    }

    /// Polls for Ctrl-C and reports progress. Call it on the thread that requested the run.
    pub(crate) fn look(&self) {
        let progress = self.progress();
        // No lock is held while Python runs, because its code may poll here again.
        let is_news = {
            let mut state = self.state();
            state.next = Instant::now() + POLL_INTERVAL;
            let is_news = progress != state.last && progress.1 > 0 && state.error.is_none();
            state.last = progress;
            is_news
        };
        let looked = Python::attach(|py| {
            py.check_signals()?;
            match &self.on_progress {
                Some(on_progress) if is_news => on_progress.call1(py, progress).map(drop),
                _ => Ok(()),
            }
        });
        if let Err(error) = looked {
            self.end(error);
        }
    }

    fn progress(&self) -> (u64, u64) {
        let total = self.total.load(Ordering::Relaxed);
        (self.done.load(Ordering::Relaxed).min(total), total)
    }

    /// Runs long work on a thread of its own, without the interpreter lock. The calling thread polls every
    /// [`POLL_INTERVAL`] until the work is done, because only that thread can receive Ctrl-C.
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

    /// Runs long work on this thread. The work itself calls [`look_if_due`](Self::look_if_due).
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

/// Progress of the work, recorded for the polling thread.
struct Counts<'a>(&'a Watch);

impl Progress for Counts<'_> {
    fn update(&mut self, done: u64, total: u64, _label: &str) {
        self.0.total.store(total, Ordering::Relaxed);
        self.0.done.fetch_max(done, Ordering::Relaxed);
    }
}

/// The error that ended a run early. Its attribute `partial` gets the partial result, or `None`.
pub(crate) fn with_partial(py: Python<'_>, error: PyErr, partial: Option<Py<PyAny>>) -> PyErr {
    // An exception without settable attributes is raised unchanged.
    let _ = error.value(py).setattr("partial", partial);
    error
}
