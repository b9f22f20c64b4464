//! Whether a bot does nothing, or the machine has no time for it. The wall clock cannot tell the two apart; the
//! bot's processes can.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::unistd::Pid;

use crate::clock::cpu_time_of;
use crate::supervised::Supervised;

/// A bot that has slept this long, without a moment of work, waits for something that does not come.
const ASLEEP: Duration = Duration::from_secs(1);
/// How often processes are looked at, at most.
const LOOK: Duration = Duration::from_millis(20);

/// What a wait that is over its time comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waited {
    /// The bot has had its time: it slept through it, or worked as long as it may.
    Enough,
    /// The machine has had no time for the bot; there is no telling what it would have done.
    Starved,
    /// The machine has had no time for the bot yet.
    GoOn,
}

/// What a bot does while it is waited for.
#[derive(Debug)]
pub(crate) struct Activity {
    supervised: Arc<Supervised>,
    began: Duration,
    last: Option<(Instant, Threads)>,
    asleep_since: Option<Instant>,
}

/// Of every thread that sleeps how often it has been switched; `None` if one does not sleep.
type Threads = Option<BTreeMap<Pid, String>>;

impl Activity {
    /// Of all its processes, from now on.
    pub(crate) fn new(supervised: Arc<Supervised>) -> Self {
        let began = cpu_time(&supervised);
        Self { supervised, began, last: None, asleep_since: None }
    }

    /// Looks at the processes, if it is time to.
    pub(crate) fn look(&mut self) {
        let now = Instant::now();
        if self.last.as_ref().is_some_and(|(at, _)| now < *at + LOOK) {
            return;
        }
        let seen = threads(&self.supervised);
        // Asleep both times and not switched in between is asleep all the time: who wakes is switched.
        let slept = matches!(&self.last, Some((_, before)) if before.is_some() && *before == seen);
        self.asleep_since =
            if slept { self.asleep_since.or(self.last.as_ref().map(|(at, _)| *at)) } else { None };
        self.last = Some((now, seen));
    }

    /// How long all threads have slept by now, without a moment of work.
    pub(crate) fn asleep(&self) -> Duration {
        match (&self.last, self.asleep_since) {
            (Some((at, _)), Some(since)) => at.saturating_duration_since(since),
            _ => Duration::ZERO,
        }
    }

    /// CPU time used since then, as far as the system tells it.
    pub(crate) fn worked(&self) -> Duration {
        cpu_time(&self.supervised).saturating_sub(self.began)
    }

    /// What it comes to that the bot has not done something in time on the wall, which may take this much work.
    pub(crate) fn judge(&self, work: Duration, patient_until: Instant) -> Waited {
        if self.asleep() >= ASLEEP || self.worked() > work {
            Waited::Enough
        } else if Instant::now() < patient_until {
            Waited::GoOn
        } else {
            Waited::Starved
        }
    }
}

fn cpu_time(supervised: &Supervised) -> Duration {
    supervised.processes().into_iter().filter_map(cpu_time_of).sum()
}

fn threads(supervised: &Supervised) -> Threads {
    let mut asleep = BTreeMap::new();
    for pid in supervised.processes() {
        for task in std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let Ok(status) = std::fs::read_to_string(task.path().join("status")) else { continue };
            let thread: i32 = task.file_name().to_str()?.parse().ok()?;
            let state =
                status.lines().find_map(|line| line.strip_prefix("State:"))?.trim_start().chars().next()?;
            let switches = status.lines().filter(|line| line.contains("ctxt_switches")).collect();
            match state {
                'S' => asleep.insert(Pid::from_raw(thread), switches),
                // It has ended.
                'Z' | 'X' => None,
                // It runs, waits for a processor or a disk, or is stopped.
                _ => return None,
            };
        }
    }
    // Where nobody is left, nobody sleeps.
    (!asleep.is_empty()).then_some(asleep)
}
