//! A sweep whose results become files.

use std::path::Path;

use serde_json::{Value, json};

use crate::error::LabError;
use crate::progress::{Progress, StopFlag};
use crate::results::{Directory, Filed, Output, PLAN, REPORT, SUMMARY, TALLY, TIMING};
use crate::simulation::seating_word;
use crate::sweep::{Sweep, SweepOptions, SweepResult, axes_json, play_cells};
use crate::tally::Tally;
use crate::{plots, report};

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
