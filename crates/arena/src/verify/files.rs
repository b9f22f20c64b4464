//! Verification of results outside the episodes: files, and tables of the record.

use std::fs::{DirEntry, FileType};
use std::io::ErrorKind;
use std::path::Path;

use super::verification::{StandingsCheck, Verification};
use crate::error::ArenaError;
use crate::files::{
    LOGS, MATCHUPS, PLAN, PLOTS, REPORT, SIMULATOR_OUTPUT, STANDINGS, TABLE, TIMES, is_temporary, pretty,
};
use crate::plan::{Competitor, TournamentPlan};
use crate::report::{csv, matchups_csv};
use crate::standings::{CompetitorTimes, Standings};
use crate::store::{CompetitorRow, DATABASE, REPLAYS, RecordStore};
use meeple_lab::sprt::SprtVerdict;

/// Checks all data derived from the episodes, byte for byte.
pub(super) fn check(
    directory: &Path,
    plan: &TournamentPlan,
    store: &RecordStore,
    found: &mut Verification,
) -> Result<(), ArenaError> {
    check_competitors(plan, store, found)?;
    let keys = store.meta_keys()?;
    if keys != ["command", "plan", "plan_hash"] {
        found.problem(format!(
            "the table meta: expected command, plan and plan_hash, found {}",
            keys.join(", ")
        ));
    }
    // Invalid episodes may make the standings incomputable.
    let standings = match Standings::compute(plan, store, 0) {
        Ok(standings) => standings,
        Err(error) => {
            found.problem(format!("the standings cannot be computed: {error}"));
            return Ok(());
        }
    };
    let decided = standings.sprt.as_ref().is_some_and(|test| test.verdict != SprtVerdict::Open);
    let over = decided && plan.schedule.ends_block(found.episodes);
    found.complete = over || found.episodes >= found.planned;
    let times = CompetitorTimes::compute(plan, store)?;
    let matchups = matchups_csv(&standings).map(|text| (MATCHUPS, text));
    let ratings = store.ratings()?;
    let files = [
        (STANDINGS, standings.to_json()),
        (TABLE, csv(&standings)),
        (TIMES, times.to_json()),
        (PLAN, pretty(plan)),
    ];
    let mut checked = Vec::new();
    for (name, expected) in files.into_iter().chain(matchups.clone()) {
        let path = directory.join(name);
        let check = match std::fs::read(&path) {
            Ok(bytes) if bytes == expected.as_bytes() => StandingsCheck::Same,
            Ok(_) => StandingsCheck::Differ,
            Err(error) if error.kind() == ErrorKind::NotFound => StandingsCheck::Missing,
            Err(error) => return Err(ArenaError::file(&path, error)),
        };
        checked.push((name, check));
    }
    let has_log = store.has_log()?;
    let stray_bytes = store.stray_bytes()?;
    // Checked last, because results written meanwhile cover more episodes than were verified.
    found.being_played = RecordStore::is_played(directory) || store.has_moved_on()?;
    let is_settled = found.complete && !found.being_played;
    let state = RecordState { has_matchups: matchups.is_some(), has_log, is_settled };
    check_names(directory, plan, state, found)?;
    if found.being_played {
        return Ok(());
    }
    for (name, check) in checked {
        if name == STANDINGS {
            found.standings = check;
        }
        match check {
            StandingsCheck::Same => {}
            StandingsCheck::Differ => found.problem(format!("{name}: it is not what follows from the record")),
            StandingsCheck::Missing if found.complete => found.problem(format!(
                "{name}: expected it beside a complete record, found none (going on with the tournament writes it)"
            )),
            StandingsCheck::Missing => {}
        }
    }
    check_stray_bytes(stray_bytes, found);
    let none_yet = ratings.is_empty() && found.standings == StandingsCheck::Missing && !found.complete;
    if !none_yet && ratings != standings.rating_rows(plan) {
        found.problem("the table ratings: it is not what follows from the episodes".into());
    }
    Ok(())
}

