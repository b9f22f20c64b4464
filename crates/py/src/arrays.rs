//! Memory that a caller in Python owns, checked before anything is written to it.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;

use crate::failure::usage;

/// An array of the caller's for numbers of type `T`: of this shape, contiguous in the order of C, and writable.
pub(crate) struct Target<T: Element> {
    buffer: PyBuffer<T>,
}

impl<T: Element> Target<T> {
    /// Checks an array; `name` and `dtype` are for the message.
    pub(crate) fn new(array: &Bound<'_, PyAny>, name: &str, dtype: &str, shape: &[usize]) -> PyResult<Self> {
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
        Ok(Self { buffer })
    }

    /// Writes the numbers, as many as the shape says.
    pub(crate) fn fill(&self, py: Python<'_>, numbers: &[T]) -> PyResult<()> {
        self.buffer.copy_from_slice(py, numbers)
    }
}
