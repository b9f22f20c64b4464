//! Errors as Python exceptions, with the texts and hints of the command line.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

use meeple_core::EntryError;
use meeple_lab::LabError;
use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(meeple._errors, UsageError);
import_exception!(meeple._errors, IllegalAction);
import_exception!(meeple._errors, Failure);

pub(crate) fn usage(text: impl ToString) -> PyErr {
    UsageError::new_err(text.to_string())
}

pub(crate) fn illegal(text: impl ToString) -> PyErr {
    IllegalAction::new_err(text.to_string())
}

pub(crate) fn failure(text: impl ToString) -> PyErr {
    Failure::new_err(text.to_string())
}

pub(crate) fn entry_error(error: EntryError) -> PyErr {
    if error.is_usage() { usage(error) } else { failure(error) }
}

pub(crate) fn lab_error(error: LabError) -> PyErr {
    if error.is_usage() { usage(error) } else { failure(error) }
}

/// Runs `work`. A panic in it is a bug of Meeple and becomes an exception.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = meeple_core::panic_message(&*payload);
        failure(format!("a bug in meeple: {text}\nhint: please report it"))
    })
}

/// Runs `work` on a shared object without the interpreter lock. Only one thread may use the object at a time.
/// A panic makes the object unusable.
pub(crate) fn with<S: Send, T: Send>(
    py: Python<'_>,
    shared: &Mutex<S>,
    work: impl FnOnce(&mut S) -> T + Send,
) -> PyResult<T> {
    let mut own = taken(shared)?;
    let own = &mut *own;
    py.detach(|| guarded(|| work(own)))
}

/// As [`with`], for work that is cheaper than releasing and reacquiring the interpreter lock.
pub(crate) fn quickly<S, T>(shared: &Mutex<S>, work: impl FnOnce(&mut S) -> T) -> PyResult<T> {
    let mut own = taken(shared)?;
    guarded(|| work(&mut own))
}

/// Locks an object that only one thread may use at a time.
pub(crate) fn taken<S>(shared: &Mutex<S>) -> PyResult<MutexGuard<'_, S>> {
    // Waiting here would block the interpreter, and with it the thread that holds the object.
    shared.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            usage("another thread is using this object\nhint: give each thread a copy of its own")
        }
        TryLockError::Poisoned(_) => failure(
            "an earlier fault has broken this object\nhint: create a new one, and please report the bug",
        ),
    })
}
