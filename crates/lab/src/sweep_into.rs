//! A sweep whose results become files.

use std::path::Path;

use serde_json::{Value, json};

use crate::error::{LabError, Mismatch};
use crate::progress::{Progress, StopFlag};
use crate::results::{CHANGED, Directory, Filed, Output, PLAN, REPORT, SUMMARY, TALLY, TIMING};
use crate::shard::{self, Shard};
use crate::sweep::{Sweep, SweepOptions, SweepResult, play_cells};
use crate::tally::Tally;
use crate::{plan, plots, report};

/// Plays a sweep and writes its results into a directory: as [`simulate_into`](crate::simulate_into), but
/// `summary.json` holds every cell and there is no `episodes.parquet`.
///
/// # Errors
/// As [`sweep`](fn@crate::sweep), or if the directory cannot be used. That is found out before anything is played.
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
    let plan = plan::of_sweep(sweep, options);
    let results = Directory::open(directory, output.existing, &plan)?;
    let mut stored: Vec<Tally> = Vec::new();
    if results.resumes {
        results.verify(&[TALLY])?;
        stored = results.read(TALLY)?;
    }
    if stored.len() > sweep.cells.len() {
        let expected = format!("{} cells", sweep.cells.len());
        let wrong = Mismatch::new(expected, stored.len().to_string(), CHANGED);
        return Err(LabError::Resume(directory.to_owned(), wrong));
    }
    for (tally, cell) in stored.iter().zip(options.simulations(sweep)) {
        results.check_stored(tally, &cell, "these line-ups")?;
    }
    let result = play_cells(sweep, options, stored, progress, stop)?;
    let _writing = stop.writing();
    let written = write(&result, results, &plan, &output.command_for(options.episodes));
    Ok(Filed { played: result, written })
}

/// Merges the shards of a sweep, in order, and writes the results as [`sweep_into`] does, with the same bytes. What
/// results are there already is replaced or refused.
///
/// # Errors
/// As [`shard::merge_sweep`], or if the directory cannot be used.
pub fn merge_sweep_into(
    sweep: &Sweep,
    options: &SweepOptions,
    shards: impl IntoIterator<Item = Shard>,
    directory: &Path,
    output: &Output,
    stop: &StopFlag,
) -> Result<Filed<SweepResult>, LabError> {
    let plan = plan::of_sweep(sweep, options);
    let results = Directory::open(directory, output.existing, &plan)?;
    let result = shard::merge_sweep(sweep, options, shards)?;
    let _writing = stop.writing();
    let written = write(&result, results, &plan, &output.command_for(options.episodes));
    Ok(Filed { played: result, written })
}

fn write(result: &SweepResult, mut results: Directory, plan: &Value, command: &str) -> Result<(), LabError> {
    let plots = plots::sweep_plots(result)?;
    let tallies: Vec<&Tally> = result.cells.iter().map(|cell| &cell.run.tally).collect();
    results.write_json(SUMMARY, &result.untimed())?;
    results.write_json(TIMING, &json!({ "seconds": result.seconds }))?;
    results.write_plots(&plots)?;
    results.write(REPORT, report::sweep_report(result, &plots, command).as_bytes())?;
    results.write_compact(TALLY, &tallies)?;
    results.write_json(PLAN, plan)?;
    results.commit()
}
