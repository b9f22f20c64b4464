//! Playing a tournament: what is missing in its record, in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use meeple_core::{AgentError, AnyGame};
use meeple_lab::StopFlag;

use crate::bots::Bots;
use crate::contest::Contest;
use crate::error::ArenaError;
use crate::hosted::run_with_bots;
use crate::options::RunOptions;
use crate::plan::{Keep, Plan};
use crate::row::EpisodeRow;
use crate::sprt::Verdict;
use crate::store::Store;
use crate::table::NativeTable;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// All episodes are played.
    Complete,
    /// The sequential test has decided.
    Decided(Verdict),
    /// It was stopped from outside.
    Stopped,
}

/// Plays what is missing in the record.
///
/// # Errors
/// If an agent cannot be built or the record cannot be written. What was stored before stays.
pub fn run(
    plan: &Plan,
    store: &mut Store,
    bots: &mut Bots,
    options: &mut RunOptions<'_>,
) -> Result<RunEnd, ArenaError> {
    let game = plan.set_up()?;
    let total = plan.schedule.episodes();
    let mut contest = Contest::new(plan);
    if plan.sprt.is_some() {
        store.each(&mut |row| {
            contest.add(&row);
            true
        })?;
        if contest.is_over(store.next()) {
            return Ok(RunEnd::Decided(contest.verdict()));
        }
    }
    if store.next() >= total {
        return Ok(RunEnd::Complete);
    }
    options.progress.update(store.next(), total, "");
    if plan.is_native() {
        store.begin_session("in process")?;
        run_native(plan, &*game, store, &mut contest, options)?;
    } else {
        store.begin_session(&bots.sandbox)?;
        run_with_bots(plan, &*game, store, bots, &mut contest, options)?;
    }
    Ok(match contest.verdict() {
        verdict if contest.is_over(store.next()) => RunEnd::Decided(verdict),
        _ if store.next() >= total => RunEnd::Complete,
        _ => RunEnd::Stopped,
    })
}

/// Episodes in a chunk at first; it grows while chunks are quick.
const FIRST_CHUNK: u64 = 16;
const LARGEST_CHUNK: u64 = 2048;

/// A chunk of played episodes, or the error that ended it.
type Chunk = (u64, Result<Vec<EpisodeRow>, AgentError>);

fn run_native(
    plan: &Plan,
    game: &dyn AnyGame,
    store: &mut Store,
    contest: &mut Contest<'_>,
    options: &mut RunOptions<'_>,
) -> Result<(), ArenaError> {
    let (first, total) = (store.next(), plan.schedule.episodes());
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.min(1024),
    };
    // Replays take memory while they wait for their turn.
    let largest = if plan.replays == Keep::All { LARGEST_CHUNK / 16 } else { LARGEST_CHUNK };
    // Where chunks begin does not depend on who plays them: 16, 32, … from the first episode on.
    let bounds = |number: u64| {
        let doubling = (largest / FIRST_CHUNK).ilog2() as u64;
        let begin = |number: u64| {
            if number <= doubling {
                FIRST_CHUNK * ((1 << number) - 1)
            } else {
                FIRST_CHUNK * ((1 << doubling) - 1) + (number - doubling) * largest
            }
        };
        (first + begin(number), first + begin(number + 1))
    };
    let taken = AtomicU64::new(0);
    let over = StopFlag::new();
    let (sender, inbox) = sync_channel::<Chunk>(2 * threads);
    let stop = options.stop;
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (taken, over, sender) = (&taken, &over, sender.clone());
            scope.spawn(move || work(plan, game, total, &bounds, taken, over, stop, &sender));
        }
        drop(sender);
        let mut early: BTreeMap<u64, Result<Vec<EpisodeRow>, AgentError>> = BTreeMap::new();
        let mut next = 0;
        let result = (|| {
            for (number, rows) in inbox.iter() {
                early.insert(number, rows);
                while let Some(rows) = early.remove(&next) {
                    let mut rows = rows?;
                    let expected = bounds(next).1.min(total) - bounds(next).0;
                    next += 1;
                    let whole = rows.len() as u64 == expected;
                    let over = contest.add_until_over(&rows);
                    rows.truncate(over.unwrap_or(rows.len()));
                    store.append(&rows)?;
                    options.progress.update(store.next(), total, "");
                    if over.is_some() || !whole {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })();
        over.stop();
        // Empties the channel, so that no worker waits for room.
        for _ in inbox.iter() {}
        result
    })
}

#[allow(clippy::too_many_arguments, reason = "what a thread shares, spelled out")]
fn work(
    plan: &Plan,
    game: &dyn AnyGame,
    total: u64,
    bounds: &(dyn Fn(u64) -> (u64, u64) + Sync),
    taken: &AtomicU64,
    over: &StopFlag,
    stop: &StopFlag,
    sender: &SyncSender<Chunk>,
) {
    let mut table = NativeTable::new(plan, game);
    loop {
        let number = taken.fetch_add(1, Ordering::Relaxed);
        let (begin, end) = bounds(number);
        if begin >= total || over.is_stopped() || (stop.is_stopped() && number > 0) {
            return;
        }
        let mut rows = Vec::with_capacity((end - begin) as usize);
        let mut failed = None;
        for index in begin..end.min(total) {
            if over.is_stopped() || (stop.is_stopped() && !rows.is_empty()) {
                break;
            }
            match table.play(plan.schedule.pairing(index)) {
                Ok(row) => rows.push(row),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        if sender.send((number, failed.map_or(Ok(rows), Err))).is_err() {
            return;
        }
    }
}
