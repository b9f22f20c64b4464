//! Episodes as columns: one row per seat and episode in a Parquet file.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meeple_core::{EpisodeReport, GameInfo};
use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::{LabError, LineUp};

/// Rows in a row group, about: a whole number of episodes. Fixed, so that the bytes are.
const GROUP_ROWS: usize = 1 << 17;

/// Columns before the game's own figures.
const OWN: [(&str, Physical, ConvertedType); 9] = [
    ("episode", Physical::INT64, ConvertedType::NONE),
    ("seat", Physical::INT32, ConvertedType::NONE),
    ("player", Physical::INT32, ConvertedType::NONE),
    ("agent", Physical::BYTE_ARRAY, ConvertedType::UTF8),
    ("score", Physical::INT64, ConvertedType::NONE),
    ("place", Physical::INT32, ConvertedType::NONE),
    ("win_share", Physical::DOUBLE, ConvertedType::NONE),
    ("end", Physical::BYTE_ARRAY, ConvertedType::UTF8),
    ("length", Physical::INT64, ConvertedType::NONE),
];

/// Rows in memory, column by column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    groups: Arc<[u16]>,
    episode: Vec<i64>,
    seat: Vec<i32>,
    player: Vec<i32>,
    score: Vec<i64>,
    place: Vec<i32>,
    win_share: Vec<f64>,
    end: Vec<i32>,
    length: Vec<i64>,
    /// Seat figures, then episode figures.
    figures: Vec<Vec<f64>>,
    seat_figures: usize,
}

impl Rows {
    fn new(info: &GameInfo, line_up: &LineUp) -> Self {
        let seat_figures = info.seat_figures.len();
        Self {
            groups: line_up.groups().into(),
            figures: vec![Vec::new(); seat_figures + info.episode_figures.len()],
            seat_figures,
            ..Self::default()
        }
    }

    fn len(&self) -> usize {
        self.episode.len()
    }

    /// Adds the rows of an episode.
    pub fn add(&mut self, report: &EpisodeReport<'_>) {
        let outcome = report.outcome;
        let seats = report.player_at.len();
        let share = 1.0 / outcome.winners().max(1) as f64;
        for seat in 0..seats {
            self.episode.push(report.index as i64);
            self.seat.push(seat as i32);
            self.player.push(i32::from(self.groups[usize::from(report.player_at[seat])]));
            self.score.push(outcome.scores[seat]);
            self.place.push(outcome.places[seat] as i32);
            self.win_share.push(if outcome.places[seat] == 1 { share } else { 0.0 });
            self.end.push(outcome.end as i32);
            self.length.push(i64::try_from(report.length).unwrap_or(i64::MAX));
        }
        let (by_seat, by_episode) = self.figures.split_at_mut(self.seat_figures);
        for values in report.figures.seat_values().chunks_exact(by_seat.len().max(1)) {
            by_seat.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
        }
        for (column, value) in by_episode.iter_mut().zip(report.figures.episode_values()) {
            column.resize(column.len() + seats, *value);
        }
    }

    /// Forgets the rows and keeps the memory.
    pub fn clear(&mut self) {
        self.drop_first(self.len());
    }

    fn append(&mut self, other: &Self) {
        self.episode.extend_from_slice(&other.episode);
        self.seat.extend_from_slice(&other.seat);
        self.player.extend_from_slice(&other.player);
        self.score.extend_from_slice(&other.score);
        self.place.extend_from_slice(&other.place);
        self.win_share.extend_from_slice(&other.win_share);
        self.end.extend_from_slice(&other.end);
        self.length.extend_from_slice(&other.length);
        self.figures.iter_mut().zip(&other.figures).for_each(|(own, other)| own.extend_from_slice(other));
    }

    fn drop_first(&mut self, rows: usize) {
        self.episode.drain(..rows);
        self.seat.drain(..rows);
        self.player.drain(..rows);
        self.score.drain(..rows);
        self.place.drain(..rows);
        self.win_share.drain(..rows);
        self.end.drain(..rows);
        self.length.drain(..rows);
        self.figures.iter_mut().for_each(|column| drop(column.drain(..rows)));
    }
}

