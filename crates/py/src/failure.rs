//! What goes wrong here, as exceptions of Python: with the texts and hints of the command line.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

use meeple_core::{EntryError, ToolError};
use meeple_lab::LabError;
use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(meeple._errors, UsageError);
import_exception!(meeple._errors, IllegalAction);
import_exception!(meeple._errors, Failure);

/// Something that was asked for wrongly.
pub(crate) fn usage(text: impl ToString) -> PyErr {
    UsageError::new_err(text.to_string())
}

/// An action that cannot be taken.
pub(crate) fn illegal(text: impl ToString) -> PyErr {
    IllegalAction::new_err(text.to_string())
}

/// Something that could not be done.
pub(crate) fn failure(text: impl ToString) -> PyErr {
    Failure::new_err(text.to_string())
}

/// What is wrong with what was asked of a game.
pub(crate) fn entry_error(error: EntryError) -> PyErr {
    match error {
        EntryError::Tool(ToolError::Failed(_)) => failure(error),
        _ => usage(error),
    }
}

/// What is wrong with an experiment.
pub(crate) fn lab_error(error: LabError) -> PyErr {
    match error {
        LabError::Face(error) => entry_error(error),
        LabError::Agent(_)
        | LabError::LineUp(_)
        | LabError::Color(_)
        | LabError::Episodes { .. }
        | LabError::Range(..)
        | LabError::Sweep(_) => usage(error),
        _ => failure(error),
    }
}

/// Does some work. A panic in it is a fault of ours: an exception, never the end of the interpreter.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "a panic without a message".to_owned());
        failure(format!("a fault of meeple's own: {text}\nhint: please report it"))
    })
}

/// Does some work on what only one thread may use at a time, without the lock of the interpreter. A panic leaves it
/// unusable.
pub(crate) fn with<S: Send, T: Send>(
    py: Python<'_>,
    shared: &Mutex<S>,
    work: impl FnOnce(&mut S) -> T + Send,
) -> PyResult<T> {
    let mut own = taken(shared)?;
    let own = &mut *own;
    py.detach(|| guarded(|| work(own)))
}

/// As [`with`], for work that takes less time than giving the lock of the interpreter away and taking it back.
pub(crate) fn quickly<S, T>(shared: &Mutex<S>, work: impl FnOnce(&mut S) -> T) -> PyResult<T> {
    let mut own = taken(shared)?;
    guarded(|| work(&mut own))
}

/// What only one thread may use at a time.
fn taken<S>(shared: &Mutex<S>) -> PyResult<MutexGuard<'_, S>> {
    // Whoever waited here would keep the interpreter from the thread that it waits for.
    shared.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            usage("another thread is using this object\nhint: give each thread a copy of its own")
        }
        TryLockError::Poisoned(_) => {
            failure("an earlier fault has broken this object\nhint: begin anew, and please report the fault")
        }
    })
}
