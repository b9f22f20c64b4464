//! Simulation with results written to files.

use std::path::Path;

use serde_json::Value;

use crate::columns::Columns;
use crate::error::LabError;
use crate::progress::{Progress, StopFlag};
use crate::results::{Directory, EPISODES, Filed, OutputOptions, PLAN, REPORT, SUMMARY, TALLY, TIMING};
use crate::run::{Run, play_on};
use crate::shard::{Merging, Shard};
use crate::simulation::Simulation;
use crate::{plan, plots, report};

/// Plays a simulation and writes its results into a directory: `summary.json`, `episodes.parquet` (one row
/// per seat and episode), `plots/*.svg` and `.png`, and `report.html`. `timing.json` is separate, as all
/// other files are identical on any machine and number of threads. `plan.json`, `tally.json` and
/// `checksums.json` serve [`Existing::Resume`](crate::Existing::Resume).
///
/// The files replace earlier ones only when all are written: a killed run or a full disk leaves earlier
/// results intact. The results in memory are returned in any case. A stopped run leaves the files of its
/// episodes. A continued run gives the same bytes as an uninterrupted one, also with more episodes than first
/// requested.
///
/// # Errors
/// As [`simulate`](crate::simulate), or if the directory is unusable, which is detected before playing.
pub fn simulate_into(
    simulation: &Simulation<'_>,
    directory: &Path,
    output: &OutputOptions,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Filed<Run>, LabError> {
    simulation.check()?;
    let plan = plan::of_simulation(simulation);
    let mut results = Directory::open(directory, output.existing, &plan, Some(simulation.game))?;
    let mut tally = simulation.tally();
    if results.resumes {
        results.verify(&[TALLY, EPISODES])?;
        tally = results.read(TALLY)?;
        results.check_stored(&tally, simulation, "this line-up")?;
    }
    let mut columns = Columns::create(&results.stage(EPISODES)?, simulation)?;
    if results.resumes {
        columns.copy_from(&results.file(EPISODES), tally.episodes() * simulation.line_up.seats() as u64)?;
    }
    let mut update = |done, total| progress.update(done, total, "");
    let run = play_on(simulation, tally, Some(&mut columns), &mut update, stop)?;
    // Earlier results stay untouched until all new files are on disk.
    let _writing = stop.writing();
    let written = write(&run, columns, results, &plan, output);
    Ok(Filed { played: run, written })
}

/// Merges the shards of a simulation, in order and each with its file of rows. The results are written like
/// those of [`simulate_into`], with the same bytes. Earlier results are replaced or refused.
///
/// # Errors
/// As [`shard::merge`](crate::shard::merge), or if a file of rows is missing or changed, or the directory is
/// unusable.
pub fn merge_into<P: AsRef<Path>>(
    simulation: &Simulation<'_>,
    shards: impl IntoIterator<Item = (Shard, P)>,
    directory: &Path,
    output: &OutputOptions,
    stop: &StopFlag,
) -> Result<Filed<Run>, LabError> {
    let mut merging = Merging::of_simulation(simulation)?;
    let plan = plan::of_simulation(simulation);
    let mut results = Directory::open(directory, output.existing, &plan, Some(simulation.game))?;
    let mut columns = Columns::create(&results.stage(EPISODES)?, simulation)?;
    for (shard, rows) in shards {
        merging.add_rows(&shard, rows.as_ref(), &mut columns)?;
    }
    let run = merging.run()?;
    let _writing = stop.writing();
    let written = write(&run, columns, results, &plan, output);
    Ok(Filed { played: run, written })
}

fn write(
    run: &Run,
    columns: Columns,
    mut results: Directory,
    plan: &Value,
    output: &OutputOptions,
) -> Result<(), LabError> {
    columns.finish()?;
    let plots = plots::simulation_plots(run)?;
    results.write_json(SUMMARY, &run.summary)?;
    results.write_json(TIMING, &run.timing)?;
    results.write_plots(&plots)?;
    let command = output.command_for(run.summary.episodes);
    results.write(REPORT, report::simulation_report(run, &plots, &command).as_bytes())?;
    results.write_compact(TALLY, &run.tally)?;
    results.write_json(PLAN, plan)?;
    results.commit()
}
