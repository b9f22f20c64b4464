//! A simulation: many episodes of one setting, on all cores, the same on any number of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use meeple_core::{AnyGame, Seating};
use serde_json::Value;

use crate::columns::{Columns, Rows};
use crate::summary::{Summary, Timing};
use crate::tally::Tally;
use crate::{LabError, LineUp, Progress, StopFlag};

/// What to play.
#[derive(Clone)]
pub struct Simulation<'a> {
    /// The game, set up.
    pub game: &'a dyn AnyGame,
    /// Who plays: as many seats as the game has.
    pub line_up: LineUp,
    /// The root seed.
    pub seed: u64,
    /// Episodes to play.
    pub episodes: u64,
    /// How players take their seats.
    pub seating: Seating,
    /// Threads that play; 0 stands for as many as there are cores. The results do not depend on it.
    pub threads: usize,
}

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

impl Simulation<'_> {
    /// Whether it can be played.
    ///
    /// # Errors
    /// If there are no episodes, or the line-up does not fit the game.
    pub fn check(&self) -> Result<(), LabError> {
        if self.episodes == 0 {
            return Err(LabError::Episodes { found: 0 });
        }
        let (seats, players) = (self.game.seats(), self.line_up.seats());
        if seats != players {
            return Err(LabError::LineUp {
                expected: format!("{seats} players"),
                found: players.to_string(),
                hint: "name one agent per seat; AGENT*N stands for N seats".into(),
            });
        }
        Ok(self.game.check_line_up(&self.line_up.players())?)
    }

    /// Threads that play it.
    fn workers(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(MOST_THREADS),
        }
    }
}

/// More than any machine has; a mistyped number must not exhaust the system.
const MOST_THREADS: usize = 1024;

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
    let tally = Tally::new(simulation.game, &simulation.line_up, simulation.seating);
    play_on(simulation, tally, None, &mut |done, total| progress.update(done, total, ""), stop)
}

/// A piece of the run, given to a worker together with memory to use again.
struct Ticket {
    number: u64,
    range: Range<u64>,
    tally: Tally,
    rows: Option<Rows>,
}

/// A ticket that has been played.
struct Played {
    ticket: Ticket,
    /// The first episode that was not played: the range's end unless the run was stopped.
    reached: u64,
    took: Duration,
}

enum Message {
    Played(Box<Played>),
    Failed(LabError),
    /// A worker panicked; the panic travels on when the threads are joined.
    Panicked,
}

/// Plays the episodes that `tally` does not hold yet. Rows go to `columns` in order.
pub(crate) fn play_on(
    simulation: &Simulation<'_>,
    mut tally: Tally,
    mut columns: Option<&mut Columns>,
    progress: &mut dyn FnMut(u64, u64),
    stop: &StopFlag,
) -> Result<Run, LabError> {
    let began = Instant::now();
    let (first, total) = (tally.episodes(), simulation.episodes);
    let group = match simulation.seating {
        Seating::DealGroups => simulation.game.seats().max(1) as u64,
        _ => 1,
    };
    let decisions_before = tally.decisions();
    let workers = simulation.workers();
    progress(first, total);

    let (tickets, queue) = channel::<Ticket>();
    let queue = Mutex::new(queue);
    let (reports, inbox) = channel::<Message>();
    let played: Result<(), LabError> = std::thread::scope(|scope| {
        // Moved in, so that leaving this closure by any way closes the queue and ends the workers.
        let tickets = tickets;
        for _ in 0..workers {
            let (queue, reports) = (&queue, reports.clone());
            scope.spawn(move || work(simulation, queue, &reports, stop));
        }
        drop(reports);
        let mut spare: Vec<(Tally, Option<Rows>)> = Vec::new();
        let mut early: BTreeMap<u64, Box<Played>> = BTreeMap::new();
        let (mut next_episode, mut issued, mut merged) = (first, 0u64, 0u64);
        let mut size = 16;
        loop {
            while next_episode < total
                && issued - merged < 4 * workers as u64
                && (issued == 0 || !stop.is_stopped())
            {
                // Episodes of one deal group are counted together, by one worker.
                let reach = next_episode.saturating_add(size).checked_next_multiple_of(group);
                let end = total.min(reach.unwrap_or(u64::MAX));
                let (mut part, rows) = spare.pop().unwrap_or_else(|| {
                    let rows = columns.as_ref().map(|columns| columns.rows());
                    (Tally::new(simulation.game, &simulation.line_up, simulation.seating), rows)
                });
                if issued == 0 {
                    tally.hand_over(&mut part);
                }
                let ticket = Ticket { number: issued, range: next_episode..end, tally: part, rows };
                // The receiver lives as long as this function.
                let _ = tickets.send(ticket);
                (next_episode, issued) = (end, issued + 1);
            }
            if issued == merged {
                return Ok(());
            }
            match inbox.recv() {
                Ok(Message::Played(played)) => early.insert(played.ticket.number, played),
                Ok(Message::Failed(error)) => return Err(error),
                Ok(Message::Panicked) | Err(_) => return Ok(()),
            };
            while let Some(mut played) = early.remove(&merged) {
                merged += 1;
                tally.merge(&played.ticket.tally);
                if let (Some(columns), Some(rows)) = (&mut columns, &mut played.ticket.rows) {
                    if let Err(error) = columns.append(rows) {
                        // What was played is kept; the rest would have no file to go to.
                        columns.fail(error);
                        return Ok(());
                    }
                    rows.clear();
                }
                progress(tally.episodes(), total);
                if played.reached < played.ticket.range.end {
                    // Stopped in the middle: what others played after this has a gap before it.
                    return Ok(());
                }
                size = next_size(size, played.took);
                played.ticket.tally.clear();
                spare.push((played.ticket.tally, played.ticket.rows));
            }
        }
    });
    played?;
    let seconds = began.elapsed().as_secs_f64();
    let episodes = tally.episodes() - first;
    let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
    Ok(Run {
        summary: Summary::new(simulation, &tally),
        timing: Timing {
            seconds,
            episodes,
            episodes_per_second: rate(episodes),
            decisions_per_second: rate(tally.decisions() - decisions_before),
            threads: workers,
        },
        stopped: tally.episodes() < total,
        tally,
    })
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

/// Tells the main thread when a worker dies, which would otherwise wait for it for ever.
struct Watch<'a>(&'a Sender<Message>);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Message::Panicked);
        }
    }
}

fn work(
    simulation: &Simulation<'_>,
    queue: &Mutex<Receiver<Ticket>>,
    reports: &Sender<Message>,
    stop: &StopFlag,
) {
    let _watch = Watch(reports);
    let mut runner = match simulation.game.runner(&simulation.line_up.players()) {
        Ok(runner) => runner,
        Err(error) => {
            let _ = reports.send(Message::Failed(error.into()));
            return;
        }
    };
    loop {
        let ticket = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut ticket) = ticket else { return };
        let began = Instant::now();
        let Ticket { range, tally, rows, .. } = &mut ticket;
        // A finished episode is always counted, so that a run that is stopped at once still has one.
        match rows {
            None => runner.run(simulation.seed, simulation.seating, range.clone(), &mut |report| {
                tally.add(report);
                !stop.is_stopped()
            }),
            Some(rows) => runner.run(simulation.seed, simulation.seating, range.clone(), &mut |report| {
                tally.add(report);
                rows.add(report);
                !stop.is_stopped()
            }),
        }
        let reached = range.start + tally.episodes();
        let played = Played { reached, took: began.elapsed(), ticket };
        if reports.send(Message::Played(Box::new(played))).is_err() {
            return;
        }
    }
}
