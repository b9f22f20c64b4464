//! Row groups of the episodes file. Their bytes depend only on the rows, so any thread may encode.

use bytes::Bytes;
use parquet::basic::Type as Physical;
use parquet::column::reader::ColumnReaderImpl;
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

use crate::column::{Column, Held, Layout};
use crate::rows::Rows;

pub(crate) struct Encoded {
    pub bytes: Bytes,
    pub columns: Vec<ColumnCloseResult>,
}

/// Buffers for one column, reused between columns.
#[derive(Default)]
pub(crate) struct Values {
    whole: Vec<i64>,
    small: Vec<i32>,
    real: Vec<f64>,
    words: Vec<ByteArray>,
}

impl Layout {
    /// Encodes rows as a row group. The bytes do not depend on the division of the rows into chunks.
    pub fn encode(&self, rows: &[Rows], values: &mut Values) -> parquet::errors::Result<Encoded> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let mut columns = Vec::with_capacity(self.columns.len());
        for (column, description) in self.columns.iter().zip(self.descriptor.columns()) {
            let pages = Box::new(SerializedPageWriter::new(&mut bytes));
            let mut writer = get_column_writer(description.clone(), self.properties.clone(), pages);
            column.write(&mut writer, rows, values)?;
            columns.push(writer.close()?);
        }
        Ok(Encoded { bytes: bytes.into_inner()?.into(), columns })
    }

    pub fn decode(&self, group: &dyn RowGroupReader) -> Result<Rows, String> {
        let mut rows = self.rows();
        if group.num_columns() != self.columns.len() {
            return Err(format!("expected {} columns, found {}", self.columns.len(), group.num_columns()));
        }
        for (index, column) in self.columns.iter().enumerate() {
            column.read(group, index, &mut rows)?;
        }
        Ok(rows)
    }
}

impl Column {
    fn write(
        &self,
        writer: &mut ColumnWriter<'_>,
        rows: &[Rows],
        values: &mut Values,
    ) -> parquet::errors::Result<()> {
        match writer {
            ColumnWriter::Int64ColumnWriter(writer) => {
                self.wholes(rows, &mut values.whole);
                writer.write_batch(&values.whole, None, None)?;
            }
            ColumnWriter::Int32ColumnWriter(writer) => {
                self.smalls(rows, &mut values.small);
                writer.write_batch(&values.small, None, None)?;
            }
            ColumnWriter::DoubleColumnWriter(writer) => {
                self.reals(rows, &mut values.real);
                writer.write_batch(&values.real, None, None)?;
            }
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                self.smalls(rows, &mut values.small);
                let unknown =
                    |value: &i32| ParquetError::General(format!("found a figure without a word for {value}"));
                let word =
                    |value: &i32| self.words.get((*value).max(0) as usize).ok_or_else(|| unknown(value));
                values.words.clear();
                for value in &values.small {
                    values.words.push(word(value)?.clone());
                }
                writer.write_batch(&values.words, None, None)?;
            }
            _ => return Err(ParquetError::General(format!("column {} has another type", self.name))),
        }
        Ok(())
    }

    /// Replaces the buffer's content by the values of this column.
    pub fn wholes(&self, rows: &[Rows], values: &mut Vec<i64>) {
        self.gather(rows, values, |whole| whole, i64::from, |real| real as i64);
    }

    pub fn smalls(&self, rows: &[Rows], values: &mut Vec<i32>) {
        self.gather(rows, values, |whole| whole as i32, |small| small, |real| real as i32);
    }

    pub fn reals(&self, rows: &[Rows], values: &mut Vec<f64>) {
        self.gather(rows, values, |whole| whole as f64, f64::from, |real| real);
    }

    fn gather<T>(
        &self,
        rows: &[Rows],
        values: &mut Vec<T>,
        whole: fn(i64) -> T,
        small: fn(i32) -> T,
        real: fn(f64) -> T,
    ) {
        values.clear();
        for rows in rows {
            match self.held {
                Held::Whole(at) => values.extend(rows.whole[at].iter().copied().map(whole)),
                Held::Small(at) => values.extend(rows.small[at].iter().copied().map(small)),
                Held::Real(at) => values.extend(rows.real[at].iter().copied().map(real)),
            }
        }
    }

    /// Inverse of [`write`](Self::write).
    fn read(&self, group: &dyn RowGroupReader, index: usize, rows: &mut Rows) -> Result<(), String> {
        let values: Vec<i64> = match (self.physical, self.held) {
            (Physical::DOUBLE, Held::Real(at)) => {
                rows.real[at] = read::<DoubleType>(group, index)?;
                return Ok(());
            }
            (Physical::INT64, _) => read::<Int64Type>(group, index)?,
            (Physical::INT32, _) => read::<Int32Type>(group, index)?.into_iter().map(i64::from).collect(),
            _ => {
                let place = |value: &ByteArray| self.words.iter().position(|word| word == value);
                let places = read::<ByteArrayType>(group, index)?;
                let places = places.iter().map(|value| place(value).map(|place| place as i64));
                let unknown = || format!("found an unknown word in the column {}", self.name);
                places.collect::<Option<_>>().ok_or_else(unknown)?
            }
        };
        match self.held {
            Held::Whole(at) => rows.whole[at] = values,
            Held::Small(at) => rows.small[at] = values.into_iter().map(|value| value as i32).collect(),
            Held::Real(at) => rows.real[at] = values.into_iter().map(|value| value as f64).collect(),
        }
        Ok(())
    }
}

fn read<T: DataType>(group: &dyn RowGroupReader, index: usize) -> Result<Vec<T::T>, String> {
    let wrong = |error: ParquetError| error.to_string();
    let description = group.metadata().column(index).column_descr_ptr();
    if description.physical_type() != T::get_physical_type() {
        return Err(format!("column {} has another type", description.name()));
    }
    let pages = group.get_column_page_reader(index).map_err(wrong)?;
    let mut reader = ColumnReaderImpl::<T>::new(description, pages);
    let rows = usize::try_from(group.metadata().num_rows()).map_err(|error| error.to_string())?;
    let mut values = Vec::with_capacity(rows);
    while values.len() < rows {
        let (records, _, _) =
            reader.read_records(rows - values.len(), None, None, &mut values).map_err(wrong)?;
        if records == 0 {
            return Err(format!("column {index} ends early"));
        }
    }
    Ok(values)
}
