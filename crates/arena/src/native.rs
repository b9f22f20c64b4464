use std::collections::VecDeque;
use std::ops::Range;

use meeple_core::AnyGame;
use meeple_lab::LabError;
use meeple_lab::pool::{self, Panicked, PoolWorker};

use crate::error::{ArenaError, plan_error};
use crate::networks;
use crate::options::RunOptions;
use crate::plan::{ReplayRetention, TournamentPlan};
use crate::row::EpisodeRow;
use crate::table::NativeTable;

/// Episodes in the first chunk. Each later chunk has twice as many, up to [`LARGEST_CHUNK`] or, if all
/// replays are kept, a sixteenth of it.
const FIRST_CHUNK: u64 = 16;
const LARGEST_CHUNK: u64 = 2048;

/// Plays an episode of native agents again, and records its replay.
///
/// # Errors
/// If the plan has no such episode, or has bots: their decisions exist only in stored replays. Also if a file
/// that an agent names has changed.
pub fn play_again(plan: &TournamentPlan, index: u64) -> Result<EpisodeRow, ArenaError> {
    if !plan.is_native() {
        return Err(plan_error(
            "expected built-in agents only, found bots, which may play differently each time",
        ));
    }
    if index >= plan.schedule.episodes() {
        return Err(plan_error(format!(
            "expected an episode below {}, found {index}",
            plan.schedule.episodes()
        )));
    }
    networks::check(plan)?;
    let game = plan.set_up()?;
    NativeTable::new(plan, &*game).play_recorded(plan.schedule.pairing(index))
}

/// The played episodes of a chunk, up to the first that failed.
#[derive(Default)]
struct Chunk {
    rows: Vec<EpisodeRow>,
    failed: Option<ArenaError>,
}

/// Passes episodes to `take` in order, chunk by chunk, until it returns false or the run is stopped. Even a
/// stopped run plays the first episode.
pub(crate) fn play<'g>(
    plan: &'g TournamentPlan,
    game: &'g dyn AnyGame,
    episodes: Range<u64>,
    options: &mut RunOptions<'_>,
    mut take: impl FnMut(Vec<EpisodeRow>, &mut RunOptions<'_>) -> Result<bool, ArenaError>,
) -> Result<(), ArenaError> {
    let (first, stop) = (episodes.start, options.stop);
    let work = |worker: &mut PoolWorker<'_, usize, Option<NativeTable<'g>>>, chunk: Range<u64>| {
        let table = worker.kept.get_or_insert_with(|| NativeTable::new(plan, game));
        let is_over = |index: &u64| worker.over.is_stopped() || (*index > first && stop.is_stopped());
        let mut played = Chunk::default();
        for index in chunk.take_while(|index| !is_over(index)) {
            match table.play(plan.schedule.pairing(index)) {
                Ok(row) => played.rows.push(row),
                Err(error) => {
                    played.failed = Some(error);
                    break;
                }
            }
        }
        played
    };
    // Chunks with replays are smaller, because finished chunks wait in memory to be taken in order.
    let largest = if plan.replays == ReplayRetention::All { LARGEST_CHUNK / 16 } else { LARGEST_CHUNK };
    let threads = pool::threads(options.threads);
    pool::run(0..threads, 3 * threads, work, |pool| {
        let (mut given, mut next, mut size) = (VecDeque::new(), first, FIRST_CHUNK);
        loop {
            while next < episodes.end && pool.has_room() {
                let chunk = next..episodes.end.min(next + size);
                (next, size) = (chunk.end, largest.min(2 * size));
                given.push_back(chunk.clone());
                pool.give(chunk);
            }
            let (Some(rows), Some(chunk)) = (pool.take(), given.pop_front()) else { return Ok(()) };
            let Chunk { rows, failed } = rows.map_err(|Panicked { message }| LabError::Panic {
                first: chunk.start,
                last: chunk.end - 1,
                message,
            })?;
            let is_whole = rows.len() as u64 == chunk.end - chunk.start;
            let goes_on = take(rows, options)?;
            match failed {
                // `take` has received all episodes before the failed one, and none after it.
                Some(error) if goes_on => return Err(error),
                _ if !goes_on || !is_whole => return Ok(()),
                _ => {}
            }
        }
    })
}
