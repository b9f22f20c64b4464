//! Playing a simulation on all cores, with the same result on any number of them.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use meeple_core::AnyRunner;
use serde_json::Value;

use crate::columns::{Columns, EpisodeColumns, Rows};
use crate::error::LabError;
use crate::pool::{self, Panicked, Worker};
use crate::progress::{Progress, StopFlag};
use crate::simulation::Simulation;
use crate::summary::{Summary, Timing};
use crate::tally::Tally;

/// What came out of a simulation.
#[derive(Clone, Debug)]
pub struct Run {
    /// The figures of all episodes.
    pub summary: Summary,
    /// The exact counts that they were computed from.
    pub tally: Tally,
    /// How long it took.
    pub timing: Timing,
    /// Whether it was stopped before all episodes were played. The summary says how many were.
    pub stopped: bool,
}

impl Run {
    /// The object that `sim --json` prints: the summary, with the time it took and whether it was `stopped`.
    pub fn to_json(&self) -> Value {
        let mut object = self.summary.to_json(Some(&self.timing));
        object["stopped"] = self.stopped.into();
        object
    }
}

/// Plays a simulation.
///
/// A stopped run has the episodes from 0 on without a gap, so it is what a shorter run would have been.
///
/// # Errors
/// If there are no episodes, or the line-up does not fit the game.
pub fn simulate(
    simulation: &Simulation<'_>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Run, LabError> {
    simulation.check()?;
    let tally = simulation.tally();
    play_on(simulation, tally, None, &mut |done, total| progress.update(done, total, ""), stop)
}

/// As [`simulate`], and keeps a row for every seat and episode.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_keeping(
    simulation: &Simulation<'_>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<(Run, EpisodeColumns), LabError> {
    simulation.check()?;
    let mut columns = Columns::in_memory(simulation);
    let mut update = |done, total| progress.update(done, total, "");
    let run = play_on(simulation, simulation.tally(), Some(&mut columns), &mut update, stop)?;
    Ok((run, columns.kept()))
}

/// Plays the episodes of the whole simulation that `tally` does not hold yet.
pub(crate) fn play_on(
    simulation: &Simulation<'_>,
    tally: Tally,
    columns: Option<&mut Columns>,
    progress: &mut dyn FnMut(u64, u64),
    stop: &StopFlag,
) -> Result<Run, LabError> {
    let stretch = Stretch { simulation, episodes: 0..simulation.episodes, stops: Stops::AfterAnyEpisode };
    let (tally, timing) = stretch.count(tally, columns, progress, stop)?;
    Ok(Run {
        summary: Summary::new(simulation, &tally),
        timing,
        stopped: tally.episodes() < simulation.episodes,
        tally,
    })
}

/// Where a stop may end a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stops {
    /// Wherever it strikes: whoever goes on takes over the deal group that is begun.
    AfterAnyEpisode,
    /// Not in the middle of a deal group, because others count what follows.
    BetweenDeals,
}

/// Episodes in a row that are counted together.
pub(crate) struct Stretch<'s, 'a> {
    pub simulation: &'s Simulation<'a>,
    /// Which ones.
    pub episodes: Range<u64>,
    pub stops: Stops,
}

/// A piece of the run, given to a worker together with memory to use again.
struct Ticket {
    range: Range<u64>,
    tally: Tally,
    rows: Option<Rows>,
    took: Duration,
}

/// The run that a tally of earlier results is, without playing anything.
pub(crate) fn kept(simulation: &Simulation<'_>, tally: Tally) -> Run {
    Run {
        summary: Summary::new(simulation, &tally),
        timing: Timing { threads: simulation.workers(), ..Timing::default() },
        stopped: tally.episodes() < simulation.episodes,
        tally,
    }
}

