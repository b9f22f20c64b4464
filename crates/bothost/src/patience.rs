//! Distinguishes an idle bot from a busy machine by the states of the bot's processes. The wall clock cannot
//! tell the two apart.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::unistd::Pid;

use crate::clock::cpu_time_of;
use crate::supervised::Supervised;
use crate::tree::text_of;

/// Uninterrupted sleep after which a bot is considered to wait for something that never comes.
const ASLEEP: Duration = Duration::from_secs(1);
/// Shortest interval between two looks at the processes.
const LOOK: Duration = Duration::from_millis(20);

/// The verdict on an overlong wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waited {
    /// The bot has had its time: it slept through it, or used up its CPU time.
    Enough,
    /// The machine has had no time for the bot; its behaviour is unknown.
    Starved,
    /// The machine has had no time for the bot yet; the wait continues.
    GoOn,
}

#[derive(Debug)]
pub(crate) struct Activity {
    supervised: Arc<Supervised>,
    began: Duration,
    last: Option<(Instant, Threads)>,
    asleep_since: Option<Instant>,
}

/// Context switch counts of each thread; `None` if any thread is awake.
type Threads = Option<BTreeMap<Pid, String>>;

impl Activity {
    pub(crate) fn new(supervised: Arc<Supervised>) -> Self {
        let began = cpu_time(&supervised);
        Self { supervised, began, last: None, asleep_since: None }
    }

    pub(crate) fn look(&mut self) {
        let now = Instant::now();
        if self.last.as_ref().is_some_and(|(at, _)| now < *at + LOOK) {
            return;
        }
        let seen = threads(&self.supervised);
        // Equal counts at both looks mean uninterrupted sleep: a wake-up is a context switch.
        let slept = matches!(&self.last, Some((_, before)) if before.is_some() && *before == seen);
        self.asleep_since =
            if slept { self.asleep_since.or(self.last.as_ref().map(|(at, _)| *at)) } else { None };
        self.last = Some((now, seen));
    }

    /// Time for which all threads have slept without interruption.
    pub(crate) fn asleep(&self) -> Duration {
        match (&self.last, self.asleep_since) {
            (Some((at, _)), Some(since)) => at.saturating_duration_since(since),
            _ => Duration::ZERO,
        }
    }

    /// CPU time since the start of the observation, as far as the system reports it.
    pub(crate) fn worked(&self) -> Duration {
        cpu_time(&self.supervised).saturating_sub(self.began)
    }

    /// Judges a bot that has exceeded its wall time, given the CPU time that the task may take.
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
            let Some(status) = text_of(task.path().join("status")) else { continue };
            let thread: i32 = task.file_name().to_str()?.parse().ok()?;
            let state =
                status.lines().find_map(|line| line.strip_prefix("State:"))?.trim_start().chars().next()?;
            let switches = status.lines().filter(|line| line.contains("ctxt_switches")).collect();
            match state {
                'S' => asleep.insert(Pid::from_raw(thread), switches),
                // The thread has ended.
                'Z' | 'X' => None,
                // The thread runs, waits for a processor or a disk, or is stopped.
                _ => return None,
            };
        }
    }
    // `None` if no thread was found.
    (!asleep.is_empty()).then_some(asleep)
}
