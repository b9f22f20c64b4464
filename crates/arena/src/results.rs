//! The files of a tournament beside its record.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::ArenaError;
use crate::plan::Plan;
use crate::report::{csv, plots, report};
use crate::standings::{Standings, Times};
use crate::store::Store;

/// The standings, which are proved by [`verify`](crate::verify).
pub const STANDINGS: &str = "standings.json";
pub(crate) const TABLE: &str = "standings.csv";
pub(crate) const TIMES: &str = "times.json";
const REPORT: &str = "report.html";
pub(crate) const PLAN: &str = "plan.json";

/// The text of `plan.json`.
pub(crate) fn plan_text(plan: &Plan) -> String {
    let mut text = serde_json::to_string_pretty(plan).expect("a plan is plain data");
    text.push('\n');
    text
}

/// Removes the results beside a record, so that there are none of fewer episodes than it has.
pub(crate) fn remove_results(record: &Path) -> Result<(), ArenaError> {
    for name in [STANDINGS, TABLE, TIMES, REPORT] {
        let path = record.with_file_name(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ArenaError::file(&path, format!("expected to remove it: {error}")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Computes the standings, stores the ratings, and writes `standings.json`, `standings.csv`, `times.json`,
/// `plan.json`, `report.html` and the plots into the directory, if there is one.
///
/// # Errors
/// If the record cannot be read or a file cannot be written.
pub fn write_results(
    plan: &Plan,
    store: &Store,
    directory: Option<&Path>,
) -> Result<(Standings, Times), ArenaError> {
    let standings = Standings::compute(plan, store)?;
    let times = Times::compute(plan, store)?;
    let Some(directory) = directory else { return Ok((standings, times)) };
    store.set_ratings(plan, &standings)?;
    // It stays when the tournament is gone on with, and it tells the seed.
    write_private(&directory.join(PLAN), plan_text(plan).as_bytes())?;
    write(&directory.join(STANDINGS), standings.to_json().as_bytes())?;
    write(&directory.join(TABLE), csv(&standings).as_bytes())?;
    write(&directory.join(TIMES), times.to_json().as_bytes())?;
    let plots = plots(&standings, &times)?;
    let folder = directory.join("plots");
    fs::create_dir_all(&folder).map_err(|error| ArenaError::file(&folder, error))?;
    for plot in &plots {
        write(&folder.join(format!("{}.svg", plot.name)), plot.to_svg().as_bytes())?;
        write(&folder.join(format!("{}.png", plot.name)), &plot.to_png()?)?;
    }
    write(&directory.join(REPORT), report(&standings, &times, &plots, &store.command()?).as_bytes())?;
    write_logs(plan, store, directory)?;
    Ok((standings, times))
}

/// One log per bot with faults: episode, step and message of each, and the last of what it wrote to stderr.
fn write_logs(plan: &Plan, store: &Store, directory: &Path) -> Result<(), ArenaError> {
    let mut logs = vec![String::new(); plan.competitors.len()];
    store.each_fault(&mut |episode, competitor, _, record| {
        let log = &mut logs[usize::from(competitor)];
        let Ok(fault) = serde_json::from_str::<meeple_bothost::FaultRecord>(record) else { return };
        let turn = fault.turn.map_or(String::new(), |turn| format!(", question {turn}"));
        let told = fault.fault.to_string();
        let mut told = told.lines().map(printable);
        let first = told.next().unwrap_or_default();
        log.push_str(&format!("episode {episode}, step {}{turn}: {first}\n", fault.step));
        for line in told {
            log.push_str(&format!("  {line}\n"));
        }
        if let Some(line) = &fault.fault.line {
            log.push_str(&format!("  it sent: {}\n", printable(line.trim_end())));
        }
        for line in fault.fault.stderr_tail.lines() {
            log.push_str(&format!("  stderr: {}\n", printable(line)));
        }
    })?;
    let folder = directory.join("logs");
    for (competitor, log) in plan.competitors.iter().zip(&logs).filter(|(_, log)| !log.is_empty()) {
        fs::create_dir_all(&folder).map_err(|error| ArenaError::file(&folder, error))?;
        write(&folder.join(format!("{}.log", file_name(&competitor.name))), log.as_bytes())?;
    }
    Ok(())
}

/// Text of a bot with control characters escaped: a log must not steer the terminal of who reads it.
fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\t' { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}

/// A competitor's name as the name of a file.
pub(crate) fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

/// Writes a file as a whole: nobody ever sees a part of it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    write_as(path, bytes, 0o666)
}

/// The same for nobody else's eyes.
fn write_private(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    write_as(path, bytes, 0o600)
}

fn write_as(path: &Path, bytes: &[u8], mode: u32) -> Result<(), ArenaError> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let temporary = path.with_file_name(format!(".{name}.tmp"));
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(mode).open(&temporary);
    let written = file.and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        ArenaError::file(path, format!("expected to write it: {error}"))
    })
}
