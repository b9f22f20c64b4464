//! Tests of the arena.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod competition;
mod deals;
mod entrants;
mod fault_proofs;
mod faults;
mod files;
mod forfeits;
mod intervals;
mod likelihood;
mod networks;
mod panics;
mod proofs;
mod ratings;
mod readers;
mod scaling;
mod schedule;
mod shards;
mod sprt;
mod tournaments;
mod waiting;

use std::path::Path;

use meeple_arena::{
    Bots, RecordStore, Request, RunEnd, RunOptions, Standings, TournamentPlan, run, write_results,
};
use meeple_bothost::{BotReply, Legal};
use meeple_lab::{Progress, StopFlag};
use serde_json::value::RawValue;

fn request(game: &str, competitors: &str) -> Request {
    let mut request = Request::new(game);
    for word in competitors.split_whitespace() {
        request.add(word);
    }
    request.resamples = 100;
    request.seed = Some(1.into());
    request
}

/// The plan of a request. Rotations that bots limit by default are raised to one per seat, at most 8.
fn plan_with_rotations(mut request: Request) -> TournamentPlan {
    let plan = request.plan().unwrap();
    if plan.rotations_reason.is_none() {
        return plan;
    }
    request.rotations = Some(plan.schedule.table.min(8));
    request.plan().unwrap()
}

/// Decision rule of test players: the last action of the list, or an empty move for structured actions.
#[derive(Clone, Copy, Default)]
struct LastAction(Option<u64>);

impl LastAction {
    fn of(legal: &Legal<'_>) -> Self {
        match legal {
            Legal::List(actions) => Self((actions.len() as u64).checked_sub(1)),
            Legal::Spec(_) => Self(None),
        }
    }

    fn reply(self) -> BotReply {
        let nothing = || RawValue::from_string("[]".to_owned()).unwrap();
        self.0.map_or_else(|| BotReply::Move(nothing()), BotReply::Index)
    }
}

/// Progress that stops the run once this many episodes are played.
struct StopAt {
    episodes: u64,
    flag: StopFlag,
}

impl Progress for StopAt {
    fn update(&mut self, done: u64, _total: u64, _label: &str) {
        if done >= self.episodes {
            self.flag.stop();
        }
    }
}

/// Plays the missing episodes of the tournament in `directory`, until `stop_at` episodes are played. Does not
/// write results, which takes far longer.
fn go_on(plan: &TournamentPlan, directory: &Path, bots: Bots, threads: usize, stop_at: u64) -> RunEnd {
    play_on(plan, directory, bots, threads, stop_at).0
}

fn play_on(
    plan: &TournamentPlan,
    directory: &Path,
    mut bots: Bots,
    threads: usize,
    stop_at: u64,
) -> (RunEnd, RecordStore) {
    let mut store = if directory.join(meeple_arena::DATABASE).exists() {
        RecordStore::open(directory).unwrap()
    } else {
        RecordStore::create(directory, plan, "meeple test").unwrap()
    };
    assert_eq!(store.plan().unwrap(), *plan);
    let flag = StopFlag::new();
    let mut progress = StopAt { episodes: stop_at, flag: flag.clone() };
    let mut options = RunOptions { threads, progress: &mut progress, stop: &flag };
    (run(plan, &mut store, &mut bots, &mut options).unwrap(), store)
}

/// Plays like [`go_on`], and writes all results.
fn play(
    plan: &TournamentPlan,
    directory: &Path,
    bots: Bots,
    threads: usize,
    stop_at: u64,
) -> (RunEnd, Standings) {
    let (end, store) = play_on(plan, directory, bots, threads, stop_at);
    let (standings, _) = write_results(plan, &store, Some(directory), 2).unwrap();
    store.close().unwrap();
    (end, standings)
}

fn play_all(plan: &TournamentPlan, directory: &Path) -> Standings {
    let (end, standings) = play(plan, directory, Bots::none(), 2, u64::MAX);
    assert_eq!(end, RunEnd::Complete);
    standings
}

/// The bytes that must be the same however a tournament was played.
fn results(directory: &Path) -> Vec<(String, Vec<u8>)> {
    ["standings.json", "standings.csv", "report.html", "plan.json", "replays.jsonl.gz"]
        .map(|name| (name.to_owned(), std::fs::read(directory.join(name)).unwrap()))
        .into()
}
