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
use crate::simulation::{Simulation, seating_word};

/// Rows in a row group, about: a whole number of episodes. Fixed, so that the bytes are.
const GROUP_ROWS: usize = 1 << 17;

/// The metadata's key of what the columns mean, as JSON.
const MEANINGS: &str = "columns";

/// Where the values of a column are in [`Rows`].
#[derive(Clone, Copy)]
enum Held {
    Whole(usize),
    Small(usize),
    Real(usize),
}

/// A column of the file.
struct Column {
    name: String,
    physical: Physical,
    /// Of a column of words: all of them. Its values are places among these.
    words: Vec<ByteArray>,
    held: Held,
    /// What it says, as JSON.
    meaning: Value,
}

impl Column {
    /// A column of every game.
    fn own(name: &str, held: Held, unit: &str, doc: &str) -> Self {
        let physical = match held {
            Held::Whole(_) => Physical::INT64,
            Held::Small(_) => Physical::INT32,
            Held::Real(_) => Physical::DOUBLE,
        };
        let meaning = json!({ "name": name, "unit": unit, "meaning": doc });
        Self { name: name.to_owned(), physical, words: Vec::new(), held, meaning }
    }

    /// The same of words.
    fn of_words<'w>(self, words: impl Iterator<Item = &'w str>) -> Self {
        Self { physical: Physical::BYTE_ARRAY, words: words.map(ByteArray::from).collect(), ..self }
    }

    fn of_figure(name: String, told: Meaning, held: Held) -> Self {
        let mut meaning = told.to_json();
        meaning.insert("name".into(), name.as_str().into());
        let (physical, words) = match told.figure.kind {
            FigureKind::Count => (Physical::INT64, &[][..]),
            FigureKind::Amount => (Physical::DOUBLE, &[][..]),
            FigureKind::Category(words) => (Physical::BYTE_ARRAY, words),
            FigureKind::Seat => {
                meaning.insert("nobody".into(), (Figure::NOBODY as i64).into());
                (Physical::INT32, &[][..])
            }
        };
        let words = words.iter().map(|word| ByteArray::from(*word)).collect();
        Self { name, physical, words, held, meaning: Value::Object(meaning) }
    }

    /// Writes the first values of this column.
    fn write(
        &self,
        group: &mut SerializedRowGroupWriter<'_, File>,
        rows: &Rows,
        count: usize,
    ) -> parquet::errors::Result<()> {
        if let (Physical::DOUBLE, Held::Real(at)) = (self.physical, self.held) {
            return column::<DoubleType>(group, &rows.real[at][..count]);
        }
        let values: Vec<i64> = match self.held {
            Held::Whole(at) => rows.whole[at][..count].to_vec(),
            Held::Small(at) => rows.small[at][..count].iter().map(|value| i64::from(*value)).collect(),
            Held::Real(at) => rows.real[at][..count].iter().map(|value| *value as i64).collect(),
        };
        let word = |value: &i64| {
            let unknown = || ParquetError::General(format!("found a figure without a word for {value}"));
            self.words.get((*value).max(0) as usize).cloned().ok_or_else(unknown)
        };
        match self.physical {
            Physical::INT64 => column::<Int64Type>(group, &values),
            Physical::INT32 => {
                column::<Int32Type>(group, &values.iter().map(|value| *value as i32).collect::<Vec<_>>())
            }
            _ => column::<ByteArrayType>(group, &values.iter().map(word).collect::<Result<Vec<_>, _>>()?),
        }
    }

    /// The values of this column as small whole numbers.
    fn places<'r>(&self, rows: &'r Rows) -> Box<dyn Iterator<Item = i32> + 'r> {
        match self.held {
            Held::Whole(at) => Box::new(rows.whole[at].iter().map(|value| *value as i32)),
            Held::Small(at) => Box::new(rows.small[at].iter().copied()),
            Held::Real(at) => Box::new(rows.real[at].iter().map(|value| *value as i32)),
        }
    }

    /// Reads what [`write`](Self::write) wrote.
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

