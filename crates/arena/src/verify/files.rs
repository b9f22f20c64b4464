//! The results beside the episodes: files, and tables of the record.

use std::io::ErrorKind;
use std::path::Path;

use super::verification::{StandingsCheck, Verification};
use crate::error::ArenaError;
use crate::files::{MATCHUPS, PLAN, STANDINGS, TABLE, TIMES, pretty};
use crate::plan::{Competitor, Plan};
use crate::report::{csv, matchups_csv};
use crate::standings::{Standings, Times};
use crate::store::{CompetitorRow, Store};
use meeple_lab::sprt::Verdict;

/// Checks everything that follows from the episodes, byte for byte.
pub(super) fn check(
    directory: &Path,
    plan: &Plan,
    store: &Store,
    found: &mut Verification,
) -> Result<(), ArenaError> {
    check_competitors(plan, store, found)?;
    // Standings of episodes that cannot be may not even be computable.
    let standings = match Standings::compute(plan, store, 0) {
        Ok(standings) => standings,
        Err(error) => {
            found.problem(format!("the standings cannot be computed: {error}"));
            return Ok(());
        }
    };
    let decided = standings.sprt.as_ref().is_some_and(|test| test.verdict != Verdict::Open);
    let over = decided && plan.schedule.ends_block(found.episodes);
    found.complete = over || found.episodes >= found.planned;
    let times = Times::compute(plan, store)?;
    let matchups = matchups_csv(&standings).map(|text| (MATCHUPS, text));
    let files = [
        (STANDINGS, standings.to_json()),
        (TABLE, csv(&standings)),
        (TIMES, times.to_json()),
        (PLAN, pretty(plan)),
    ];
    for (name, expected) in files.into_iter().chain(matchups) {
        let path = directory.join(name);
        let check = match std::fs::read(&path) {
            Ok(bytes) if bytes == expected.as_bytes() => StandingsCheck::Same,
            Ok(_) => StandingsCheck::Differ,
            Err(error) if error.kind() == ErrorKind::NotFound => StandingsCheck::Missing,
            Err(error) => return Err(ArenaError::file(&path, error)),
        };
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
    let ratings = store.ratings()?;
    let none_yet = ratings.is_empty() && found.standings == StandingsCheck::Missing && !found.complete;
    if !none_yet && ratings != standings.rating_rows(plan) {
        found.problem("the table ratings: it is not what follows from the episodes".into());
    }
    Ok(())
}

fn check_competitors(plan: &Plan, store: &Store, found: &mut Verification) -> Result<(), ArenaError> {
    let row = |(index, own): (usize, &Competitor)| -> CompetitorRow {
        (index as i64, own.name.clone(), own.run.clone(), own.kind.name().to_owned(), own.files.clone())
    };
    let expected: Vec<CompetitorRow> = plan.competitors.iter().enumerate().map(row).collect();
    if store.competitors()? != expected {
        found.problem("the table competitors: it is not what the plan says".into());
    }
    Ok(())
}
