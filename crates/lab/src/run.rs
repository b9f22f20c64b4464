//! Multi-threaded simulation with results independent of the number of threads.

use serde_json::Value;

use crate::columns::{Columns, EpisodeColumns};
use crate::error::LabError;
use crate::progress::{Progress, StopFlag};
use crate::simulation::Simulation;
use crate::stretch::{Stops, Stretch};
use crate::summary::{RunTiming, Summary};
use crate::tally::Tally;

/// Results of a simulation.
#[derive(Clone, Debug)]
pub struct Run {
    /// Statistics of all episodes.
    pub summary: Summary,
    /// The exact counts behind the statistics.
    pub tally: Tally,
    /// Elapsed time and speed.
    pub timing: RunTiming,
    /// True if stopped early. The summary has the number of episodes played.
    pub stopped: bool,
}

impl Run {
    /// The object printed by `sim --json`: the summary, the elapsed time and the flag `stopped`.
    pub fn to_json(&self) -> Value {
        let mut object = self.summary.to_json(Some(&self.timing));
        object["stopped"] = self.stopped.into();
        object
    }
}

/// Plays a simulation.
///
/// A stopped run has the episodes from 0 on without gaps: it equals a shorter run.
///
/// # Errors
/// If there are no episodes, the line-up does not fit the game, or the game or an agent panics.
pub fn simulate(
    simulation: &Simulation<'_>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Run, LabError> {
    simulation.check()?;
    let tally = simulation.tally();
    play_on(simulation, tally, None, &mut |done, total| progress.update(done, total, ""), stop)
}

/// Like [`simulate`], and keeps a row for every seat and episode.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_keeping(
    simulation: &Simulation<'_>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<(Run, EpisodeColumns), LabError> {
    simulation.check()?;
    let mut columns = Columns::in_memory(simulation);
    let mut update = |done, total| progress.update(done, total, "");
    let run = play_on(simulation, simulation.tally(), Some(&mut columns), &mut update, stop)?;
    Ok((run, columns.kept()))
}

pub(crate) fn play_on(
    simulation: &Simulation<'_>,
    tally: Tally,
    columns: Option<&mut Columns>,
    progress: &mut dyn FnMut(u64, u64),
    stop: &StopFlag,
) -> Result<Run, LabError> {
    let stretch = Stretch { simulation, episodes: 0..simulation.episodes, stops: Stops::AfterAnyEpisode };
    let (tally, timing) = stretch.count(tally, columns, progress, stop)?;
    Ok(Run {
        summary: Summary::new(simulation, &tally),
        timing,
        stopped: tally.episodes() < simulation.episodes,
        tally,
    })
}

/// The run of these counts, without playing.
pub(crate) fn kept(simulation: &Simulation<'_>, tally: Tally) -> Run {
    Run {
        summary: Summary::new(simulation, &tally),
        timing: RunTiming { threads: simulation.workers(), ..RunTiming::default() },
        stopped: tally.episodes() < simulation.episodes,
        tally,
    }
}