/// The state of a record that decides which of its files are leftovers.
#[derive(Clone, Copy)]
struct RecordState {
    has_matchups: bool,
    /// True if SQLite keeps files beside the database.
    has_log: bool,
    /// True if all episodes are played and no program writes results: nothing is left of a killed run.
    is_settled: bool,
}

/// Checks that the directory and its folders hold only files of tournaments.
fn check_names(
    directory: &Path,
    plan: &TournamentPlan,
    state: RecordState,
    found: &mut Verification,
) -> Result<(), ArenaError> {
    let mut strangers = Vec::new();
    for (name, kind) in entries(directory)? {
        let of_database = name.strip_prefix(DATABASE);
        let known = match name.as_str() {
            PLOTS | LOGS | SIMULATOR_OUTPUT if kind.is_dir() => {
                strange_content(directory, &name, state, &mut strangers)?;
                true
            }
            PLOTS | LOGS | SIMULATOR_OUTPUT => false,
            REPLAYS | STANDINGS | TABLE | TIMES | PLAN | REPORT => !kind.is_dir(),
            MATCHUPS => state.has_matchups,
            // Output files of a game's original are not checked.
            _ if plan.original => true,
            _ if kind.is_dir() => false,
            name if is_temporary(name) => !state.is_settled,
            _ => match of_database {
                Some("") => true,
                Some("-wal" | "-shm") => state.has_log || !state.is_settled,
                _ => false,
            },
        };
        if !known {
            strangers.push(name);
        }
    }
    strangers.sort();
    for name in strangers {
        found.problem(format!("{name}: no tournament of this plan writes it (move it elsewhere)"));
    }
    Ok(())
}

/// Collects links, pipes, sockets, devices and leftovers in a folder, whose files are otherwise not checked.
fn strange_content(
    directory: &Path,
    folder: &str,
    state: RecordState,
    strangers: &mut Vec<String>,
) -> Result<(), ArenaError> {
    for (name, kind) in entries(&directory.join(folder))? {
        let path = format!("{folder}/{name}");
        if kind.is_dir() {
            strange_content(directory, &path, state, strangers)?;
        } else if !kind.is_file() || (is_temporary(&name) && state.is_settled) {
            strangers.push(path);
        }
    }
    Ok(())
}

/// Names and kinds of the entries of a folder.
fn entries(folder: &Path) -> Result<Vec<(String, FileType)>, ArenaError> {
    let read = || -> std::io::Result<Vec<_>> {
        let named =
            |entry: DirEntry| Ok((entry.file_name().to_string_lossy().into_owned(), entry.file_type()?));
        std::fs::read_dir(folder)?.map(|entry| named(entry?)).collect()
    };
    read().map_err(|error| ArenaError::file(folder, error))
}

/// Checks that the record's files end with the last stored row. A killed run may leave bytes behind the
/// replays, which the next run truncates.
fn check_stray_bytes([database, replays]: [u64; 2], found: &mut Verification) {
    if database > 0 {
        found.problem(format!("{DATABASE}: {database} bytes behind its end"));
    }
    let was_killed = found.standings == StandingsCheck::Missing && !found.complete;
    if replays > 0 && !was_killed {
        found.problem(format!("{REPLAYS}: {replays} bytes that belong to no episode"));
    }
}

fn check_competitors(
    plan: &TournamentPlan,
    store: &RecordStore,
    found: &mut Verification,
) -> Result<(), ArenaError> {
    let row = |(index, own): (usize, &Competitor)| -> CompetitorRow {
        (index as i64, own.name.clone(), own.run.clone(), own.kind.name().to_owned(), own.files.clone())
    };
    let expected: Vec<CompetitorRow> = plan.competitors.iter().enumerate().map(row).collect();
    if store.competitors()? != expected {
        found.problem("the table competitors: it is not what the plan says".into());
    }
    Ok(())
}
