//! Phases as Python objects. They are cached, because they recur constantly and making one takes longer than
//! a step.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use meeple_core::{Phase, Seat};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

pub(crate) struct PythonPhase {
    /// The `meeple.episode.Phase` object.
    pub(crate) phase: Py<PyAny>,
    /// The seats that owe a decision, as a tuple.
    pub(crate) seats: Py<PyAny>,
}

/// All phases used so far.
static CACHE: LazyLock<Mutex<HashMap<Phase, PythonPhase>>> = LazyLock::new(Mutex::default);

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

impl PythonPhase {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { phase: self.phase.clone_ref(py), seats: self.seats.clone_ref(py) }
    }
}

pub(crate) fn python_phase(py: Python<'_>, phase: Phase) -> PyResult<PythonPhase> {
    // No Python code runs under this lock, so its holder never waits for the interpreter lock, and there is
    // no deadlock.
    let known = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(cached) = known().get(&phase) {
        return Ok(cached.clone_ref(py));
    }
    let (kind, seats) = match phase {
        Phase::Chance => ("chance", Vec::new()),
        Phase::Over => ("over", Vec::new()),
        Phase::Decide(seats) => ("decide", seats.map(Seat::index).collect()),
    };
    let seats = PyTuple::new(py, seats)?.into_any();
    let made = CLASS.import(py, "meeple.episode", "Phase")?.call1((kind, &seats))?;
    let cached = PythonPhase { phase: made.unbind(), seats: seats.unbind() };
    known().insert(phase, cached.clone_ref(py));
    Ok(cached)
}
