//! Episode rows of a simulation, one per seat and episode, as Arrow columns.

use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator,
    StringArray,
};
use arrow_schema::ArrowError;
use meeple_lab::{ColumnValues, EpisodeColumns};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::failure::failure;

/// Episode rows in Arrow format. Consumers use the same memory.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct EpisodeRows {
    batch: RecordBatch,
    /// By column: the list of words, if the column holds indices into one.
    words: Vec<Option<Vec<String>>>,
}

impl EpisodeRows {
    pub(crate) fn new(rows: EpisodeColumns) -> PyResult<Self> {
        let words = rows.columns.iter().map(|(_, values)| match values {
            ColumnValues::Words(_, words) => Some(words.clone()),
            _ => None,
        });
        let words = words.collect();
        let array = |(name, values): (String, ColumnValues)| -> Result<(String, ArrayRef), ArrowError> {
            let array: ArrayRef = match values {
                ColumnValues::Whole(values) => Arc::new(Int64Array::from(values)),
                ColumnValues::Small(values) => Arc::new(Int32Array::from(values)),
                ColumnValues::Real(values) => Arc::new(Float64Array::from(values)),
                ColumnValues::Words(places, words) => {
                    let words: ArrayRef = Arc::new(StringArray::from(words));
                    Arc::new(DictionaryArray::<Int32Type>::try_new(Int32Array::from(places), words)?)
                }
            };
            Ok((name, array))
        };
        let arrays = rows.columns.into_iter().map(array).collect::<Result<Vec<_>, _>>().map_err(failure)?;
        Ok(Self { batch: RecordBatch::try_from_iter(arrays).map_err(failure)?, words })
    }
}

/// A column, as [`EpisodeRows::columns`] returns it.
type Column = (String, Vec<u8>, String, Option<Vec<String>>);

/// Reads numbers of `N` bytes each, in native byte order.
fn read<const N: usize, T>(bytes: &[u8], number: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|bytes| number(*bytes)).collect()
}

#[pymethods]
impl EpisodeRows {
    /// Rebuilds rows from what [`columns`](Self::columns) returned, for unpickling.
    #[staticmethod]
    fn of_columns(columns: Vec<Column>) -> PyResult<Self> {
        let read = |(name, bytes, kind, words): Column| {
            let values = match (kind.as_str(), words) {
                (_, Some(words)) => ColumnValues::Words(read(&bytes, i32::from_ne_bytes), words),
                ("int64", _) => ColumnValues::Whole(read(&bytes, i64::from_ne_bytes)),
                ("float64", _) => ColumnValues::Real(read(&bytes, f64::from_ne_bytes)),
                _ => ColumnValues::Small(read(&bytes, i32::from_ne_bytes)),
            };
            (name, values)
        };
        Self::new(EpisodeColumns { columns: columns.into_iter().map(read).collect() })
    }

    /// Number of rows.
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// All rows as a stream of one batch, by the Arrow PyCapsule interface. A requested schema is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// The names and types of the columns, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema_ref().as_ref()).map_err(failure)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// By column: name, bytes of its numbers, and type of the numbers. If they are indices into a list of
    /// words, the words follow.
    #[expect(clippy::type_complexity, reason = "it becomes a list of tuples in Python")]
    fn columns<'py>(
        &self,
        py: Python<'py>,
    ) -> Vec<(String, Bound<'py, PyBytes>, &'static str, Option<Vec<String>>)> {
        let schema = self.batch.schema_ref();
        let column = |((field, array), words): ((_, &ArrayRef), &Option<Vec<String>>)| {
            let field: &Arc<arrow_schema::Field> = field;
            let data = array.to_data();
            let kind = match data.data_type() {
                arrow_schema::DataType::Int64 => "int64",
                arrow_schema::DataType::Float64 => "float64",
                _ => "int32",
            };
            (field.name().clone(), PyBytes::new(py, data.buffers()[0].as_slice()), kind, words.clone())
        };
        schema.fields().iter().zip(self.batch.columns()).zip(&self.words).map(column).collect()
    }
}
