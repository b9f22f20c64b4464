use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meeple_lab::plots::Plot;
use meeple_lab::report::{ReportPage, page, parameters, part};
use meeple_lab::text::grouped;
use meeple_lab::{Directory, Existing, Grid, LabError};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde::Serialize;
use serde_json::{Value, json};

use crate::answers::Answers;
use crate::plan::Balance;
use crate::play::PlayedTables;
use crate::row::Column;
use crate::sentences::Sentence;

/// Schema of the pay-offs: a row for each setting, table, deal and strategy at the table. The pay-off is a
/// mean over the seats of the strategy.
const COLUMNS: &str = "message pay_offs {
    required binary setting (UTF8);
    required int32 table;
    required int32 deal;
    required binary strategy (UTF8);
    required int32 seats;
    required double pay_off;
    required double length;
}";
/// Approximate number of deals of a row group.
const AT_ONCE: usize = 1 << 17;

/// A directory for the answers, opened before anything is played.
pub struct BalanceFiles {
    directory: Directory,
    plan: Value,
}

/// Content of the JSON file.
#[derive(Serialize)]
pub struct BalanceSummary<'a, T> {
    #[serde(flatten)]
    pub answers: &'a T,
    pub sentences: &'a [Sentence],
}

pub struct BalanceReport<'a> {
    /// Answers of the setting, or of the first of several.
    pub answers: &'a Answers,
    pub sentences: &'a [Sentence],
    pub grids: Vec<Grid>,
    pub plots: &'a [Plot],
    pub command: &'a str,
}

impl BalanceFiles {
    /// # Errors
    /// If the directory holds foreign files, is in use, or cannot be written to.
    pub fn open(path: &Path, existing: Existing, balance: &Balance, asked: &Value) -> Result<Self, LabError> {
        let plan = json!({
            "format": 1,
            "kind": "balance",
            "game": balance.game.info().id,
            "rules_version": balance.game.info().rules_version,
            "variant": balance.game.variant(),
            "strategies": balance.names(),
            "seats": balance.seats,
            "deals": balance.deals,
            "seed": balance.seed,
            "pay_off": balance.pay_off,
            "asked": asked,
        });
        Ok(Self { directory: Directory::open(path, existing, &plan, Some(&*balance.game))?, plan })
    }

    /// # Errors
    /// If the file cannot be created.
    pub fn pay_offs(&mut self) -> Result<PayoffFile, LabError> {
        PayoffFile::begin(self.directory.stage("pay-offs.parquet")?)
    }

    /// Writes all other files and commits them together.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(mut self, summary: &impl Serialize, report: BalanceReport<'_>) -> Result<(), LabError> {
        self.directory.write_json("summary.json", summary)?;
        self.directory.write_plots(report.plots)?;
        self.directory.write("report.html", report.html().as_bytes())?;
        self.directory.write_json("plan.json", &self.plan)?;
        self.directory.commit()
    }
}

impl BalanceReport<'_> {
    fn html(self) -> String {
        self.shown(page)
    }

    /// The report without title and style, for embedding in another page. Addresses of plots begin with
    /// `files`.
    pub fn part(self, files: &str) -> String {
        self.shown(|page| part(page, files))
    }

    fn shown(self, show: impl FnOnce(&ReportPage<'_>) -> String) -> String {
        let Answers { game, seats, tables, deals, episodes, seed, .. } = self.answers;
        let facts = [
            ("Game", (*game).to_owned()),
            ("Strategies", self.answers.strategies.len().to_string()),
            ("Seats", seats.to_string()),
            ("Tables", grouped(*tables as u64)),
            ("Deals of each table", grouped(*deals)),
            ("Episodes", grouped(*episodes)),
            ("Seed", seed.to_string()),
        ];
        // Answers mark names by backticks, for the terminal; the page omits the backticks.
        let plain_text =
            |Sentence { question, answer }: &Sentence| ((*question).to_owned(), answer.replace('`', ""));
        let words: Vec<(String, String)> = self.sentences.iter().map(plain_text).collect();
        show(&ReportPage {
            title: format!("Balance of {game}"),
            facts: &facts,
            stopped: None,
            words: &words,
            grids: self.grids,
            legend: "Intervals hold with 95 % and come from resampled deals: all tables play the same deals, each from every seat.",
            files: &[],
            plots: self.plots,
            command: self.command,
            settings: parameters(&self.answers.variant),
        })
    }
}

