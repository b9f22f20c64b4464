//! Multi-threaded play of consecutive episodes, counted in order.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use meeple_core::AnyRunner;

use crate::column::Layout;
use crate::columns::Columns;
use crate::error::LabError;
use crate::pool::{self, Panicked, Pool, PoolWorker};
use crate::progress::StopFlag;
use crate::row_group::{Encoded, Values};
use crate::rows::Rows;
use crate::simulation::Simulation;
use crate::summary::RunTiming;
use crate::tally::Tally;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stops {
    /// A stop may leave a deal group open; the continuation takes it over.
    AfterAnyEpisode,
    /// A stop leaves no deal group open: other shards count the following episodes.
    BetweenDeals,
}

pub(crate) struct Stretch<'s, 'a> {
    pub simulation: &'s Simulation<'a>,
    pub episodes: Range<u64>,
    pub stops: Stops,
}

/// A chunk of the range, with memory for reuse.
struct Ticket {
    range: Range<u64>,
    tally: Tally,
    rows: Option<Rows>,
    took: Duration,
}

enum Task {
    Play(Box<Ticket>),
    Encode(Vec<Rows>),
}

enum Done {
    Played(Result<Box<Ticket>, LabError>),
    Encoded(Vec<Rows>, parquet::errors::Result<Encoded>),
}

#[derive(Default)]
struct Kept<'s> {
    runner: Option<Box<dyn AnyRunner + 's>>,
    values: Values,
}

enum Flow {
    GoOn,
    End,
}

/// State of the thread that hands out tasks and collects results.
struct Counting<'c, 's, 'a> {
    stretch: &'c Stretch<'s, 'a>,
    columns: Option<&'c mut Columns>,
    progress: &'c mut dyn FnMut(u64, u64),
    stop: &'c StopFlag,
    tally: Tally,
    /// Merged tallies, cleared for reuse.
    spare: Vec<Tally>,
    /// Outstanding tasks in order: a range of episodes, or `None` for a row group.
    given: VecDeque<Option<Range<u64>>>,
    /// The first episode to play, and the next one to hand out.
    first: u64,
    next: u64,
    /// Episodes of the next ticket, and their upper bound.
    size: u64,
    most: u64,
    /// Outstanding row groups, and the number from which on playing pauses.
    encoding: usize,
    most_encoding: usize,
    /// True if a stop left a ticket unfinished. Later episodes would leave a gap and are discarded; row
    /// groups handed out before are still written.
    is_cut: bool,
}

impl Stretch<'_, '_> {
    /// Plays the episodes that `tally` lacks. Rows go to `columns` in order.
    pub fn count(
        &self,
        tally: Tally,
        columns: Option<&mut Columns>,
        progress: &mut dyn FnMut(u64, u64),
        stop: &StopFlag,
    ) -> Result<(Tally, RunTiming), LabError> {
        let (began, simulation) = (Instant::now(), self.simulation);
        let first = self.episodes.start + tally.episodes();
        let decisions_before = tally.decisions;
        let workers = simulation.workers();
        progress(tally.episodes(), self.episodes.end - self.episodes.start);
        let layout = columns.as_ref().map(|columns| columns.layout());
        let work = |worker: &mut PoolWorker<'_, usize, _>, task| match task {
            // After a stop only the first ticket is played: a later one may have a gap before it.
            Task::Play(ticket) if ticket.range.start != first && stop.is_stopped() => {
                Done::Played(Ok(ticket))
            }
            Task::Play(ticket) => Done::Played(play_ticket(simulation, worker, ticket, stop)),
            Task::Encode(rows) => {
                let layout: &Layout = layout.as_ref().expect("who has no columns has no rows");
                let encoded = layout.encode(&rows, &mut worker.kept.values);
                Done::Encoded(rows, encoded)
            }
        };
        let seats = simulation.line_up.seats().max(1);
        let mut counting = Counting {
            stretch: self,
            progress,
            stop,
            tally,
            spare: Vec::new(),
            given: VecDeque::new(),
            first,
            next: first,
            size: 16,
            // Tickets of at most one row group make memory independent of the number of seats.
            most: layout.as_ref().map_or(u64::MAX, |layout: &Arc<Layout>| (layout.group_rows / seats) as u64),
            encoding: 0,
            most_encoding: workers + 1,
            columns,
            is_cut: false,
        };
        let direct = |pool: &mut Pool<'_, Task, Done>| counting.run(pool);
        match workers {
            1 => pool::run_here(0, work, direct)?,
            _ => pool::run(0..workers, 4 * workers, work, direct)?,
        }
        let tally = counting.tally;
        if tally.episodes() == 0 && stop.is_abandoned() {
            return Err(LabError::Abandoned);
        }
        let seconds = began.elapsed().as_secs_f64();
        let episodes = self.episodes.start + tally.episodes() - first;
        let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        let timing = RunTiming {
            seconds,
            episodes,
            episodes_per_second: rate(episodes),
            decisions_per_second: rate(tally.decisions - decisions_before),
            threads: workers,
        };
        Ok((tally, timing))
    }
}

