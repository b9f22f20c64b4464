//! Turns of jobs at the processors.
//!
//! Every job has a thread, and one job at a time has the turn. A job passes the turn on after [`TURN`]. In a
//! longer episode it loses the turn after [`OVERDUE`], and the next job plays beside it. No job waits for
//! another job's long episode.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_lab::StopFlag;

use crate::limits::party::Party;

/// The length of a turn.
const TURN: Duration = Duration::from_secs(1);
/// The next job begins when a turn has lasted this long.
const OVERDUE: Duration = Duration::from_secs(2);
/// The interval at which waiting jobs check whether they were stopped.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Upper bound on jobs that have begun and therefore hold memory. A party without such a job may exceed it by
/// one.
const MAX_BEGUN: usize = 4;
/// Upper bound on jobs that have not begun.
const MAX_WAITING: usize = 20;

#[derive(Clone, Default)]
pub struct Turns(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The number of the last job.
    next: u64,
    /// The numbers of jobs that wait for the turn, in order.
    line: VecDeque<u64>,
    /// The number of the job that has the turn, and the time since when.
    holder: Option<(u64, Instant)>,
    /// The party of each job whose thread lives, and true if the job has begun.
    jobs: BTreeMap<u64, (Party, bool)>,
}

impl State {
    /// Returns true if this job is the first in line that may play.
    fn is_next(&self, number: u64) -> bool {
        let begun = || self.jobs.values().filter(|(_, has_begun)| *has_begun);
        let may_play = |number: &&u64| {
            let Some((party, has_begun)) = self.jobs.get(*number) else { return false };
            *has_begun || begun().count() < MAX_BEGUN || begun().all(|(other, _)| other != party)
        };
        let is_free = self.holder.is_none_or(|(_, since)| since.elapsed() >= OVERDUE);
        is_free && self.line.iter().find(may_play) == Some(&number)
    }
}

/// A job's registration among the turns. Dropping it removes the job.
pub struct JobTicket {
    turns: Turns,
    pub number: u64,
}

impl Drop for JobTicket {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        state.jobs.remove(&self.number);
        state.line.retain(|number| *number != self.number);
        state.holder = state.holder.filter(|(holder, _)| *holder != self.number);
        self.turns.0.changed.notify_all();
    }
}

impl Turns {
    /// Registers a job.
    ///
    /// # Errors
    /// If too many jobs wait. The text is for people.
    pub fn enter(&self, party: Party) -> Result<JobTicket, String> {
        let mut state = self.lock();
        if state.jobs.values().filter(|(_, has_begun)| !has_begun).count() >= MAX_WAITING {
            return Err(format!(
                "expected at most {MAX_WAITING} jobs to wait, found as many\nhint: try again when some are done"
            ));
        }
        state.next += 1;
        let number = state.next;
        state.jobs.insert(number, (party, false));
        Ok(JobTicket { turns: self.clone(), number })
    }

    /// Passes the turn on if it has lasted [`TURN`] and another job waits. Returns when the job has the turn
    /// or is stopped.
    pub fn pass(&self, number: u64, stop: &StopFlag) {
        let mut state = self.lock();
        match state.holder {
            Some((holder, since)) if holder == number => {
                if since.elapsed() < TURN || state.line.is_empty() {
                    return;
                }
                state.holder = None;
                self.0.changed.notify_all();
            }
            _ => {}
        }
        state.line.push_back(number);
        while !stop.is_stopped() {
            if state.is_next(number) {
                state.holder = Some((number, Instant::now()));
                if let Some((_, has_begun)) = state.jobs.get_mut(&number) {
                    *has_begun = true;
                }
                break;
            }
            state = self
                .0
                .changed
                .wait_timeout(state, STOP_POLL_INTERVAL)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        state.line.retain(|other| *other != number);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
