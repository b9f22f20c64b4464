use std::path::Path;

use serde_json::json;

use crate::counts::{CountsReader, CountsWriter};
use crate::error::LabError;
use crate::plan::SweepPlan;
use crate::progress::{Progress, StopFlag};
use crate::results::{CHANGED, Directory, Filed, OutputOptions, PLAN, REPORT, SUMMARY, TALLY, TIMING};
use crate::shard::{self, Shard};
use crate::sweep::{Sweep, SweepOptions, SweepResult, play_cells};
use crate::{plots, report};

/// Plays a sweep and writes its results into a directory like [`simulate_into`](crate::simulate_into), but
/// `summary.json` holds every cell and there is no `episodes.parquet`.
///
/// # Errors
/// As [`sweep`](fn@crate::sweep), or if the directory is unusable, which is detected before playing.
pub fn sweep_into(
    sweep: &Sweep,
    options: &SweepOptions,
    directory: &Path,
    output: &OutputOptions,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Filed<SweepResult>, LabError> {
    if options.episodes == 0 {
        return Err(LabError::Episodes { found: 0 });
    }
    options.total(sweep)?;
    let plan = SweepPlan { sweep, options };
    let mut results = Directory::open(directory, output.existing, &plan, sweep.game())?;
    let mut stored = None;
    if results.resumes {
        results.verify(&[TALLY])?;
        check_stored(sweep, options, &results)?;
        stored = Some(CountsReader::open(&results.file(TALLY))?);
    }
    let mut stored = || stored.as_mut().map_or(Ok(None), CountsReader::next);
    let mut counts = CountsWriter::create(&results.stage(TALLY)?)?;
    let keep = &mut |tally: &_| counts.add(tally);
    let result = play_cells(sweep, options, &mut stored, keep, progress, stop)?;
    let _writing = stop.writing();
    let written = write(&result, counts, results, &plan, &output.command_for(options.episodes));
    Ok(Filed { played: result, written })
}

/// Merges the shards of a sweep, in order, and writes the results like [`sweep_into`], with the same bytes.
/// Earlier results are replaced or refused.
///
/// # Errors
/// As [`shard::merge_sweep`], or if the directory is unusable.
pub fn merge_sweep_into(
    sweep: &Sweep,
    options: &SweepOptions,
    shards: impl IntoIterator<Item = Shard>,
    directory: &Path,
    output: &OutputOptions,
    stop: &StopFlag,
) -> Result<Filed<SweepResult>, LabError> {
    let plan = SweepPlan { sweep, options };
    let mut results = Directory::open(directory, output.existing, &plan, sweep.game())?;
    let mut counts = CountsWriter::create(&results.stage(TALLY)?)?;
    let result = shard::merge_sweep_keeping(sweep, options, shards, &mut |tally| counts.add(tally))?;
    let _writing = stop.writing();
    let written = write(&result, counts, results, &plan, &output.command_for(options.episodes));
    Ok(Filed { played: result, written })
}

/// Validates all stored counts before playing, without keeping them in memory.
fn check_stored(sweep: &Sweep, options: &SweepOptions, results: &Directory) -> Result<(), LabError> {
    let mut stored = CountsReader::open(&results.file(TALLY))?;
    for cell in options.simulations(sweep) {
        match stored.next()? {
            Some(tally) => results.check_stored(&tally, &cell, "these line-ups")?,
            None => return Ok(()),
        }
        // Building the tally instantiated the game; thousands of games would stay in memory.
        cell.game.release();
    }
    match stored.next()? {
        Some(_) => Err(results.refused(format!("{} cells", sweep.cells.len()), "more".into(), CHANGED)),
        None => Ok(()),
    }
}

fn write(
    result: &SweepResult,
    counts: CountsWriter,
    mut results: Directory,
    plan: &SweepPlan<'_>,
    command: &str,
) -> Result<(), LabError> {
    counts.finish()?;
    results.write_json(SUMMARY, &result.untimed())?;
    results.write_json(TIMING, &json!({ "seconds": result.seconds }))?;
    let mut drawings = Vec::new();
    plots::each_sweep_plot(result, &mut |plot| {
        let svg = results.write_plot(&plot)?;
        drawings.push(report::Drawing { svg, description: plot.scene.description });
        Ok(())
    })?;
    results.write_by(REPORT, |file| report::write_sweep_report(result, &drawings, command, file))?;
    results.write_json(PLAN, plan)?;
    results.commit()
}