/// Writes `episodes.parquet`.
pub(crate) struct Columns {
    path: PathBuf,
    writer: Option<SerializedFileWriter<File>>,
    pending: Rows,
    failed: Option<LabError>,
    group_rows: usize,
    agents: Vec<ByteArray>,
    ends: Vec<ByteArray>,
}

impl Columns {
    /// Begins the file.
    pub fn create(path: &Path, info: &GameInfo, line_up: &LineUp) -> Result<Self, LabError> {
        let file = File::create(path).map_err(|error| LabError::write(path, error))?;
        let level = ZstdLevel::try_new(3).expect("zstd has levels 1 to 22");
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            // The library's version is not in the file: the bytes change only when the data do.
            .set_created_by("meeple".to_owned())
            .build();
        let schema = schema(info).map_err(|error| LabError::write(path, error))?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties))
            .map_err(|error| LabError::write(path, error))?;
        let seats = line_up.seats().max(1);
        let bytes = |text: &str| ByteArray::from(text);
        Ok(Self {
            path: path.to_owned(),
            writer: Some(writer),
            pending: Rows::new(info, line_up),
            failed: None,
            group_rows: (GROUP_ROWS / seats).max(1) * seats,
            agents: line_up.entries().iter().map(|entry| bytes(&entry.name)).collect(),
            ends: info.ends.iter().map(|end| bytes(end)).collect(),
        })
    }

    /// Empty rows that fit.
    pub fn rows(&self) -> Rows {
        let mut rows = Rows { groups: Arc::clone(&self.pending.groups), ..Rows::default() };
        rows.figures.resize(self.pending.figures.len(), Vec::new());
        rows.seat_figures = self.pending.seat_figures;
        rows
    }

    /// Adds rows behind those that are there.
    pub fn append(&mut self, rows: &Rows) -> Result<(), LabError> {
        self.pending.append(rows);
        while self.pending.len() >= self.group_rows {
            self.write_group(self.group_rows)?;
        }
        Ok(())
    }

    /// Copies the rows of an earlier file of the same setting, which must be `expected` many.
    pub fn copy_from(&mut self, path: &Path, expected: u64) -> Result<(), LabError> {
        let wrong = |reason: String| LabError::read(path, reason);
        let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
        let reader = SerializedFileReader::new(file).map_err(|error| wrong(error.to_string()))?;
        let found = reader.metadata().file_metadata().num_rows();
        if u64::try_from(found) != Ok(expected) {
            return Err(wrong(format!("expected {expected} rows, found {found}")));
        }
        for index in 0..reader.num_row_groups() {
            let group = reader.get_row_group(index).map_err(|error| wrong(error.to_string()))?;
            let rows = self.read_group(&*group).map_err(wrong)?;
            self.append(&rows)?;
        }
        Ok(())
    }

    fn read_group(&self, group: &dyn RowGroupReader) -> Result<Rows, String> {
        let mut rows = self.rows();
        let columns = OWN.len() + rows.figures.len();
        if group.num_columns() != columns {
            return Err(format!("expected {columns} columns, found {}", group.num_columns()));
        }
        rows.episode = read::<Int64Type>(group, 0)?;
        rows.seat = read::<Int32Type>(group, 1)?;
        rows.player = read::<Int32Type>(group, 2)?;
        rows.score = read::<Int64Type>(group, 4)?;
        rows.place = read::<Int32Type>(group, 5)?;
        rows.win_share = read::<DoubleType>(group, 6)?;
        let ends = read::<ByteArrayType>(group, 7)?;
        let end = |end: &ByteArray| self.ends.iter().position(|known| known == end).map(|end| end as i32);
        rows.end = ends.iter().map(end).collect::<Option<_>>().ok_or("found an unknown end reason")?;
        rows.length = read::<Int64Type>(group, 8)?;
        for (index, figure) in rows.figures.iter_mut().enumerate() {
            *figure = read::<DoubleType>(group, OWN.len() + index)?;
        }
        let agents = 0..self.agents.len() as i32;
        if rows.player.iter().any(|player| !agents.contains(player)) {
            return Err("found an unknown player".to_owned());
        }
        Ok(rows)
    }

    fn write_group(&mut self, count: usize) -> Result<(), LabError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let (rows, path) = (&self.pending, &self.path);
        let named = |names: &[ByteArray], indices: &[i32]| -> Vec<ByteArray> {
            indices.iter().map(|index| names[*index as usize].clone()).collect()
        };
        let mut write = || -> parquet::errors::Result<()> {
            let mut group = writer.next_row_group()?;
            column::<Int64Type>(&mut group, &rows.episode[..count])?;
            column::<Int32Type>(&mut group, &rows.seat[..count])?;
            column::<Int32Type>(&mut group, &rows.player[..count])?;
            column::<ByteArrayType>(&mut group, &named(&self.agents, &rows.player[..count]))?;
            column::<Int64Type>(&mut group, &rows.score[..count])?;
            column::<Int32Type>(&mut group, &rows.place[..count])?;
            column::<DoubleType>(&mut group, &rows.win_share[..count])?;
            column::<ByteArrayType>(&mut group, &named(&self.ends, &rows.end[..count]))?;
            column::<Int64Type>(&mut group, &rows.length[..count])?;
            for figure in &rows.figures {
                column::<DoubleType>(&mut group, &figure[..count])?;
            }
            group.close()?;
            Ok(())
        };
        write().map_err(|error| LabError::write(path, error))?;
        self.pending.drop_first(count);
        Ok(())
    }

    /// Takes note that rows could not be added, for [`finish`](Self::finish) to report.
    pub fn fail(&mut self, error: LabError) {
        self.failed = Some(error);
    }

    /// Writes what is left; the file is on the disk then.
    pub fn finish(mut self) -> Result<(), LabError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.pending.len() > 0 {
            self.write_group(self.pending.len())?;
        }
        if let Some(writer) = self.writer.take() {
            let file = writer.into_inner().map_err(|error| LabError::write(&self.path, error))?;
            file.sync_all().map_err(|error| LabError::write(&self.path, error))?;
        }
        Ok(())
    }
}