impl Stretch<'_, '_> {
    /// Plays the episodes that `tally` does not hold yet. Rows go to `columns` in order.
    pub fn count(
        &self,
        mut tally: Tally,
        mut columns: Option<&mut Columns>,
        progress: &mut dyn FnMut(u64, u64),
        stop: &StopFlag,
    ) -> Result<(Tally, Timing), LabError> {
        let (began, simulation) = (Instant::now(), self.simulation);
        let Range { start, end } = self.episodes;
        let (first, total) = (start + tally.episodes(), end - start);
        let group = simulation.deal_group();
        let decisions_before = tally.decisions;
        let workers = simulation.workers();
        progress(tally.episodes(), total);
        let work = |worker: &mut Worker<'_, usize, _>, ticket| play_ticket(simulation, worker, ticket, stop);
        let direct = |pool: &mut pool::Pool<'_, Ticket, Result<Ticket, LabError>>| {
            let mut spare: Vec<(Tally, Option<Rows>)> = Vec::new();
            let mut given: VecDeque<Range<u64>> = VecDeque::new();
            let (mut next_episode, mut size) = (first, 16);
            loop {
                while next_episode < end && pool.has_room() && (next_episode == first || !stop.is_stopped()) {
                    // Episodes of one deal group are counted together, by one worker.
                    let reach = next_episode.saturating_add(size).checked_next_multiple_of(group);
                    let range = next_episode..end.min(reach.unwrap_or(u64::MAX));
                    let (mut part, rows) = spare.pop().unwrap_or_else(|| {
                        let rows = columns.as_ref().map(|columns| columns.rows());
                        (simulation.tally(), rows)
                    });
                    if next_episode == first {
                        tally.hand_over(&mut part);
                    }
                    next_episode = range.end;
                    given.push_back(range.clone());
                    pool.give(Ticket { range, tally: part, rows, took: Duration::ZERO });
                }
                let (Some(played), Some(range)) = (pool.take(), given.pop_front()) else { return Ok(()) };
                let Ticket { tally: mut part, mut rows, took, .. } = match played {
                    Ok(played) => played?,
                    Err(Panicked { message }) => {
                        return Err(LabError::Panic { first: range.start, last: range.end - 1, message });
                    }
                };
                let reached = range.start + part.episodes();
                let is_cut = reached < range.end && !reached.is_multiple_of(group);
                if is_cut && self.stops == Stops::BetweenDeals {
                    return Ok(());
                }
                tally.merge(&part);
                if let (Some(columns), Some(rows)) = (&mut columns, &mut rows) {
                    if let Err(error) = columns.append(rows) {
                        // What was played is kept; the rest would have no file to go to.
                        columns.fail(error);
                        return Ok(());
                    }
                    rows.clear();
                }
                progress(tally.episodes(), total);
                if reached < range.end {
                    // Stopped in the middle: what others played after this has a gap before it.
                    return Ok(());
                }
                size = next_size(size, took);
                part.clear();
                spare.push((part, rows));
            }
        };
        match workers {
            1 => pool::run_here(0, work, direct)?,
            _ => pool::run(0..workers, 4 * workers, work, direct)?,
        }
        let seconds = began.elapsed().as_secs_f64();
        let episodes = start + tally.episodes() - first;
        let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        let timing = Timing {
            seconds,
            episodes,
            episodes_per_second: rate(episodes),
            decisions_per_second: rate(tally.decisions - decisions_before),
            threads: workers,
        };
        Ok((tally, timing))
    }
}

/// How many episodes the next ticket holds, after one of `size` that `took` so long: enough that handing
/// out costs nothing, few enough that progress moves. Results do not depend on it.
fn next_size(size: u64, took: Duration) -> u64 {
    if took < Duration::from_millis(25) {
        (size * 2).min(8192)
    } else if took > Duration::from_millis(150) {
        (size / 2).max(1)
    } else {
        size
    }
}

/// Plays the episodes of a ticket with the runner that its worker keeps.
fn play_ticket<'s>(
    simulation: &'s Simulation<'_>,
    worker: &mut Worker<'_, usize, Option<Box<dyn AnyRunner + 's>>>,
    mut ticket: Ticket,
    stop: &StopFlag,
) -> Result<Ticket, LabError> {
    let (Worker { kept, over, .. }, began) = (worker, Instant::now());
    let runner = match kept {
        Some(runner) => runner,
        None => kept.insert(simulation.game.runner(&simulation.line_up.players())?),
    };
    let (range, tally) = (ticket.range.clone(), &mut ticket.tally);
    let (seed, seating) = (simulation.seed, simulation.seating);
    let goes_on = || !stop.is_stopped() && !over.is_stopped();
    // A finished episode is always counted, so that a run that is stopped at once still has one.
    match &mut ticket.rows {
        None => runner.run(seed, seating, range, &mut |report| {
            tally.add(report);
            goes_on()
        }),
        Some(rows) => runner.run(seed, seating, range, &mut |report| {
            tally.add(report);
            rows.add(report);
            goes_on()
        }),
    }
    ticket.took = began.elapsed();
    Ok(ticket)
}
