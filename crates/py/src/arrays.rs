//! Arrays owned by Python callers, checked before anything is written to them.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use crate::failure::usage;

/// A caller's array of numbers of type `T`: of the given shape, C-contiguous and writable.
pub(crate) struct Target<'a, 'py, T: Element> {
    array: &'a Bound<'py, PyAny>,
    buffer: PyBuffer<T>,
}

impl<'a, 'py, T: Element> Target<'a, 'py, T> {
    /// Checks an array; `name` and `dtype` are for the error text.
    pub(crate) fn new(
        array: &'a Bound<'py, PyAny>,
        name: &str,
        dtype: &str,
        shape: &[usize],
    ) -> PyResult<Self> {
        let hint = || {
            let shape: String = shape.iter().map(|size| format!("{size}, ")).collect();
            format!("hint: {name} = numpy.empty(({}), numpy.{dtype})", shape.trim_end())
        };
        let kind = |array: &Bound<'_, PyAny>| match array.getattr("dtype").and_then(|dtype| dtype.str()) {
            Ok(dtype) => format!("one of {dtype}"),
            Err(_) => {
                array.get_type().name().map_or_else(|_| "something else".to_owned(), |name| format!("{name}"))
            }
        };
        let Ok(buffer) = PyBuffer::<T>::get(array) else {
            return Err(usage(format!(
                "{name}: expected an array of {dtype}, found {}\n{}",
                kind(array),
                hint()
            )));
        };
        let found = buffer.shape();
        if found != shape {
            return Err(usage(format!("{name}: expected the shape {shape:?}, found {found:?}\n{}", hint())));
        }
        if !buffer.is_c_contiguous() {
            let text = "expected an array in the order of C without gaps, found another order";
            return Err(usage(format!("{name}: {text}\n{}", hint())));
        }
        if buffer.readonly() {
            return Err(usage(format!(
                "{name}: expected an array that may be written, found a read-only one\n{}",
                hint()
            )));
        }
        Ok(Self { array, buffer })
    }

    /// Writes the numbers, which must be as many as the shape holds.
    pub(crate) fn fill(&self, py: Python<'_>, numbers: &[T]) -> PyResult<()> {
        self.buffer.copy_from_slice(py, numbers)
    }

    /// Writes numbers to the first `rows` rows. The others stay unchanged.
    pub(crate) fn fill_first(&self, rows: usize, numbers: &[T]) -> PyResult<()> {
        let py = self.array.py();
        if self.buffer.shape().first() == Some(&rows) {
            return self.fill(py, numbers);
        }
        // `PySlice::new` leaks the integers that it creates (PyO3 0.30).
        let first = self.array.get_item(py.get_type::<PySlice>().call1((rows,))?)?;
        PyBuffer::<T>::get(&first)?.copy_from_slice(py, numbers)
    }
}

/// Passes the ids whose byte in the mask is 1 to `work`, in ascending order.
pub(crate) fn each_id(mask: &[u8], mut work: impl FnMut(u32)) {
    // Masks are long and mostly zero, so eight zero bytes are skipped at a time.
    let (words, rest) = mask.as_chunks::<8>();
    let mut each = |first: usize, bytes: &[u8]| {
        for (id, _) in (first as u32..).zip(bytes).filter(|(_, is_legal)| **is_legal == 1) {
            work(id);
        }
    };
    for (number, word) in words.iter().enumerate().filter(|(_, word)| u64::from_ne_bytes(**word) != 0) {
        each(8 * number, word);
    }
    each(8 * words.len(), rest);
}
