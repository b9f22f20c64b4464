//! The files of a tournament beside its record.

use std::fs;
use std::path::Path;

use crate::error::ArenaError;
use crate::files::{
    LOGS, MATCHUPS, PLAN, PLOTS, REPORT, STANDINGS, TABLE, TIMES, file_name, pretty, write, write_private,
};
use crate::plan::TournamentPlan;
use crate::report::{csv, matchups_csv, plots, report};
use crate::standings::{CompetitorTimes, Standings};
use crate::store::RecordStore;

/// Computes the standings on `threads` threads, 0 for all cores; results do not depend on the number. If
/// there is a directory, stores the ratings, and writes `standings.json`, `standings.csv`, `times.json`,
/// `plan.json`, `report.html`, the plots, and logs of bots with faults. With many competitors it writes
/// `matchups.csv`, too.
///
/// # Errors
/// If the record cannot be read or a file cannot be written.
pub fn write_results(
    plan: &TournamentPlan,
    store: &RecordStore,
    directory: Option<&Path>,
    threads: usize,
) -> Result<(Standings, CompetitorTimes), ArenaError> {
    let standings = Standings::compute(plan, store, threads)?;
    let times = CompetitorTimes::compute(plan, store)?;
    let Some(directory) = directory else { return Ok((standings, times)) };
    store.set_ratings(&standings.rating_rows(plan))?;
    // Only the owner may read the plan: it contains the seed, and stays when the tournament is continued.
    write_private(&directory.join(PLAN), pretty(plan).as_bytes())?;
    write(&directory.join(STANDINGS), standings.to_json().as_bytes())?;
    write(&directory.join(TABLE), csv(&standings).as_bytes())?;
    if let Some(matchups) = matchups_csv(&standings) {
        write(&directory.join(MATCHUPS), matchups.as_bytes())?;
    }
    write(&directory.join(TIMES), times.to_json().as_bytes())?;
    let plots = plots(&standings, &times)?;
    let folder = directory.join(PLOTS);
    fs::create_dir_all(&folder).map_err(|error| ArenaError::file(&folder, error))?;
    for plot in &plots {
        write(&folder.join(format!("{}.svg", plot.name)), plot.to_svg().as_bytes())?;
        write(&folder.join(format!("{}.png", plot.name)), &plot.to_png()?)?;
    }
    write(&directory.join(REPORT), report(&standings, &times, &plots, &store.command()?).as_bytes())?;
    write_logs(plan, store, directory)?;
    Ok((standings, times))
}

/// Writes a log for each bot with faults: episode, step and message of each fault, and the end of the bot's
/// stderr.
fn write_logs(plan: &TournamentPlan, store: &RecordStore, directory: &Path) -> Result<(), ArenaError> {
    let mut logs = vec![String::new(); plan.competitors.len()];
    store.each_fault(&mut |episode, competitor, _, record| {
        let log = &mut logs[usize::from(competitor)];
        let Ok(fault) = serde_json::from_str::<meeple_bothost::FaultRecord>(record) else { return };
        let turn = fault.turn.map_or(String::new(), |turn| format!(", question {turn}"));
        let message = fault.fault.to_string();
        let mut lines = message.lines().map(printable);
        let first = lines.next().unwrap_or_default();
        log.push_str(&format!("episode {episode}, step {}{turn}: {first}\n", fault.step));
        for line in lines {
            log.push_str(&format!("  {line}\n"));
        }
        if let Some(line) = &fault.fault.line {
            log.push_str(&format!("  it sent: {}\n", printable(line.trim_end())));
        }
        for line in fault.fault.stderr_tail.lines() {
            log.push_str(&format!("  stderr: {}\n", printable(line)));
        }
    })?;
    let folder = directory.join(LOGS);
    for (competitor, log) in plan.competitors.iter().zip(&logs).filter(|(_, log)| !log.is_empty()) {
        fs::create_dir_all(&folder).map_err(|error| ArenaError::file(&folder, error))?;
        write(&folder.join(format!("{}.log", file_name(&competitor.name))), log.as_bytes())?;
    }
    Ok(())
}

/// A bot's text with control characters escaped, which protects the reader's terminal.
fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\t' { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}
