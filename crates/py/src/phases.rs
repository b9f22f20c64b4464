//! Phases as Python has them. They come again and again, and making one takes longer than a step: each is made once.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use meeple_core::{Phase, Seat};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

/// A phase that was told.
pub(crate) struct Told {
    /// A `Phase` of the package.
    pub(crate) phase: Py<PyAny>,
    /// The seats that owe a decision, as a tuple.
    pub(crate) seats: Py<PyAny>,
}

/// All that were told.
static TOLD: LazyLock<Mutex<HashMap<Phase, Told>>> = LazyLock::new(Mutex::default);

/// The class in the package.
static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

impl Told {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { phase: self.phase.clone_ref(py), seats: self.seats.clone_ref(py) }
    }
}

/// A phase as Python has it.
pub(crate) fn told(py: Python<'_>, phase: Phase) -> PyResult<Told> {
    // Nothing of Python's runs while it is locked, so that nobody waits for it with the lock of the interpreter.
    let known = || TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(told) = known().get(&phase) {
        return Ok(told.clone_ref(py));
    }
    let (kind, seats) = match phase {
        Phase::Chance => ("chance", Vec::new()),
        Phase::Over => ("over", Vec::new()),
        Phase::Decide(seats) => ("decide", seats.map(Seat::index).collect()),
    };
    let seats = PyTuple::new(py, seats)?.into_any();
    let made = CLASS.import(py, "meeple.episode", "Phase")?.call1((kind, &seats))?;
    let told = Told { phase: made.unbind(), seats: seats.unbind() };
    known().insert(phase, told.clone_ref(py));
    Ok(told)
}
