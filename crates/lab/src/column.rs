//! Columns of the episodes file: names, meanings, sources and encodings.

use std::sync::Arc;

use meeple_core::{Figure, FigureKind, GameInfo};
use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::ByteArray;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::schema::types::{ColumnPath, SchemaDescPtr, SchemaDescriptor, Type, TypePtr};
use serde_json::{Value, json};

use crate::figures::{FigureDefinition, meanings, unlike};
use crate::rows::Rows;
use crate::simulation::{Simulation, seating_word};

/// Rows of a row group, before the number is rounded down to whole episodes. It is fixed for reproducible
/// bytes.
const GROUP_ROWS: usize = 1 << 17;

const MEANINGS: &str = "columns";

/// Metadata key and version of the encoding of values. A file has one encoding throughout, so row groups are
/// copied only between equal versions.
const FORMAT: (&str, &str) = ("format", "2");

/// Array of [`Rows`] that holds a column, with the column's index there.
#[derive(Clone, Copy)]
pub(crate) enum Held {
    Whole(usize),
    Small(usize),
    Real(usize),
}

pub(crate) struct Column {
    pub name: String,
    pub physical: Physical,
    /// Vocabulary of a column of words; the values are indices into it. Empty for numbers.
    pub words: Vec<ByteArray>,
    pub held: Held,
    meaning: Value,
}

impl Column {
    fn own(name: &str, held: Held, unit: &str, doc: &str) -> Self {
        let physical = match held {
            Held::Whole(_) => Physical::INT64,
            Held::Small(_) => Physical::INT32,
            Held::Real(_) => Physical::DOUBLE,
        };
        let meaning = json!({ "name": name, "unit": unit, "meaning": doc });
        Self { name: name.to_owned(), physical, words: Vec::new(), held, meaning }
    }

    fn of_words<'w>(self, words: impl Iterator<Item = &'w str>) -> Self {
        Self { physical: Physical::BYTE_ARRAY, words: words.map(ByteArray::from).collect(), ..self }
    }

    fn of_figure(name: String, described: FigureDefinition, held: Held) -> Self {
        let mut meaning = described.to_json();
        meaning.insert("name".into(), name.as_str().into());
        let (physical, words) = match described.figure.kind {
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

    fn path(&self) -> ColumnPath {
        ColumnPath::new(vec![self.name.clone()])
    }
}

/// All columns in order: common ones, turn position in games that draw it, then seat figures and episode
/// figures.
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
        columns.push(Column::of_figure(unlike(&names, key.into_owned()), meaning, Real(place)));
    }
    columns
}

/// Columns, schema and settings of a file; constant while rows are added.
pub(crate) struct Layout {
    pub columns: Vec<Column>,
    pub schema: TypePtr,
    pub descriptor: SchemaDescPtr,
    pub properties: WriterPropertiesPtr,
    /// Rows in every row group except the last.
    pub group_rows: usize,
    info: &'static GameInfo,
    groups: Arc<[u16]>,
}

impl Layout {
    pub fn new(simulation: &Simulation<'_>) -> Self {
        let columns = columns_of(simulation);
        let schema = schema(&columns);
        let seats = simulation.line_up.seats().max(1);
        Self {
            descriptor: Arc::new(SchemaDescriptor::new(Arc::clone(&schema))),
            schema,
            properties: Arc::new(properties(simulation, &columns)),
            columns,
            group_rows: (GROUP_ROWS / seats).max(1) * seats,
            info: simulation.game.info(),
            groups: simulation.line_up.groups().into(),
        }
    }

    pub fn rows(&self) -> Rows {
        Rows::new(self.info, Arc::clone(&self.groups))
    }

    pub fn is_of_this_format(metadata: Option<&Vec<KeyValue>>) -> bool {
        let (key, format) = FORMAT;
        metadata.into_iter().flatten().any(|pair| pair.key == key && pair.value.as_deref() == Some(format))
    }
}

/// Integers are delta-encoded, at a fifth of the cost of a dictionary; words and reals take few values and
/// have a dictionary. Statistics are per row group, and absent for words.
fn properties(simulation: &Simulation<'_>, columns: &[Column]) -> WriterProperties {
    // Level 3 shrinks a file of quick games by 3 % at 1.5 times the cost.
    let level = ZstdLevel::try_new(1).expect("zstd has levels 1 to 22");
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        // The default names the version of the library; with this name, the bytes change only with the data.
        .set_created_by("meeple".to_owned())
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(metadata(simulation, columns)));
    for column in columns {
        properties = match column.physical {
            Physical::INT32 | Physical::INT64 => properties
                .set_column_dictionary_enabled(column.path(), false)
                .set_column_encoding(column.path(), Encoding::DELTA_BINARY_PACKED),
            Physical::BYTE_ARRAY => {
                properties.set_column_statistics_enabled(column.path(), EnabledStatistics::None)
            }
            _ => properties,
        };
    }
    properties.build()
}

/// Metadata of the file: meanings of the columns and settings of the simulation. The number of episodes
/// follows from the rows.
fn metadata(simulation: &Simulation<'_>, columns: &[Column]) -> Vec<KeyValue> {
    let meanings: Value = columns.iter().map(|column| column.meaning.clone()).collect();
    let texts = [
        (FORMAT.0, FORMAT.1.to_owned()),
        (MEANINGS, meanings.to_string()),
        ("game", simulation.game.info().id.to_owned()),
        ("variant", simulation.game.variant().to_string()),
        ("line_up", json!(simulation.line_up.words()).to_string()),
        ("seating", seating_word(simulation.seating).to_owned()),
        ("seed", simulation.seed.to_string()),
    ];
    texts.map(|(key, text)| KeyValue::new(key.to_owned(), text)).into()
}

fn schema(columns: &[Column]) -> TypePtr {
    let field = |column: &Column| {
        let is_text = column.physical == Physical::BYTE_ARRAY;
        let converted = if is_text { ConvertedType::UTF8 } else { ConvertedType::NONE };
        Type::primitive_type_builder(&column.name, column.physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(converted)
            .build()
            .map(Arc::new)
    };
    let fields: Result<_, _> = columns.iter().map(field).collect();
    let schema = fields.and_then(|fields| Type::group_type_builder("episodes").with_fields(fields).build());
    Arc::new(schema.expect("numbers may have no converted type, and texts may be UTF-8"))
}
