use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Type as Physical;
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::file::serialized_reader::ReadOptionsBuilder;
use parquet::file::statistics::Statistics;
use parquet::file::writer::SerializedFileWriter;

use crate::column::{Column, Layout};
use crate::error::LabError;
use crate::row_group::{self, Encoded};
use crate::rows::Rows;
use crate::simulation::Simulation;

/// Episodes by column, one row per seat and episode: the columns of `episodes.parquet`.
#[derive(Clone, Debug)]
pub struct EpisodeColumns {
    /// Names and values; all columns have the same length.
    pub columns: Vec<(String, ColumnValues)>,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum ColumnValues {
    /// 64-bit integers.
    Whole(Vec<i64>),
    /// 32-bit integers.
    Small(Vec<i32>),
    /// Real numbers.
    Real(Vec<f64>),
    /// Indices into a vocabulary, and the vocabulary.
    Words(Vec<i32>, Vec<String>),
}

impl ColumnValues {
    fn of(column: &Column, rows: &Rows) -> Self {
        fn gathered<T>(gather: impl FnOnce(&mut Vec<T>)) -> Vec<T> {
            let mut values = Vec::new();
            gather(&mut values);
            values
        }
        let rows = std::slice::from_ref(rows);
        let places = || gathered(|values| column.smalls(rows, values));
        match column.physical {
            Physical::DOUBLE => Self::Real(gathered(|values| column.reals(rows, values))),
            Physical::INT64 => Self::Whole(gathered(|values| column.wholes(rows, values))),
            Physical::INT32 => Self::Small(places()),
            _ => {
                let words = column.words.iter().map(|word| String::from_utf8_lossy(word.data()).into_owned());
                Self::Words(places(), words.collect())
            }
        }
    }
}

/// Collects rows in order, into `episodes.parquet` or memory. The caller takes full row groups
/// ([`full_group`](Self::full_group)), encodes them on any thread, and returns them in order
/// ([`write_group`](Self::write_group)).
pub(crate) struct Columns {
    layout: Arc<Layout>,
    /// `None` if the rows stay in memory.
    writer: Option<(PathBuf, SerializedFileWriter<File>)>,
    /// Rows that are not yet in a row group, in chunks as they arrived.
    pending: VecDeque<Rows>,
    pending_rows: usize,
    /// Empty buffers of rows, kept to reuse their memory.
    spare: Vec<Rows>,
    failed: Option<LabError>,
}

impl Columns {
    pub fn create(path: &Path, simulation: &Simulation<'_>) -> Result<Self, LabError> {
        let mut columns = Self::in_memory(simulation);
        let Layout { schema, properties, .. } = &*columns.layout;
        let file = File::create(path).map_err(|error| LabError::write(path, error))?;
        let writer = SerializedFileWriter::new(file, Arc::clone(schema), Arc::clone(properties))
            .map_err(|error| LabError::write(path, error))?;
        columns.writer = Some((path.to_owned(), writer));
        Ok(columns)
    }

    pub fn in_memory(simulation: &Simulation<'_>) -> Self {
        Self {
            layout: Arc::new(Layout::new(simulation)),
            writer: None,
            pending: VecDeque::new(),
            pending_rows: 0,
            spare: Vec::new(),
            failed: None,
        }
    }

    pub fn kept(mut self) -> EpisodeColumns {
        let rows = self.pending.pop_front().unwrap_or_else(|| self.layout.rows());
        let columns = self.layout.columns.iter();
        EpisodeColumns {
            columns: columns.map(|column| (column.name.clone(), ColumnValues::of(column, &rows))).collect(),
        }
    }