/// All columns in order: those of every game, the place in the order of turns where that is drawn, then figures of
/// seats and of episodes. The units of score and length are the game's.
fn columns_of(simulation: &Simulation<'_>) -> Vec<Column> {
    use Held::{Real, Small, Whole};
    let info = simulation.game.info();
    let agents = simulation.line_up.entries().iter().map(|entry| entry.name.as_str());
    let share = "1 alone on the first place, 1/k for one of k, else 0.";
    let mut columns = vec![
        Column::own("episode", Whole(0), "number", "The episode, from 0."),
        Column::own("seat", Small(0), "number", "The seat of this row, from 0."),
        Column::own("player", Small(1), "number", "Who sat there: the entry of the line-up, from 0."),
        Column::own("agent", Small(1), "name", "The same by name.").of_words(agents),
        Column::own("score", Whole(1), info.score_unit, "The seat's score at the end."),
        Column::own("place", Small(2), "number", "The seat's place, from 1; equal ones share the better."),
        Column::own("win_share", Real(0), "share", share),
        Column::own("end", Small(3), "name", "What ended the episode.").of_words(info.ends.iter().copied()),
        Column::own("length", Whole(2), info.length_unit, "Length of the episode."),
    ];
    if simulation.game.draws_turn_order() {
        let doc = "The seat's place in the order of turns, from 1.";
        columns.push(Column::own("turn", Small(4), "number", doc));
    }
    let (seat, episode): (Vec<_>, Vec<_>) =
        meanings(info).0.into_iter().partition(|(_, meaning)| meaning.of == "seat");
    for (place, (key, meaning)) in (1..).zip(seat.into_iter().chain(episode)) {
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        columns.push(Column::of_figure(unlike(&names, key), meaning, Real(place)));
    }
    columns
}

/// Rows in memory, column by column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    groups: Arc<[u16]>,
    /// Episode, score, length.
    whole: [Vec<i64>; 3],
    /// Seat, player, place, end and, in games that draw it, the place in the order of turns.
    small: [Vec<i32>; 5],
    /// Share of the win, seat figures, episode figures.
    real: Vec<Vec<f64>>,
    seat_figures: usize,
}

impl Rows {
    fn new(info: &GameInfo, groups: Arc<[u16]>) -> Self {
        let seat_figures = info.seat_figures.len();
        let real = vec![Vec::new(); 1 + seat_figures + info.episode_figures.len()];
        Self { groups, real, seat_figures, ..Self::default() }
    }

    fn len(&self) -> usize {
        self.whole[0].len()
    }

    /// Adds the rows of an episode.
    pub fn add(&mut self, report: &EpisodeReport<'_>) {
        let outcome = report.outcome;
        let seats = report.player_at.len();
        let share = 1.0 / outcome.winners().max(1) as f64;
        let Self { groups, whole: [episode, score, length], small, real, seat_figures } = self;
        let [at_seat, player, place, end, turn] = small;
        let (win_share, figures) = real.split_first_mut().expect("there is a share of the win");
        for seat in 0..seats {
            episode.push(report.index as i64);
            at_seat.push(seat as i32);
            player.push(i32::from(groups[usize::from(report.player_at[seat])]));
            score.push(outcome.scores[seat]);
            place.push(outcome.places[seat] as i32);
            win_share.push(if outcome.places[seat] == 1 { share } else { 0.0 });
            end.push(outcome.end as i32);
            length.push(i64::try_from(report.length).unwrap_or(i64::MAX));
        }
        turn.extend(report.turn_places.iter().map(|place| i32::from(*place) + 1));
        let (by_seat, by_episode) = figures.split_at_mut(*seat_figures);
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
        fn extend<T: Copy>(own: &mut [Vec<T>], other: &[Vec<T>]) {
            own.iter_mut().zip(other).for_each(|(own, other)| own.extend_from_slice(other));
        }
        extend(&mut self.whole, &other.whole);
        extend(&mut self.small, &other.small);
        extend(&mut self.real, &other.real);
    }

    fn drop_first(&mut self, rows: usize) {
        fn drop_of<T>(columns: &mut [Vec<T>], rows: usize) {
            // Places in the order of turns may not be there.
            columns.iter_mut().for_each(|column| drop(column.drain(..rows.min(column.len()))));
        }
        drop_of(&mut self.whole, rows);
        drop_of(&mut self.small, rows);
        drop_of(&mut self.real, rows);
    }
}

