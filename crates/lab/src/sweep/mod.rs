//! Sweeps: one simulation for every value of one or two parameters.

mod plan;
mod range;

use std::path::Path;

use meeple_core::Seating;
use serde_json::{Map, Value, json};

pub use plan::{Axis, ReadFile, Sweep};

use crate::results::{Directory, Filed, Output, PLAN, REPORT, SUMMARY, TALLY, TIMING};
use crate::simulation::{Run, Simulation, kept, play_on};
use crate::summary::seating_word;
use crate::tally::Tally;
use crate::text::{grouped, ordinal};
use crate::{LabError, Progress, StopFlag, plots, report};

/// How the cells of a sweep are played.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// The root seed, the same in every cell: all cells see the same deals.
    pub seed: u64,
    /// Episodes per cell.
    pub episodes: u64,
    /// How players take their seats.
    pub seating: Seating,
    /// Threads; 0 stands for as many as there are cores.
    pub threads: usize,
}

impl SweepOptions {
    /// Episodes in all cells.
    fn total(&self, sweep: &Sweep) -> Result<u64, LabError> {
        let cells = sweep.cells.len() as u64;
        self.episodes.checked_mul(cells).ok_or_else(|| LabError::Sweep {
            expected: format!("at most {} episodes for each of {cells} cells", u64::MAX / cells.max(1)),
            found: self.episodes.to_string(),
            hint: "give a smaller number with -n, as in -n 10000".into(),
        })
    }
}

/// One cell of a sweep.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Index into the values of each axis.
    pub at: Vec<usize>,
    /// What came out.
    pub run: Run,
}

/// What came out of a sweep.
#[derive(Clone, Debug)]
pub struct SweepResult {
    /// The swept parameters: one or two.
    pub axes: Vec<Axis>,
    /// The cells; the last axis changes fastest. If it was stopped, there may be fewer than there should be,
    /// and cells of continued results may have fewer episodes.
    pub cells: Vec<Cell>,
    /// The root seed.
    pub seed: u64,
    /// Whether it was stopped before all cells were played.
    pub stopped: bool,
    /// Seconds of playing and counting.
    pub seconds: f64,
}