    pub fn layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout)
    }

    pub fn rows(&mut self) -> Rows {
        self.spare.pop().unwrap_or_else(|| self.layout.rows())
    }

    pub fn take(&mut self, rows: Rows) {
        self.pending_rows += rows.len();
        match self.pending.front_mut() {
            Some(kept) if self.writer.is_none() => {
                kept.append(&rows);
                self.recycle(rows);
            }
            _ => self.pending.push_back(rows),
        }
    }

    fn recycle(&mut self, mut rows: Rows) {
        rows.clear();
        self.spare.push(rows);
    }

    pub fn full_group(&mut self) -> Option<Vec<Rows>> {
        let is_full = self.writer.is_some() && self.pending_rows >= self.layout.group_rows;
        is_full.then(|| self.next_group())
    }

    /// The rows of the next row group, or all pending ones if there are fewer.
    fn next_group(&mut self) -> Vec<Rows> {
        let (mut group, mut missing) = (Vec::new(), self.layout.group_rows);
        while missing > 0
            && let Some(mut rows) = self.pending.pop_front()
        {
            if rows.len() > missing {
                // The buffer is reused; otherwise every row group would allocate one.
                let mut rest = self.rows();
                rows.move_rest(missing, &mut rest);
                self.pending.push_front(rest);
            }
            missing -= rows.len();
            group.push(rows);
        }
        self.pending_rows -= self.layout.group_rows - missing;
        group
    }

    /// Appends an encoded row group to the file, if there is one, and recycles its rows.
    pub fn write_group(
        &mut self,
        rows: Vec<Rows>,
        encoded: parquet::errors::Result<Encoded>,
    ) -> Result<(), LabError> {
        rows.into_iter().for_each(|rows| self.recycle(rows));
        let Some((path, _)) = &self.writer else { return Ok(()) };
        let Encoded { bytes, columns } = encoded.map_err(|error| LabError::write(path, error))?;
        self.append_group(&bytes, columns)
    }

    fn append_group(
        &mut self,
        from: &impl ChunkReader,
        columns: Vec<ColumnCloseResult>,
    ) -> Result<(), LabError> {
        let Some((path, writer)) = &mut self.writer else { return Ok(()) };
        let append = || {
            let mut group = writer.next_row_group()?;
            columns.into_iter().try_for_each(|column| group.append_column(from, column))?;
            group.close().map(drop)
        };
        append().map_err(|error| LabError::write(path, error))
    }

    fn write_here(&mut self, rows: Vec<Rows>) -> Result<(), LabError> {
        let encoded = self.layout.encode(&rows, &mut row_group::Values::default());
        self.write_group(rows, encoded)
    }

    /// Appends the `expected` rows of an earlier file of the same setting. Full row groups of the same
    /// encoding version are copied byte by byte.
    pub fn copy_from(&mut self, path: &Path, expected: u64) -> Result<(), LabError> {
        let wrong = |reason: String| LabError::read(path, reason);
        let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
        let copy = file.try_clone().map_err(|error| wrong(error.to_string()))?;
        let options = ReadOptionsBuilder::new().with_encoding_stats_as_mask(false).build();
        let reader = SerializedFileReader::new_with_options(file, options)
            .map_err(|error| wrong(error.to_string()))?;
        let metadata = reader.metadata().file_metadata();
        let found = metadata.num_rows();
        if u64::try_from(found) != Ok(expected) {
            return Err(wrong(format!("expected {expected} rows, found {found}")));
        }
        let may_copy = Layout::is_of_this_format(metadata.key_value_metadata())
            && metadata.schema_descr().columns() == self.layout.descriptor.columns();
        for index in 0..reader.num_row_groups() {
            let group = reader.metadata().row_group(index);
            if may_copy && self.pending_rows == 0 && group.num_rows() as usize == self.layout.group_rows {
                let columns = closed(group).map_err(|error| wrong(error.to_string()))?;
                self.append_group(&copy, columns)?;
                continue;
            }
            let group = reader.get_row_group(index).map_err(|error| wrong(error.to_string()))?;
            let rows = self.layout.decode(&*group).map_err(wrong)?;
            self.take(rows);
            while let Some(rows) = self.full_group() {
                self.write_here(rows)?;
            }
        }
        Ok(())
    }

    /// Records an error for [`finish`](Self::finish) to return.
    pub fn fail(&mut self, error: LabError) {
        self.failed = Some(error);
    }

    /// Writes the pending rows and syncs the file, or returns the error recorded by [`fail`](Self::fail).
    pub fn finish(mut self) -> Result<(), LabError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        while self.pending_rows > 0 {
            let rows = self.next_group();
            self.write_here(rows)?;
        }
        if let Some((path, writer)) = self.writer.take() {
            let file = writer.into_inner().map_err(|error| LabError::write(&path, error))?;
            file.sync_all().map_err(|error| LabError::write(&path, error))?;
        }
        Ok(())
    }
}

/// Rebuilds the close results of a row group's columns from its metadata.
fn closed(group: &RowGroupMetaData) -> parquet::errors::Result<Vec<ColumnCloseResult>> {
    let column = |column: &ColumnChunkMetaData| {
        // Older readers need integer ranges in a deprecated form too. Reading drops that form, so it is
        // restored.
        let ranges = match column.statistics().cloned() {
            Some(Statistics::Int32(range)) => {
                Some(Statistics::Int32(range.with_backwards_compatible_min_max(true)))
            }
            Some(Statistics::Int64(range)) => {
                Some(Statistics::Int64(range.with_backwards_compatible_min_max(true)))
            }
            other => other,
        };
        let metadata = column.clone().into_builder();
        let metadata = ranges.into_iter().fold(metadata, |metadata, range| metadata.set_statistics(range));
        Ok(ColumnCloseResult {
            bytes_written: column.compressed_size().unsigned_abs(),
            rows_written: group.num_rows().unsigned_abs(),
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        })
    };
    group.columns().iter().map(column).collect()
}
