use meeple_core::Seating;

use super::plan::Sweep;
use super::result::{Cell, CellRun, SweepResult, label};
use crate::error::{LabError, Mismatch};
use crate::progress::{Progress, StopFlag};
use crate::run::{Run, kept, play_on};
use crate::simulation::Simulation;
use crate::tally::Tally;

/// Options of playing a sweep.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// The root seed, the same in every cell: all cells see the same deals.
    pub seed: u64,
    /// Episodes per cell.
    pub episodes: u64,
    /// Assignment of players to seats.
    pub seating: Seating,
    /// Threads; 0 means one per core.
    pub threads: usize,
}

impl SweepOptions {
    pub(crate) fn simulations<'a>(&self, sweep: &'a Sweep) -> impl Iterator<Item = Simulation<'a>> {
        sweep.cells.iter().map(|cell| Simulation {
            game: &*cell.set_up.game,
            line_up: cell.set_up.line_up.clone(),
            seed: self.seed,
            episodes: self.episodes,
            seating: self.seating,
            threads: self.threads,
        })
    }

    pub(crate) fn total(&self, sweep: &Sweep) -> Result<u64, LabError> {
        let cells = sweep.cells.len() as u64;
        self.episodes.checked_mul(cells).ok_or_else(|| {
            let expected = format!("at most {} episodes for each of {cells} cells", u64::MAX / cells.max(1));
            let hint = "give a smaller number with -n, as in -n 10000";
            LabError::Sweep(Mismatch::new(expected, self.episodes.to_string(), hint))
        })
    }
}

/// Plays a sweep. All cells share the same deals (common random numbers), so luck cancels in comparisons.
///
/// # Errors
/// If there are no episodes, or too many over all cells, or the game or an agent panics.
pub fn sweep(
    sweep: &Sweep,
    options: &SweepOptions,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<SweepResult, LabError> {
    options.total(sweep)?;
    play_cells(sweep, options, &mut || Ok(None), &mut |_| {}, progress, stop)
}

/// Plays the cells. `stored` yields the counts of the cells already played, one after the other. `keep`
/// receives the counts of each cell once done; they are stored nowhere else.
pub(crate) fn play_cells(
    sweep: &Sweep,
    options: &SweepOptions,
    stored: &mut dyn FnMut() -> Result<Option<Tally>, LabError>,
    keep: &mut dyn FnMut(&Tally),
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<SweepResult, LabError> {
    let began = std::time::Instant::now();
    let mut cells: Vec<Cell> = Vec::new();
    let total = options.total(sweep)?;
    for (planned, simulation) in sweep.cells.iter().zip(options.simulations(sweep)) {
        simulation.check()?;
        let before = options.episodes * cells.len() as u64;
        let label = label(&sweep.axes, &planned.at);
        let mut update = |done, _| progress.update(before + done, total, &label);
        let Run { mut summary, tally, stopped, .. } = match stored()? {
            // Counts played before are kept in spite of a stop.
            Some(tally) if stop.is_stopped() => kept(&simulation, tally),
            Some(tally) => play_on(&simulation, tally, None, &mut update, stop)?,
            None if stop.is_stopped() && !cells.is_empty() => break,
            None => match play_on(&simulation, simulation.tally(), None, &mut update, stop) {
                // The cells before are kept.
                Err(LabError::Abandoned) if !cells.is_empty() => break,
                played => played?,
            },
        };
        // Only the summaries of thousands of cells stay in memory.
        keep(&tally);
        planned.set_up.game.release();
        if let Some(first) = cells.first() {
            summary.share_with(&first.run.summary);
        }
        cells.push(Cell { at: planned.at.clone(), run: CellRun { summary, stopped } });
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