/// Plays a sweep. Every cell sees the same deals, so that cells differ by their parameters and not by luck.
///
/// # Errors
/// If there are no episodes.
pub fn sweep(
    sweep: &Sweep,
    options: &SweepOptions,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<SweepResult, LabError> {
    options.total(sweep)?;
    play_cells(sweep, options, Vec::new(), progress, stop)
}

/// Plays a sweep and writes its results into a directory: as [`simulate_into`](crate::simulate_into), but
/// `summary.json` holds every cell and there is no `episodes.parquet`.
///
/// # Errors
/// As [`sweep`](fn@sweep), or if the directory cannot be used. That is found out before anything is played.
pub fn sweep_into(
    sweep: &Sweep,
    options: &SweepOptions,
    directory: &Path,
    output: &Output,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Filed<SweepResult>, LabError> {
    if options.episodes == 0 {
        return Err(LabError::Episodes { found: 0 });
    }
    options.total(sweep)?;
    let plan = plan_json(sweep, options);
    let results = Directory::open(directory, output.existing, &plan)?;
    let mut stored: Vec<Tally> = Vec::new();
    if results.resumes {
        results.verify(&[TALLY])?;
        stored = results.read(TALLY)?;
    }
    let wrong = |expected: String, found: String, hint: &str| {
        Err(LabError::Resume { path: directory.to_owned(), expected, found, hint: hint.to_owned() })
    };
    if stored.len() > sweep.cells.len() {
        let hint = "the files were changed; replace them with --force";
        return wrong(format!("{} cells", sweep.cells.len()), stored.len().to_string(), hint);
    }
    for (tally, cell) in stored.iter().zip(&sweep.cells) {
        if !tally.fits(&Tally::new(&*cell.set_up.game, &cell.set_up.line_up, options.seating)) {
            let hint = "the files were changed; replace them with --force";
            return wrong("counts of these line-ups".into(), "others".into(), hint);
        }
        if tally.episodes() > options.episodes {
            let hint = "ask for at least as many episodes as there are";
            return wrong(
                format!("at most {} episodes", options.episodes),
                tally.episodes().to_string(),
                hint,
            );
        }
    }
    let result = play_cells(sweep, options, stored, progress, stop)?;
    let _writing = stop.writing();
    let written = write(&result, results, &plan, &output.command_for(options.episodes));
    Ok(Filed { played: result, written })
}

fn write(result: &SweepResult, mut results: Directory, plan: &Value, command: &str) -> Result<(), LabError> {
    let plots = plots::sweep_plots(result)?;
    let tallies: Vec<&Tally> = result.cells.iter().map(|cell| &cell.run.tally).collect();
    results.write_json(SUMMARY, &result.summary())?;
    results.write_json(TIMING, &json!({ "seconds": result.seconds }))?;
    results.write_plots(&plots)?;
    results.write(REPORT, report::sweep_report(result, &plots, command).as_bytes())?;
    results.write_compact(TALLY, &tallies)?;
    results.write_json(PLAN, plan)?;
    results.commit()
}

fn play_cells(
    sweep: &Sweep,
    options: &SweepOptions,
    stored: Vec<Tally>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<SweepResult, LabError> {
    let began = std::time::Instant::now();
    let mut cells: Vec<Cell> = Vec::new();
    let mut stored = stored.into_iter();
    let total = options.total(sweep)?;
    for planned in &sweep.cells {
        let simulation = Simulation {
            game: &*planned.set_up.game,
            line_up: planned.set_up.line_up.clone(),
            seed: options.seed,
            episodes: options.episodes,
            seating: options.seating,
            threads: options.threads,
        };
        simulation.check()?;
        let before = options.episodes * cells.len() as u64;
        let label = sweep.label(&planned.at);
        let mut update = |done, _| progress.update(before + done, total, &label);
        let run = match stored.next() {
            // Nothing that was played before is lost by a stop.
            Some(tally) if stop.is_stopped() => kept(&simulation, tally),
            Some(tally) => play_on(&simulation, tally, None, &mut update, stop)?,
            None if stop.is_stopped() && !cells.is_empty() => break,
            None => {
                let tally = Tally::new(simulation.game, &simulation.line_up, simulation.seating);
                play_on(&simulation, tally, None, &mut update, stop)?
            }
        };
        cells.push(Cell { at: planned.at.clone(), run });
    }
    let stopped = cells.len() < sweep.cells.len() || cells.iter().any(|cell| cell.run.stopped);
    Ok(SweepResult {
        axes: sweep.axes.clone(),
        cells,
        seed: options.seed,
        stopped,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// What the results of a sweep are of.
fn plan_json(sweep: &Sweep, options: &SweepOptions) -> Value {
    let cells = sweep.cells.iter().map(|cell| {
        let game = &cell.set_up.game;
        json!({ "variant": game.variant(), "line_up": cell.set_up.line_up.words() })
    });
    let info = sweep.cells.first().map(|cell| cell.set_up.game.info());
    json!({
        "format": 1,
        "kind": "sweep",
        "game": info.map(|info| info.id),
        "rules_version": info.map(|info| info.rules_version),
        "axes": axes_json(&sweep.axes),
        "seating": seating_word(options.seating),
        "seed": options.seed,
        "cells": cells.collect::<Vec<_>>(),
    })
}

fn axes_json(axes: &[Axis]) -> Value {
    let axis = |axis: &Axis| json!({ "name": axis.name, "doc": axis.doc, "values": axis.values });
    axes.iter().map(axis).collect()
}

/// `turn 3, hazards.copies 2`.
fn label(axes: &[Axis], at: &[usize]) -> String {
    let parts: Vec<String> =
        axes.iter().zip(at).map(|(axis, index)| format!("{} {}", axis.name, axis.values[*index])).collect();
    parts.join(", ")
}

impl Sweep {
    fn label(&self, at: &[usize]) -> String {
        label(&self.axes, at)
    }
}

impl SweepResult {
    /// The object that `sweep --json` prints: `axes`, the `seconds` it took, and `cells`, each with its
    /// coordinates (`at`: value by name of the axis) and the keys of a summary.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        for (key, value) in self.summary() {
            object.insert(key.clone(), value);
            if key == "seed" {
                object.insert("seconds".into(), self.seconds.into());
            }
        }
        Value::Object(object)
    }

    /// The same without the time, as it is stored.
    fn summary(&self) -> Map<String, Value> {
        let cells = self.cells.iter().map(|cell| {
            let mut object = Map::new();
            let at: Map<String, Value> = self
                .axes
                .iter()
                .zip(&cell.at)
                .map(|(axis, index)| (axis.name.clone(), number_or_text(&axis.values[*index])))
                .collect();
            object.insert("at".into(), Value::Object(at));
            if let Value::Object(summary) = cell.run.summary.to_json(None) {
                object.extend(summary);
            }
            Value::Object(object)
        });
        let game = self.cells.first().map(|cell| cell.run.summary.game.clone());
        let mut object = Map::new();
        object.insert("format".into(), 1.into());
        object.insert("game".into(), game.into());
        object.insert("seed".into(), self.seed.into());
        object.insert("stopped".into(), self.stopped.into());
        object.insert("axes".into(), axes_json(&self.axes));
        object.insert("cells".into(), cells.collect());
        object
    }

    /// The coordinates of a cell in words: `turn 3, hazards.copies 2`.
    pub fn label(&self, cell: &Cell) -> String {
        label(&self.axes, &cell.at)
    }

    /// Cells that have all their episodes.
    pub fn finished(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.run.stopped).count()
    }

    /// Episodes of a cell in words: `500`, or `20 to 500` where a stop has left cells with fewer.
    pub(crate) fn episodes_per_cell(&self) -> String {
        let episodes = || self.cells.iter().map(|cell| cell.run.summary.episodes);
        let (fewest, most) = (episodes().min().unwrap_or(0), episodes().max().unwrap_or(0));
        if fewest == most { grouped(most) } else { format!("{} to {}", grouped(fewest), grouped(most)) }
    }

    /// Number of entries of the line-up; the same in every cell, but for seats that a swept variant adds.
    pub fn agents(&self) -> usize {
        self.cells.iter().map(|cell| cell.run.summary.agents.len()).min().unwrap_or(0)
    }

    /// The name of an entry of the line-up: as in the first cell, without the swept value if the cells differ.
    pub fn agent_name(&self, agent: usize) -> String {
        let names: Vec<&str> =
            self.cells.iter().map(|cell| cell.run.summary.agents[agent].name.as_str()).collect();
        let first = names.first().copied().unwrap_or_default();
        if names.iter().all(|name| *name == first) {
            return first.to_owned();
        }
        let plain = first.split([':', '#']).next().unwrap_or_default().trim().to_owned();
        let others = (0..self.agents()).filter(|other| *other != agent);
        let same = others
            .filter(|other| {
                let name = &self.cells[0].run.summary.agents[*other].name;
                name.split([':', '#']).next().unwrap_or_default().trim() == plain
            })
            .count();
        // Two of the same kind are told apart by their place in the line-up.
        if same > 0 { format!("{plain} ({})", ordinal(agent + 1)) } else { plain }
    }

    /// Whether cells are compared by their mean score: if any of them has a lone player, whose share of the win
    /// says nothing. Otherwise they are compared by that share.
    pub fn ranks_by_score(&self) -> bool {
        self.cells.iter().any(|cell| cell.run.summary.seats.len() == 1)
    }

    /// The best `count` cells for entry `agent` of the line-up, best first: all by mean score, or all by share
    /// of the win ([`ranks_by_score`](Self::ranks_by_score)). Equal cells keep their order.
    pub fn best(&self, agent: usize, count: usize) -> Vec<&Cell> {
        let by_score = self.ranks_by_score();
        let value = |cell: &Cell| {
            let results = &cell.run.summary.agents[agent].results;
            if by_score { results.mean_score } else { results.win_share }
        };
        let mut cells: Vec<&Cell> = self.cells.iter().collect();
        cells.sort_by(|left, right| value(right).total_cmp(&value(left)));
        cells.truncate(count);
        cells
    }
}

/// A coordinate as JSON: a number where it is one.
fn number_or_text(text: &str) -> Value {
    let number = text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<f64>().map(Value::from));
    number.unwrap_or_else(|_| text.into())
}