/// One row for every seat and episode, by column: the columns of `episodes.parquet`.
#[derive(Clone, Debug)]
pub struct EpisodeColumns {
    /// Names and values, all of one length.
    pub columns: Vec<(String, Values)>,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum Values {
    /// Large whole numbers.
    Whole(Vec<i64>),
    /// Small whole numbers.
    Small(Vec<i32>),
    /// Any numbers.
    Real(Vec<f64>),
    /// Places among these words.
    Words(Vec<i32>, Vec<String>),
}

/// Takes rows in order, and writes `episodes.parquet` or keeps them in memory.
pub(crate) struct Columns {
    path: PathBuf,
    /// `None` if they are kept.
    writer: Option<SerializedFileWriter<File>>,
    pending: Rows,
    failed: Option<LabError>,
    group_rows: usize,
    columns: Vec<Column>,
}

impl Columns {
    /// Begins the file.
    pub fn create(path: &Path, simulation: &Simulation<'_>) -> Result<Self, LabError> {
        let columns = columns_of(simulation);
        let file = File::create(path).map_err(|error| LabError::write(path, error))?;
        let level = ZstdLevel::try_new(3).expect("zstd has levels 1 to 22");
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            // The library's version is not in the file: the bytes change only when the data do.
            .set_created_by("meeple".to_owned())
            .set_key_value_metadata(Some(metadata(simulation, &columns)))
            .build();
        let schema = schema(&columns).map_err(|error| LabError::write(path, error))?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties))
            .map_err(|error| LabError::write(path, error))?;
        let seats = simulation.line_up.seats().max(1);
        Ok(Self {
            path: path.to_owned(),
            writer: Some(writer),
            pending: Rows::new(simulation.game.info(), simulation.line_up.groups().into()),
            failed: None,
            group_rows: (GROUP_ROWS / seats).max(1) * seats,
            columns,
        })
    }

    /// Keeps rows in memory.
    pub fn in_memory(simulation: &Simulation<'_>) -> Self {
        Self {
            path: PathBuf::new(),
            writer: None,
            pending: Rows::new(simulation.game.info(), simulation.line_up.groups().into()),
            failed: None,
            group_rows: usize::MAX,
            columns: columns_of(simulation),
        }
    }

    /// The rows that were kept.
    pub fn kept(self) -> EpisodeColumns {
        let Self { columns, pending: rows, .. } = self;
        let values = |column: &Column| match (column.physical, column.held) {
            (Physical::DOUBLE, Held::Real(at)) => Values::Real(rows.real[at].clone()),
            (Physical::INT64, Held::Whole(at)) => Values::Whole(rows.whole[at].clone()),
            (Physical::INT64, Held::Real(at)) => {
                Values::Whole(rows.real[at].iter().map(|value| *value as i64).collect())
            }
            (Physical::INT32, _) => Values::Small(column.places(&rows).collect()),
            _ => {
                let words = column.words.iter().map(|word| String::from_utf8_lossy(word.data()).into_owned());
                Values::Words(column.places(&rows).collect(), words.collect())
            }
        };
        let columns = columns.iter().map(|column| (column.name.clone(), values(column))).collect();
        EpisodeColumns { columns }
    }

    /// Empty rows that fit.
    pub fn rows(&self) -> Rows {
        let Rows { groups, real, seat_figures, .. } = &self.pending;
        let (groups, real) = (Arc::clone(groups), vec![Vec::new(); real.len()]);
        Rows { groups, real, seat_figures: *seat_figures, ..Rows::default() }
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
        if group.num_columns() != self.columns.len() {
            return Err(format!("expected {} columns, found {}", self.columns.len(), group.num_columns()));
        }
        for (index, column) in self.columns.iter().enumerate() {
            column.read(group, index, &mut rows)?;
        }
        Ok(rows)
    }

    fn write_group(&mut self, count: usize) -> Result<(), LabError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let mut write = || -> parquet::errors::Result<()> {
            let mut group = writer.next_row_group()?;
            self.columns.iter().try_for_each(|column| column.write(&mut group, &self.pending, count))?;
            group.close().map(drop)
        };
        write().map_err(|error| LabError::write(&self.path, error))?;
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

/// What the file says of itself: what the columns mean, and of which simulation it is, but for the number of
/// episodes, which the rows tell.
fn metadata(simulation: &Simulation<'_>, columns: &[Column]) -> Vec<KeyValue> {
    let meanings: Value = columns.iter().map(|column| column.meaning.clone()).collect();
    let texts = [
        (MEANINGS, meanings.to_string()),
        ("game", simulation.game.info().id.to_owned()),
        ("variant", simulation.game.variant().to_string()),
        ("line_up", json!(simulation.line_up.words()).to_string()),
        ("seating", seating_word(simulation.seating).to_owned()),
        ("seed", simulation.seed.to_string()),
    ];
    texts.map(|(key, text)| KeyValue::new(key.to_owned(), text)).into()
}

fn schema(columns: &[Column]) -> parquet::errors::Result<Arc<Type>> {
    let field = |column: &Column| {
        let is_text = column.physical == Physical::BYTE_ARRAY;
        let converted = if is_text { ConvertedType::UTF8 } else { ConvertedType::NONE };
        Type::primitive_type_builder(&column.name, column.physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(converted)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
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
