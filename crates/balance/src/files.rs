//! The answers as files: JSON, pay-offs, plots, a report.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use meeple_lab::plots::Plot;
use meeple_lab::report::{Page, page, parameters};
use meeple_lab::text::grouped;
use meeple_lab::{Directory, Existing, Grid, LabError};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde::Serialize;
use serde_json::{Value, json};

use crate::answers::Answers;
use crate::plan::Balance;
use crate::play::Played;
use crate::row::Column;

/// Of the pay-offs' file: a row for each table, deal and strategy that sits there; means over the seats it was played from.
const COLUMNS: &str = "message pay_offs {
    required int32 table;
    required int32 deal;
    required binary strategy (UTF8);
    required int32 seats;
    required double pay_off;
    required double length;
}";

/// A directory for the answers of a balance, opened before anything is played.
pub struct Files {
    directory: Directory,
    plan: Value,
}

/// What a report shows.
pub struct Report<'a> {
    /// Answers of the setting, or of the first of several.
    pub answers: &'a Answers,
    /// The tables.
    pub grids: Vec<Grid>,
    /// The plots.
    pub plots: &'a [Plot],
    /// The command that gives these answers.
    pub command: &'a str,
}

impl Files {
    /// Opens or makes a directory.
    ///
    /// # Errors
    /// If it holds what must not be touched, is in use, or cannot be written to.
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
        Ok(Self { directory: Directory::open(path, existing, &plan)?, plan })
    }

    /// Writes everything; the files take their places when all are written.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn write(
        mut self,
        summary: &impl Serialize,
        played: Option<(&Balance, &Played)>,
        report: Report<'_>,
    ) -> Result<(), LabError> {
        self.directory.write_json("summary.json", summary)?;
        if let Some((balance, played)) = played {
            let path = self.directory.stage("pay-offs.parquet")?;
            let failed = |error: parquet::errors::ParquetError| LabError::Write {
                path: path.clone(),
                reason: error.to_string(),
            };
            write_pay_offs(&path, balance, played).map_err(failed)?;
        }
        self.directory.write_plots(report.plots)?;
        self.directory.write("report.html", report.html().as_bytes())?;
        self.directory.write_json("plan.json", &self.plan)?;
        self.directory.commit()
    }
}

impl Report<'_> {
    fn html(self) -> String {
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
        page(&Page {
            title: format!("Balance of {game}"),
            facts: &facts,
            stopped: None,
            grids: self.grids,
            legend: "Intervals hold with 95 % and come from resampled deals: all tables play the same deals, each from every seat.",
            plots: self.plots,
            command: self.command,
            settings: parameters(&self.answers.variant),
        })
    }
}

fn write_pay_offs(path: &Path, balance: &Balance, played: &Played) -> parquet::errors::Result<()> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        // The library's version is not in the file: the bytes change only when the data do.
        .set_created_by("meeple".to_owned())
        .build();
    let schema = Arc::new(parse_message_type(COLUMNS)?);
    let mut writer = SerializedFileWriter::new(File::create(path)?, schema, Arc::new(properties))?;
    let names: Vec<ByteArray> =
        balance.strategies.iter().map(|strategy| strategy.name.as_bytes().to_vec().into()).collect();
    let at_once = (1 << 17) / played.deals.max(1) + 1;
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
        let mut group = writer.next_row_group()?;
        for whole in [&table_of, &deal_of] {
            let mut column = group.next_column()?.expect("a column of the schema");
            column.typed::<Int32Type>().write_batch(whole, None, None)?;
            column.close()?;
        }
        let mut column = group.next_column()?.expect("a column of the schema");
        column.typed::<ByteArrayType>().write_batch(&strategy_of, None, None)?;
        column.close()?;
        let mut column = group.next_column()?.expect("a column of the schema");
        column.typed::<Int32Type>().write_batch(&seats_of, None, None)?;
        column.close()?;
        for real in [&pay_offs, &lengths] {
            let mut column = group.next_column()?.expect("a column of the schema");
            column.typed::<DoubleType>().write_batch(real, None, None)?;
            column.close()?;
        }
        group.close()?;
    }
    writer.into_inner()?.sync_all()?;
    Ok(())
}
