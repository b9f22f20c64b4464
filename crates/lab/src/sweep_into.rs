//! A sweep whose results become files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::error::{LabError, Mismatch};
use crate::plan::SweepPlan;
use crate::progress::{Progress, StopFlag};
use crate::results::{CHANGED, Directory, Filed, Output, PLAN, REPORT, SUMMARY, TALLY, TIMING};
use crate::shard::{self, Shard};
use crate::sweep::{Sweep, SweepOptions, SweepResult, play_cells};
use crate::tally::Tally;
use crate::{plots, report};

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
    let plan = SweepPlan { sweep, options };
    let mut results = Directory::open(directory, output.existing, &plan)?;
    let mut stored: Vec<Tally> = Vec::new();
    if results.resumes {
        results.verify(&[TALLY])?;
        stored = results.read(TALLY)?;
        stored.iter_mut().for_each(Tally::shrink);
    }
    if stored.len() > sweep.cells.len() {
        let expected = format!("{} cells", sweep.cells.len());
        let wrong = Mismatch::new(expected, stored.len().to_string(), CHANGED);
        return Err(LabError::Resume(directory.to_owned(), wrong));
    }
    for (tally, cell) in stored.iter().zip(options.simulations(sweep)) {
        results.check_stored(tally, &cell, "these line-ups")?;
    }
    let mut counts = Counts::create(&results.stage(TALLY)?)?;
    let result = play_cells(sweep, options, stored, &mut |tally| counts.add(tally), progress, stop)?;
    let _writing = stop.writing();
    let written = write(&result, counts, results, &plan, &output.command_for(options.episodes));
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
    let plan = SweepPlan { sweep, options };
    let mut results = Directory::open(directory, output.existing, &plan)?;
    let mut counts = Counts::create(&results.stage(TALLY)?)?;
    let result = shard::merge_sweep_keeping(sweep, options, shards, &mut |tally| counts.add(tally))?;
    let _writing = stop.writing();
    let written = write(&result, counts, results, &plan, &output.command_for(options.episodes));
    Ok(Filed { played: result, written })
}

/// The file of counts, which are written cell by cell: all together take many times as much memory as what is told of them.
struct Counts {
    path: PathBuf,
    file: BufWriter<File>,
    cells: usize,
    /// Whether all of it was written; what goes wrong is said at the end, when everything is played.
    written: std::io::Result<()>,
}

impl Counts {
    fn create(path: &Path) -> Result<Self, LabError> {
        let file = File::create(path).map_err(|error| LabError::write(path, error))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), cells: 0, written: Ok(()) })
    }

    /// Writes the counts of the next cell.
    fn add(&mut self, tally: &Tally) {
        if self.written.is_ok() {
            let before = if self.cells == 0 { b"[" } else { b"," };
            let written = self.file.write_all(before);
            self.written = written.and_then(|()| Ok(serde_json::to_writer(&mut self.file, tally)?));
            self.cells += 1;
        }
    }

    /// The file is on the disk then.
    fn finish(self) -> Result<(), LabError> {
        let Self { path, mut file, cells, written } = self;
        let end = if cells == 0 { "[]\n" } else { "]\n" };
        let finished = written.and_then(|()| {
            file.write_all(end.as_bytes())?;
            file.into_inner()?.sync_all()
        });
        finished.map_err(|error| LabError::write(&path, error))
    }
}

fn write(
    result: &SweepResult,
    counts: Counts,
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
