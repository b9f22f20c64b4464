//! Episodes as columns: one row per seat and episode in a Parquet file.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meeple_core::{EpisodeReport, Figure, FigureKind, GameInfo};
use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use serde_json::{Value, json};

use crate::error::LabError;
use crate::figures::{Meaning, meanings, unlike};
use crate::line_up::LineUp;
use crate::simulation::{Simulation, seating_word};

/// Rows in a row group, about: a whole number of episodes. Fixed, so that the bytes are.
const GROUP_ROWS: usize = 1 << 17;

/// A column before the game's own figures: its name, how it is stored, its unit and what it says.
struct Own {
    name: &'static str,
    physical: Physical,
    converted: ConvertedType,
    unit: &'static str,
    doc: &'static str,
}

const fn own(
    name: &'static str,
    physical: Physical,
    converted: ConvertedType,
    unit: &'static str,
    doc: &'static str,
) -> Own {
    Own { name, physical, converted, unit, doc }
}

const PLAIN: ConvertedType = ConvertedType::NONE;

/// Columns of every game. The units of score and length are the game's.
const OWN: [Own; 9] = [
    own("episode", Physical::INT64, PLAIN, "number", "The episode, from 0."),
    own("seat", Physical::INT32, PLAIN, "number", "The seat of this row, from 0."),
    own("player", Physical::INT32, PLAIN, "number", "Who sat there: the entry of the line-up, from 0."),
    own("agent", Physical::BYTE_ARRAY, ConvertedType::UTF8, "name", "The same by name."),
    own("score", Physical::INT64, PLAIN, "", "The seat's score at the end."),
    own("place", Physical::INT32, PLAIN, "number", "The seat's place, from 1; equal ones share the better."),
    own(
        "win_share",
        Physical::DOUBLE,
        PLAIN,
        "share",
        "1 alone on the first place, 1/k for one of k, else 0.",
    ),
    own("end", Physical::BYTE_ARRAY, ConvertedType::UTF8, "name", "What ended the episode."),
    own("length", Physical::INT64, PLAIN, "", "Length of the episode."),
];

/// Where the place in the order of turns stands, in games that draw it: behind the columns of every game.
const TURN: Own =
    own("turn", Physical::INT32, PLAIN, "number", "The seat's place in the order of turns, from 1.");

/// The metadata's key of what the columns mean, as JSON.
const MEANINGS: &str = "columns";

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
    /// In games that draw it.
    turn: Option<Vec<i32>>,
    /// Seat figures, then episode figures.
    figures: Vec<Vec<f64>>,
    seat_figures: usize,
}

