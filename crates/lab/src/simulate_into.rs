//! A simulation whose results become files.

use std::path::Path;

use serde_json::{Value, json};

use crate::columns::Columns;
use crate::error::LabError;
use crate::progress::{Progress, StopFlag};
use crate::results::{Directory, EPISODES, Filed, Output, PLAN, REPORT, SUMMARY, TALLY, TIMING};
use crate::run::{Run, play_on};
use crate::simulation::{Simulation, seating_word};
use crate::tally::Tally;
use crate::{plots, report};

/// Plays a simulation and writes its results into a directory: `summary.json`, `episodes.parquet` (one row
/// per seat and episode), `plots/*.svg` and `.png`, `report.html`; `timing.json` apart from them, because all
/// other files are the same on any machine and number of threads; `plan.json`, `tally.json` and
/// `checksums.json` for [`Existing::Resume`](crate::Existing::Resume).
///
/// The files replace earlier ones only when all of them are written: a run that is killed, or finds the disk
/// full, leaves earlier results as they were. What was played up to then is returned all the same.
///
/// A run that was stopped leaves the files of the episodes it has. A continued run gives the same bytes as
/// one that was never stopped; it may also be continued to more episodes than first asked for.
///
/// # Errors
/// As [`simulate`](crate::simulate), or if the directory cannot be used. That is found out before anything
/// is played.
pub fn simulate_into(
    simulation: &Simulation<'_>,
    directory: &Path,
    output: &Output,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Filed<Run>, LabError> {
    simulation.check()?;
    let plan = plan(simulation);
    let mut results = Directory::open(directory, output.existing, &plan)?;
    let line_up = &simulation.line_up;
    let mut tally = Tally::new(simulation.game, line_up, simulation.seating);
    if results.resumes {
        results.verify(&[TALLY, EPISODES])?;
        let stored: Tally = results.read(TALLY)?;
        let wrong = |expected: String, found: String, hint: &str| LabError::Resume {
            path: directory.to_owned(),
            expected,
            found,
            hint: hint.to_owned(),
        };
        if !stored.fits(&tally) {
            return Err(wrong(
                "counts of this line-up".into(),
                "others".into(),
                "the files were changed; replace them with --force",
            ));
        }
        if stored.episodes() > simulation.episodes {
            return Err(wrong(
                format!("at most {} episodes", simulation.episodes),
                stored.episodes().to_string(),
                "ask for at least as many episodes as there are",
            ));
        }
        tally = stored;
    }
    let mut columns = Columns::create(&results.stage(EPISODES)?, simulation)?;
    if results.resumes {
        columns.copy_from(&results.file(EPISODES), tally.episodes() * line_up.seats() as u64)?;
    }
    let mut update = |done, total| progress.update(done, total, "");
    let run = play_on(simulation, tally, Some(&mut columns), &mut update, stop)?;
    // From here to the end no file of earlier results is touched before all new ones are on the disk.
    let _writing = stop.writing();
    let written = write(&run, columns, results, &plan, output);
    Ok(Filed { played: run, written })
}

fn write(
    run: &Run,
    columns: Columns,
    mut results: Directory,
    plan: &Value,
    output: &Output,
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

/// What the results of a simulation are of.
fn plan(simulation: &Simulation<'_>) -> Value {
    let info = simulation.game.info();
    json!({
        "format": 1,
        "kind": "simulation",
        "game": info.id,
        "rules_version": info.rules_version,
        "variant": simulation.game.variant(),
        "line_up": simulation.line_up.words(),
        "seating": seating_word(simulation.seating),
        "seed": simulation.seed,
    })
}