/// The keys of an episode's figures, in the game's order: their names, but `figure_NAME` where a seat's figure
/// has the same one.
pub(crate) fn episode_keys(info: &GameInfo) -> Vec<String> {
    let mut names: Vec<String> = info.seat_figures.iter().map(|figure| figure.name.to_owned()).collect();
    let seats = names.len();
    for figure in info.episode_figures {
        names.push(unlike(&names, figure.name.to_owned()));
    }
    names.split_off(seats)
}

/// The name, made unlike these.
fn unlike(names: &[String], mut name: String) -> String {
    while names.contains(&name) {
        name = format!("figure_{name}");
    }
    name
}

fn schema(info: &GameInfo) -> parquet::errors::Result<Arc<Type>> {
    let build = |name: &str, physical, converted| {
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(converted)
            .build()
            .map(Arc::new)
    };
    let mut fields = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (name, physical, converted) in OWN {
        fields.push(build(name, physical, converted)?);
        names.push(name.to_owned());
    }
    let seat_names = info.seat_figures.iter().map(|figure| figure.name.to_owned());
    for figure in seat_names.chain(episode_keys(info)) {
        let name = unlike(&names, figure);
        fields.push(build(&name, Physical::DOUBLE, ConvertedType::NONE)?);
        names.push(name);
    }
    Type::group_type_builder("episodes").with_fields(fields).build().map(Arc::new)
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
) -> parquet::errors::Result<()> {
    let mut column = group.next_column()?.expect("the schema has as many columns as are written");
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

fn read<T: DataType>(group: &dyn RowGroupReader, index: usize) -> Result<Vec<T::T>, String> {
    let wrong = |error: parquet::errors::ParquetError| error.to_string();
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