impl Rows {
    fn new(info: &GameInfo, line_up: &LineUp, draws_turns: bool) -> Self {
        let seat_figures = info.seat_figures.len();
        Self {
            groups: line_up.groups().into(),
            turn: draws_turns.then(Vec::new),
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
        if let Some(turn) = &mut self.turn {
            turn.extend(report.turn_places.iter().map(|place| i32::from(*place) + 1));
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
        if let (Some(own), Some(other)) = (&mut self.turn, &other.turn) {
            own.extend_from_slice(other);
        }
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
        if let Some(turn) = &mut self.turn {
            turn.drain(..rows);
        }
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
    /// Of the figures in the rows.
    kinds: Vec<FigureKind>,
}

impl Columns {
    /// Begins the file.
    pub fn create(path: &Path, simulation: &Simulation<'_>) -> Result<Self, LabError> {
        let (info, line_up) = (simulation.game.info(), &simulation.line_up);
        let draws_turns = simulation.game.draws_turn_order();
        let named = named_columns(info, draws_turns);
        let file = File::create(path).map_err(|error| LabError::write(path, error))?;
        let level = ZstdLevel::try_new(3).expect("zstd has levels 1 to 22");
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            // The library's version is not in the file: the bytes change only when the data do.
            .set_created_by("meeple".to_owned())
            .set_key_value_metadata(Some(metadata(simulation, &named)))
            .build();
        let schema = schema(&named).map_err(|error| LabError::write(path, error))?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties))
            .map_err(|error| LabError::write(path, error))?;
        let seats = line_up.seats().max(1);
        let bytes = |text: &str| ByteArray::from(text);
        Ok(Self {
            path: path.to_owned(),
            writer: Some(writer),
            pending: Rows::new(info, line_up, draws_turns),
            failed: None,
            group_rows: (GROUP_ROWS / seats).max(1) * seats,
            agents: line_up.entries().iter().map(|entry| bytes(&entry.name)).collect(),
            ends: info.ends.iter().map(|end| bytes(end)).collect(),
            kinds: info.seat_figures.iter().chain(info.episode_figures).map(|figure| figure.kind).collect(),
        })
    }

    /// Empty rows that fit.
    pub fn rows(&self) -> Rows {
        let mut rows = Rows { groups: Arc::clone(&self.pending.groups), ..Rows::default() };
        rows.figures.resize(self.pending.figures.len(), Vec::new());
        rows.seat_figures = self.pending.seat_figures;
        rows.turn = self.pending.turn.as_ref().map(|_| Vec::new());
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
        let own = OWN.len() + usize::from(rows.turn.is_some());
        let columns = own + rows.figures.len();
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
        if let Some(turn) = &mut rows.turn {
            *turn = read::<Int32Type>(group, OWN.len())?;
        }
        for (index, (figure, kind)) in rows.figures.iter_mut().zip(&self.kinds).enumerate() {
            *figure = read_figure(group, own + index, *kind)?;
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
            if let Some(turn) = &rows.turn {
                column::<Int32Type>(&mut group, &turn[..count])?;
            }
            for (figure, kind) in rows.figures.iter().zip(&self.kinds) {
                write_figure(&mut group, &figure[..count], *kind)?;
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

/// All columns in order, by their names.
fn named_columns(info: &'static GameInfo, draws_turns: bool) -> Vec<(String, Column)> {
    let own = OWN.iter().chain(draws_turns.then_some(&TURN));
    let mut columns: Vec<(String, Column)> = own.map(|own| (own.name.to_owned(), Column::Own(own))).collect();
    let (seat, episode): (Vec<_>, Vec<_>) =
        meanings(info).0.into_iter().partition(|(_, meaning)| meaning.of == "seat");
    for (key, meaning) in seat.into_iter().chain(episode) {
        let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        columns.push((unlike(&names, key), Column::Figure(meaning)));
    }
    columns
}

/// What stands in a column.
#[derive(Clone, Copy)]
enum Column {
    Own(&'static Own),
    Figure(Meaning),
}

impl Column {
    fn stored_as(self) -> (Physical, ConvertedType) {
        match self {
            Self::Own(own) => (own.physical, own.converted),
            Self::Figure(meaning) => match meaning.figure.kind {
                FigureKind::Count => (Physical::INT64, PLAIN),
                FigureKind::Amount => (Physical::DOUBLE, PLAIN),
                FigureKind::Category(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
                FigureKind::Seat => (Physical::INT32, PLAIN),
            },
        }
    }

    fn meaning(self, name: &str, info: &GameInfo) -> Value {
        match self {
            Self::Own(own) => {
                let unit = match name {
                    "score" => info.score_unit,
                    "length" => info.length_unit,
                    _ => own.unit,
                };
                json!({ "name": name, "unit": unit, "meaning": own.doc })
            }
            Self::Figure(told) => {
                let mut meaning = told.to_json();
                meaning.insert("name".into(), name.into());
                if told.figure.kind == FigureKind::Seat {
                    meaning.insert("nobody".into(), (Figure::NOBODY as i64).into());
                }
                Value::Object(meaning)
            }
        }
    }
}

/// What the file says of itself: what the columns mean, and of which simulation it is, but for the number of
/// episodes, which the rows tell.
fn metadata(simulation: &Simulation<'_>, columns: &[(String, Column)]) -> Vec<KeyValue> {
    let info = simulation.game.info();
    let meanings: Vec<Value> = columns.iter().map(|(name, column)| column.meaning(name, info)).collect();
    let texts = [
        (MEANINGS, Value::from(meanings).to_string()),
        ("game", info.id.to_owned()),
        ("variant", simulation.game.variant().to_string()),
        ("line_up", json!(simulation.line_up.words()).to_string()),
        ("seating", seating_word(simulation.seating).to_owned()),
        ("seed", simulation.seed.to_string()),
    ];
    texts.map(|(key, text)| KeyValue::new(key.to_owned(), text)).into()
}

fn schema(columns: &[(String, Column)]) -> parquet::errors::Result<Arc<Type>> {
    let field = |(name, column): &(String, Column)| {
        let (physical, converted) = column.stored_as();
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(converted)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("episodes").with_fields(fields).build().map(Arc::new)
}

/// Writes the values of a figure as its kind is stored.
fn write_figure(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[f64],
    kind: FigureKind,
) -> parquet::errors::Result<()> {
    match kind {
        FigureKind::Amount => column::<DoubleType>(group, values),
        FigureKind::Count => {
            let values: Vec<i64> = values.iter().map(|value| *value as i64).collect();
            column::<Int64Type>(group, &values)
        }
        FigureKind::Seat => {
            let values: Vec<i32> = values.iter().map(|value| *value as i32).collect();
            column::<Int32Type>(group, &values)
        }
        FigureKind::Category(words) => {
            let words: Vec<ByteArray> = words.iter().map(|word| ByteArray::from(*word)).collect();
            let word = |value: &f64| {
                let unknown = || ParquetError::General(format!("found a figure without a word for {value}"));
                words.get(*value as usize).cloned().ok_or_else(unknown)
            };
            let values: Vec<ByteArray> = values.iter().map(word).collect::<Result<_, _>>()?;
            column::<ByteArrayType>(group, &values)
        }
    }
}

/// Reads what [`write_figure`] wrote.
fn read_figure(group: &dyn RowGroupReader, index: usize, kind: FigureKind) -> Result<Vec<f64>, String> {
    Ok(match kind {
        FigureKind::Amount => read::<DoubleType>(group, index)?,
        FigureKind::Count => read::<Int64Type>(group, index)?.into_iter().map(|value| value as f64).collect(),
        FigureKind::Seat => read::<Int32Type>(group, index)?.into_iter().map(f64::from).collect(),
        FigureKind::Category(words) => {
            let place = |value: &ByteArray| words.iter().position(|word| word.as_bytes() == value.data());
            let places = read::<ByteArrayType>(group, index)?;
            let places: Option<Vec<f64>> =
                places.iter().map(|value| place(value).map(|place| place as f64)).collect();
            places.ok_or_else(|| format!("expected one of {} in column {index}", words.join(", ")))?
        }
    })
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
