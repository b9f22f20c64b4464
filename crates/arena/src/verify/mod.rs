//! Verification of a tournament: all episodes, consequences of faults, and results.

mod conduct;
mod episode;
mod files;
mod repeat;
mod verification;

use std::path::Path;

use meeple_bothost::Sandbox;
use meeple_lab::{Progress, StopFlag};

use self::conduct::Conduct;
use self::episode::{check_replay, compare};
use self::repeat::{Repeated, StoredEpisode};
pub use self::verification::{StandingsCheck, Verification};
use crate::error::ArenaError;
use crate::networks;
use crate::plan::CompetitorKind;
use crate::row::PlayedEpisode;
use crate::store::RecordStore;
use crate::table::NativeTable;

const SLICE: u64 = 512;

/// Verifies the tournament in a directory.
///
/// # Errors
/// If its record cannot be read, or files named by its agents have changed. Problems inside the record are
/// part of the result.
pub fn verify(
    directory: &Path,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Verification, ArenaError> {
    verify_again(directory, None, progress, stop)
}

/// Like [`verify`], and also reruns the bots that declare themselves repeatable, in this sandbox, on the
/// recorded games, and compares their decisions. The other bots are listed in
/// [`unproved_bots`](Verification::unproved_bots).
///
/// # Errors
/// As [`verify`], or if a bot cannot be launched or the fingerprint of its files differs from the record.
pub fn verify_replaying_bots(
    directory: &Path,
    sandbox: &Sandbox,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Verification, ArenaError> {
    verify_again(directory, Some(sandbox), progress, stop)
}

fn verify_again(
    directory: &Path,
    sandbox: Option<&Sandbox>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Verification, ArenaError> {
    let mut store = RecordStore::open_read_only(directory)?.for_long()?;
    let plan = store.plan()?;
    networks::check(&plan)?;
    let game = plan.set_up()?;
    let (episodes, planned) = (store.next(), plan.schedule.episodes());
    let mut found = Verification { episodes, planned, ..Verification::default() };
    if game.variant_of_stored(&plan.variant) != Some(game.variant()) {
        found.problem(format!("the plan: expected the variant {}, found {}", game.variant(), plan.variant));
    }
    if episodes > planned {
        found.unproved = episodes;
        found.problem(format!("the record: expected at most {planned} episodes, found {episodes}"));
        return Ok(found);
    }
    let mut repeated = sandbox.map(|sandbox| Repeated::launch(&plan, sandbox)).transpose()?;
    for (index, own) in plan.competitors.iter().enumerate().filter(|(_, own)| own.kind == CompetitorKind::Bot)
    {
        let again = repeated.as_ref().is_some_and(|repeated| repeated.has(index));
        let bots = if again { &mut found.repeated_bots } else { &mut found.unproved_bots };
        bots.push(own.name.clone());
    }
    let mut natives = NativeTable::new(&plan, &*game);
    let mut conduct = Conduct::new(&plan, &store)?;
    // In slices: a long tournament does not fit into memory.
    let mut rows: Vec<PlayedEpisode> = Vec::new();
    for done in 0..found.episodes {
        if done % SLICE == 0 {
            progress.update(done, found.episodes, "");
            rows.clear();
            store.each_of(done..done + SLICE, &mut |row| rows.push(row))?;
            conduct.read(&store, done..done + SLICE)?;
        }
        if stop.is_stopped() {
            found.stopped = true;
            break;
        }
        let row = &rows[(done % SLICE) as usize];
        let index = row.pairing.index;
        // The episode counts as unproved until it is verified.
        found.unproved += 1;
        let planned = plan.schedule.pairing(index);
        if planned != row.pairing {
            found.problem(format!("episode {index}: expected {planned:?}, found {:?}", row.pairing));
            continue;
        }
        let own = match conduct.check(row) {
            Ok(own) => own,
            Err(reason) => {
                found.problem(format!("episode {index}: {reason}"));
                continue;
            }
        };
        let replay = match store.replay(index) {
            Ok(replay) => replay,
            Err(error) => {
                found.problem(error.to_string());
                continue;
            }
        };
        let (checked, by) = match &replay {
            Some(replay) => {
                let checked = check_replay(&plan, &*game, row, &own, replay).and_then(|()| {
                    let Some(repeated) = &mut repeated else { return Ok(()) };
                    let again = repeated.check(StoredEpisode {
                        plan: &plan,
                        game: &*game,
                        row,
                        own: &own,
                        replay,
                    })?;
                    found.repeated_decisions += again.decisions;
                    found.unrepeated_faults += again.taken_over;
                    Ok(())
                });
                (checked, &mut found.by_replay)
            }
            None if plan.is_native() => {
                (compare(row, &natives.play_unrecorded(planned)?.played), &mut found.by_seed)
            }
            None => continue,
        };
        match checked {
            Ok(()) => {
                *by += 1;
                found.unproved -= 1;
            }
            Err(reason) => found.problem(format!("episode {index}: {reason}")),
        }
    }
    progress.update(found.episodes, found.episodes, "");
    if !found.stopped {
        for problem in conduct.leftovers(&store)? {
            found.problem(problem);
        }
    }
    files::check(directory, &plan, &store, &mut found)?;
    Ok(found)
}
