//! Batches: many episodes stepped together, through arrays owned by the caller.

use std::sync::Mutex;

use meeple_core::{AnyBatch, Ended, Rows, Seat};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use crate::arrays::{Target, each_id};
use crate::failure::{usage, with};

/// A batch with memory for its rows.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Batch {
    most: usize,
    bound: usize,
    size: usize,
    state: Mutex<State>,
}

struct State {
    batch: Box<dyn AnyBatch>,
    lanes: Vec<u32>,
    episodes: Vec<u64>,
    seats: Vec<u16>,
    masks: Vec<u8>,
    observations: Vec<f32>,
}

impl Batch {
    pub(crate) fn new(batch: Box<dyn AnyBatch>) -> Self {
        let (most, bound, size) = (batch.most_rows(), batch.action_bound(), batch.observation_size());
        let state = State {
            batch,
            lanes: vec![0; most],
            episodes: vec![0; most],
            seats: vec![0; most],
            masks: vec![0; most * bound],
            observations: vec![0.0; most * size],
        };
        Self { most, bound, size, state: Mutex::new(state) }
    }
}

#[pymethods]
impl Batch {
    /// Row capacity, exclusive upper bound of action ids, and numbers per observation.
    fn sizes(&self) -> (usize, usize, usize) {
        (self.most, self.bound, self.size)
    }

    /// Writes a row for every owed decision and returns the number of rows.
    fn observe_into(
        &self,
        py: Python<'_>,
        lanes: &Bound<'_, PyAny>,
        episodes: &Bound<'_, PyAny>,
        seats: &Bound<'_, PyAny>,
        masks: &Bound<'_, PyAny>,
        observations: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let lanes = Target::<u32>::new(lanes, "lanes", "uint32", &[self.most])?;
        let episodes = Target::<u64>::new(episodes, "episodes", "uint64", &[self.most])?;
        let seats = Target::<u16>::new(seats, "seats", "uint16", &[self.most])?;
        let masks = Target::<u8>::new(masks, "masks", "int8", &[self.most, self.bound])?;
        let observations =
            Target::<f32>::new(observations, "observations", "float32", &[self.most, self.size])?;
        let observed = with(py, &self.state, |state| {
            let State { batch, lanes, episodes, seats, masks, observations } = state;
            batch.observe(Rows { lanes, episodes, seats, masks, observations })
        })?;
        let count = observed.map_err(usage)?;
        let Ok(state) = self.state.try_lock() else {
            return Err(usage("another thread is using this batch"));
        };
        lanes.fill_first(count, &state.lanes[..count])?;
        episodes.fill_first(count, &state.episodes[..count])?;
        seats.fill_first(count, &state.seats[..count])?;
        masks.fill_first(count, &state.masks[..count * self.bound])?;
        observations.fill_first(count, &state.observations[..count * self.size])?;
        Ok(count)
    }

    /// The legal ids of the first `rows` rows observed last, in CSR form. First come the row offsets,
    /// `rows + 1` numbers of 64 bits, then the ids, numbers of 32 bits.
    fn legal_ids<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        let bound = self.bound;
        let (offsets, ids) = with(py, &self.state, |state| {
            let (mut offsets, mut ids) = (vec![0u8; 8], Vec::new());
            for mask in state.masks.chunks_exact(bound.max(1)).take(rows) {
                each_id(mask, |id| ids.extend_from_slice(&id.to_ne_bytes()));
                offsets.extend_from_slice(&((ids.len() / 4) as u64).to_ne_bytes());
            }
            (offsets, ids)
        })?;
        Ok((PyByteArray::new(py, &offsets), PyByteArray::new(py, &ids)))
    }

    /// Takes an action id for every row. Returns for every ended episode its lane, index, length and end
    /// reason. Score, place and utility follow by seat. All are numbers of eight bytes, little-endian.
    fn step<'py>(&self, py: Python<'py>, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let ids = PyBuffer::<u32>::get(ids)?.to_vec(py)?;
        let ended = with(py, &self.state, |state| state.batch.step(&ids))?.map_err(usage)?;
        let mut bytes = Vec::new();
        for Ended { lane, episode, outcome, length } in &ended {
            for number in [u64::from(*lane), *episode, *length, outcome.end as u64] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            for (index, (score, place)) in outcome.scores.iter().zip(&outcome.places).enumerate() {
                bytes.extend_from_slice(&score.to_le_bytes());
                bytes.extend_from_slice(&i64::from(*place).to_le_bytes());
                bytes.extend_from_slice(&outcome.utility(Seat::new(index)).to_le_bytes());
            }
        }
        Ok(PyBytes::new(py, &bytes))
    }
}
