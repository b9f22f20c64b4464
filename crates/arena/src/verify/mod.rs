//! Proving a tournament: every episode again, what the faults led to, and the results from the episodes.

mod conduct;
mod episode;
mod files;

use std::path::Path;

use meeple_lab::{Progress, StopFlag};
use serde::Serialize;

use self::conduct::Conduct;
use self::episode::{check_replay, compare};
use crate::ArenaError;
use crate::row::EpisodeRow;
use crate::runner::NativeTable;
use crate::store::Store;

/// What was proved.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verification {
    /// Episodes in the record.
    pub episodes: u64,
    /// Episodes that were planned.
    pub planned: u64,
    /// Whether all that was planned is played, or the sequential test has decided.
    pub complete: bool,
    /// Episodes proved by their replay: every chance outcome is what the seed gives, every action legal, every
    /// agent of ours decides the same again, and the result is the stored one.
    pub by_replay: u64,
    /// Episodes without replay that were played again from their seed.
    pub by_seed: u64,
    /// Episodes that were looked at and not proved: those with bots whose replay was not kept, and those that a
    /// problem was found in.
    pub unproved: u64,
    /// What is wrong; the first ones of many.
    pub problems: Vec<String>,
    /// Number of all problems.
    pub problem_count: u64,
    /// The standings.
    pub standings: StandingsCheck,
    /// Whether it was stopped before the end.
    pub stopped: bool,
}

/// What the stored standings are against those that follow from the episodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandingsCheck {
    /// The same, byte for byte.
    Same,
    /// Others.
    Differ,
    /// There are none. That is a problem too if the tournament is complete.
    #[default]
    Missing,
}

/// Episodes that are read at once.
const SLICE: u64 = 512;

/// Problems that are told one by one.
pub const MOST_PROBLEMS: usize = 20;

impl Verification {
    /// Whether everything that is stored was proved.
    pub fn is_proved(&self) -> bool {
        self.problem_count == 0
            && self.unproved == 0
            && !self.stopped
            && self.standings != StandingsCheck::Differ
    }

    fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(text);
        }
    }
}

/// Proves the tournament in a directory.
///
/// # Errors
/// If its record cannot be read. What is wrong inside is in the result.
pub fn verify(
    directory: &Path,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Verification, ArenaError> {
    let mut store = Store::open_read_only(directory)?;
    let plan = store.plan()?;
    let game = plan.set_up()?;
    let (episodes, planned) = (store.next(), plan.schedule.episodes());
    let mut found = Verification { episodes, planned, ..Verification::default() };
    if game.variant() != plan.variant {
        found.problem(format!("the plan: expected the variant {}, found {}", game.variant(), plan.variant));
    }
    if episodes > planned {
        found.unproved = episodes;
        found.problem(format!("the record: expected at most {planned} episodes, found {episodes}"));
        return Ok(found);
    }
    let mut natives = NativeTable::new(&plan, &*game);
    let mut conduct = Conduct::new(&plan, &store)?;
    // A slice at a time: a long tournament does not fit into memory.
    let mut rows: Vec<EpisodeRow> = Vec::new();
    for done in 0..found.episodes {
        if done % SLICE == 0 {
            progress.update(done, found.episodes, "");
            rows.clear();
            store.each_of(done..done + SLICE, &mut |row| {
                rows.push(row);
                true
            })?;
            conduct.read(&store, done..done + SLICE)?;
        }
        if stop.is_stopped() {
            found.stopped = true;
            break;
        }
        let row = &rows[(done % SLICE) as usize];
        let index = row.pairing.index;
        // Until it is proved.
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
            Some(replay) => (check_replay(&plan, &*game, row, &own, replay), &mut found.by_replay),
            None if plan.is_native() => {
                (compare(row, &natives.play_unrecorded(planned)?), &mut found.by_seed)
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