impl Counting<'_, '_, '_> {
    fn run(&mut self, pool: &mut Pool<'_, Task, Done>) -> Result<(), LabError> {
        loop {
            self.give(pool);
            let (Some(done), Some(given)) = (pool.take(), self.given.pop_front()) else { return Ok(()) };
            let flow = match (done, given) {
                (Ok(Done::Played(ticket)), _) => self.take_ticket(ticket?)?,
                (Ok(Done::Encoded(rows, encoded)), _) => self.take_group(rows, encoded),
                (Err(Panicked { message }), Some(Range { start, end })) => {
                    return Err(LabError::Panic { first: start, last: end - 1, message });
                }
                (Err(panicked), None) => {
                    let failed = parquet::errors::ParquetError::General(panicked.to_string());
                    self.take_group(Vec::new(), Err(failed))
                }
            };
            if matches!(flow, Flow::End) {
                return Ok(());
            }
        }
    }

    /// Hands out tasks. Row groups come first, and playing pauses while too many are unencoded, so rows do
    /// not pile up.
    fn give(&mut self, pool: &mut Pool<'_, Task, Done>) {
        while pool.has_room()
            && let Some(rows) = self.columns.as_mut().and_then(|columns| columns.full_group())
        {
            pool.give(Task::Encode(rows));
            self.given.push_back(None);
            self.encoding += 1;
        }
        let end = self.stretch.episodes.end;
        let group = self.stretch.simulation.deal_group();
        while !self.is_cut
            && self.next < end
            && pool.has_room()
            && self.encoding < self.most_encoding
            && (self.next == self.first || !self.stop.is_stopped())
        {
            // Ranges end between deal groups: a single worker counts all episodes of a group.
            let reach = self.next.saturating_add(self.size.min(self.most)).checked_next_multiple_of(group);
            let range = self.next..end.min(reach.unwrap_or(u64::MAX));
            let mut tally = self.spare.pop().unwrap_or_else(|| self.stretch.simulation.tally());
            if self.next == self.first {
                self.tally.hand_over(&mut tally);
            }
            self.next = range.end;
            self.given.push_back(Some(range.clone()));
            let rows = self.columns.as_mut().map(|columns| columns.rows());
            pool.give(Task::Play(Box::new(Ticket { range, tally, rows, took: Duration::ZERO })));
        }
    }

    fn take_ticket(&mut self, ticket: Box<Ticket>) -> Result<Flow, LabError> {
        if self.is_cut {
            return Ok(Flow::GoOn);
        }
        let Ticket { range, tally: mut part, rows, took } = *ticket;
        let reached = range.start + part.episodes();
        self.is_cut = reached < range.end;
        let cuts_deals = self.is_cut && !reached.is_multiple_of(self.stretch.simulation.deal_group());
        if cuts_deals && self.stretch.stops == Stops::BetweenDeals {
            return Ok(Flow::GoOn);
        }
        self.tally.merge(&part);
        if let (Some(columns), Some(rows)) = (&mut self.columns, rows) {
            columns.take(rows);
        }
        let Range { start, end } = self.stretch.episodes;
        (self.progress)(self.tally.episodes(), end - start);
        self.size = next_size(self.size, took);
        part.clear();
        self.spare.push(part);
        Ok(Flow::GoOn)
    }

    fn take_group(&mut self, rows: Vec<Rows>, encoded: parquet::errors::Result<Encoded>) -> Flow {
        self.encoding -= 1;
        let Some(columns) = &mut self.columns else { return Flow::GoOn };
        match columns.write_group(rows, encoded) {
            Ok(()) => Flow::GoOn,
            Err(error) => {
                // Played episodes are kept; further ones would have no file.
                columns.fail(error);
                Flow::End
            }
        }
    }
}

/// Episodes of the next ticket, after one of `size` that took `took`: large enough to amortise the hand-out,
/// small enough for smooth progress. Results do not depend on the size.
fn next_size(size: u64, took: Duration) -> u64 {
    if took < Duration::from_millis(25) {
        (size * 2).min(8192)
    } else if took > Duration::from_millis(150) {
        (size / 2).max(1)
    } else {
        size
    }
}

fn play_ticket<'s>(
    simulation: &'s Simulation<'_>,
    worker: &mut PoolWorker<'_, usize, Kept<'s>>,
    mut ticket: Box<Ticket>,
    stop: &StopFlag,
) -> Result<Box<Ticket>, LabError> {
    let (PoolWorker { kept, over, .. }, began) = (worker, Instant::now());
    let runner = match &mut kept.runner {
        Some(runner) => runner,
        none => {
            let runner = none.insert(simulation.game.runner(&simulation.line_up.players())?);
            stop.episodes().into_iter().for_each(|token| runner.cancel_by(token));
            runner
        }
    };
    let (range, tally) = (ticket.range.clone(), &mut ticket.tally);
    let (seed, seating) = (simulation.seed, simulation.seating);
    let goes_on = || !stop.is_stopped() && !over.is_stopped();
    // A finished episode is always counted, so a run stopped at once has one, unless it is abandoned.
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