/// The file of pay-offs, written while tables are played.
pub struct PayoffFile {
    writer: SerializedFileWriter<File>,
    path: PathBuf,
}

impl PayoffFile {
    fn begin(path: PathBuf) -> Result<Self, LabError> {
        let begun = || -> parquet::errors::Result<_> {
            let properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
                // The default names the version of the library; with this name, the bytes change only with
                // the data.
                .set_created_by("meeple".to_owned())
                .build();
            let schema = Arc::new(parse_message_type(COLUMNS)?);
            SerializedFileWriter::new(File::create(&path)?, schema, Arc::new(properties))
        };
        match begun() {
            Ok(writer) => Ok(Self { writer, path }),
            Err(error) => Err(LabError::Write { path, reason: error.to_string() }),
        }
    }

    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, setting: &str, balance: &Balance, played: &PlayedTables) -> Result<(), LabError> {
        let written = self.add_groups(setting, balance, played);
        written.map_err(|error| LabError::Write { path: self.path.clone(), reason: error.to_string() })
    }

    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> Result<(), LabError> {
        let Self { writer, path } = self;
        let ended = || -> parquet::errors::Result<()> {
            writer.into_inner()?.sync_all()?;
            Ok(())
        };
        ended().map_err(|error| LabError::Write { path, reason: error.to_string() })
    }

    fn add_groups(
        &mut self,
        setting: &str,
        balance: &Balance,
        played: &PlayedTables,
    ) -> parquet::errors::Result<()> {
        let text = |text: &str| ByteArray::from(text.as_bytes().to_vec());
        let names: Vec<ByteArray> = balance.strategies.iter().map(|strategy| text(&strategy.name)).collect();
        let at_once = AT_ONCE / played.deals.max(1) + 1;
        for (chunk, tables) in played.tables.chunks(at_once).enumerate() {
            let (mut table_of, mut deal_of, mut strategy_of, mut seats_of) = (vec![], vec![], vec![], vec![]);
            let (mut pay_offs, mut lengths) = (vec![], vec![]);
            for (place, table) in tables.iter().enumerate() {
                let sitting = table.sitting.len();
                let width = played.layout.width(sitting);
                let length = sitting + played.layout.offset(Column::Length);
                for (deal, row) in table.rows.chunks_exact(width).enumerate() {
                    for (slot, (strategy, seats)) in table.sitting.iter().enumerate() {
                        table_of.push((chunk * at_once + place) as i32);
                        deal_of.push(deal as i32);
                        strategy_of.push(names[*strategy].clone());
                        seats_of.push(i32::from(*seats));
                        pay_offs.push(f64::from(row[slot]));
                        lengths.push(f64::from(row[length]));
                    }
                }
            }
            let settings = vec![text(setting); table_of.len()];
            let mut group = self.writer.next_row_group()?;
            write_column::<ByteArrayType>(&mut group, &settings)?;
            write_column::<Int32Type>(&mut group, &table_of)?;
            write_column::<Int32Type>(&mut group, &deal_of)?;
            write_column::<ByteArrayType>(&mut group, &strategy_of)?;
            write_column::<Int32Type>(&mut group, &seats_of)?;
            write_column::<DoubleType>(&mut group, &pay_offs)?;
            write_column::<DoubleType>(&mut group, &lengths)?;
            group.close()?;
        }
        Ok(())
    }
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
) -> parquet::errors::Result<()> {
    let mut column = group.next_column()?.expect("a column of the schema");
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}
