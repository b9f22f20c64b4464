//! The CPU clock of a bot: time used by its process and all its descendants.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

use crate::sandbox::groups::GroupClock;
use crate::tree::{Stat, descendants};

/// Shortest interval that justifies a look at all processes. A look takes less than a tenth of it.
const MIN_LOOK_INTERVAL: Duration = Duration::from_millis(1);
/// Questions shorter than `MIN_LOOK_INTERVAL` are settled together, once their total time reaches this.
const MAX_UNSETTLED: Duration = Duration::from_millis(5);
/// The longest time between two looks while a question is open.
const MAX_LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// CPU time of the bot's own process and all its descendants, dead or alive.
///
/// The clock of the own process covers all its threads, to the nanosecond, and is read at every call. The
/// other processes are read once enough time has passed for them to work (`MIN_LOOK_INTERVAL`).
#[derive(Debug)]
pub(crate) struct CpuClock {
    own: ClockId,
    others: Others,
    /// CPU time of all processes at the last look, and the part of the own process in it.
    all: Duration,
    of_that_own: Duration,
    looked: Instant,
    /// Wall time of the questions closed since the last settlement.
    open: Duration,
    last: Duration,
}

/// The source of the CPU time of other processes.
#[derive(Debug)]
enum Others {
    /// The kernel counts the time in a control group.
    Counted(GroupClock),
    /// The host reads every process.
    Watched(Helpers),
}

impl CpuClock {
    /// The CPU clock of the process `own` and all processes under `root`. `None` if the system does not
    /// support it.
    pub(crate) fn new(root: Pid, own: Pid, group: Option<GroupClock>) -> Option<Self> {
        let others = match group {
            Some(clock) => Others::Counted(clock),
            None => Others::Watched(Helpers::new(root, own)),
        };
        let own = clock_getcpuclockid(own).ok()?;
        let (looked, zero) = (Instant::now(), Duration::ZERO);
        let mut clock = Self { own, others, all: zero, of_that_own: zero, looked, open: zero, last: zero };
        clock.settle();
        Some(clock)
    }

    pub(crate) fn last(&self) -> Duration {
        self.last
    }

    /// CPU time so far, in a question that has been open for `open`. It never decreases, although the time of
    /// an ended process may be less precise than while it lived.
    pub(crate) fn read(&mut self, open: Duration) -> Duration {
        if open.min(self.looked.elapsed()) >= MIN_LOOK_INTERVAL { self.look() } else { self.quick_look() }
    }

    pub(crate) fn close(&mut self, open: Duration) -> Duration {
        self.open += open;
        if open >= MIN_LOOK_INTERVAL || self.open >= MAX_UNSETTLED {
            self.settle()
        } else {
            self.quick_look()
        }
    }

    pub(crate) fn between(&mut self) -> Duration {
        if self.looked.elapsed() >= MIN_LOOK_INTERVAL { self.settle() } else { self.quick_look() }
    }

    pub(crate) fn look(&mut self) -> Duration {
        self.of_that_own = self.own().unwrap_or(self.of_that_own);
        self.all = match &mut self.others {
            Others::Counted(group) => group.read().unwrap_or(self.all),
            Others::Watched(helpers) => self.of_that_own + helpers.look(),
        };
        self.looked = Instant::now();
        self.last = self.last.max(self.all);
        self.last
    }

    /// CPU time of all processes, plus an estimate for those that ended since the last settlement.
    pub(crate) fn settle(&mut self) -> Duration {
        self.look();
        let open = std::mem::take(&mut self.open);
        if let Others::Watched(helpers) = &mut self.others {
            self.all += helpers.settle(open);
            self.last = self.last.max(self.all);
        }
        self.last
    }

    /// Total CPU time, with only the own process read again.
    fn quick_look(&mut self) -> Duration {
        let since = self.own().unwrap_or_default().saturating_sub(self.of_that_own);
        self.last = self.last.max(self.all + since);
        self.last
    }

    fn own(&self) -> Option<Duration> {
        self.own.now().ok().map(Duration::from)
    }

    /// The pause before the next look in a question that has been open for `open`. It grows with `open` and
    /// is random, so that no bot can hide helpers between looks.
    pub(crate) fn patience(&self, open: Duration) -> Duration {
        match self.others {
            Others::Counted(_) => MAX_LOOK_INTERVAL,
            Others::Watched(_) => {
                let part = (RandomState::new().hash_one(()) % 256) as u32;
                (open * part / 256).clamp(MIN_LOOK_INTERVAL, MAX_LOOK_INTERVAL)
            }
        }
    }
}

/// Number of processes that can run simultaneously.
fn processors() -> u32 {
    static PROCESSORS: OnceLock<u32> = OnceLock::new();
    *PROCESSORS
        .get_or_init(|| std::thread::available_parallelism().map_or(u32::MAX, |count| count.get() as u32))
}

/// CPU time of a process over all its threads; `None` if it is gone or the system does not report it.
pub(crate) fn cpu_time_of(pid: Pid) -> Option<Duration> {
    clock_getcpuclockid(pid).ok()?.now().ok().map(Duration::from)
}

/// The descendants of a bot, without a control group to count them.
///
/// Live processes are read to the nanosecond. For ended ones `/proc` reports hundredths of a second, and
/// nothing if their parent did not wait for them. A helper that ends during a question is therefore charged
/// with the whole question, less the time that `/proc` reports.
#[derive(Debug)]
struct Helpers {
    root: Pid,
    own: Pid,
    /// Live helpers with their CPU time, one map per look since the last settlement.
    seen: Vec<BTreeMap<Pid, Duration>>,
    /// CPU time of ended processes whose parents waited for them: at the last look, and at the last
    /// settlement.
    waited_for: Duration,
    settled: Duration,
    /// Estimated CPU time of unreported processes.
    beside: Duration,
}

impl Helpers {
    fn new(root: Pid, own: Pid) -> Self {
        let zero = Duration::ZERO;
        Self { root, own, seen: Vec::new(), waited_for: zero, settled: zero, beside: zero }
    }

    fn look(&mut self) -> Duration {
        let mut processes = descendants(self.root);
        processes.push(self.root);
        let waited_for = processes.iter().filter_map(|pid| Stat::of(*pid)).map(|stat| stat.waited_for);
        self.waited_for = waited_for.sum();
        let used = |pid: Pid| Some((pid, cpu_time_of(pid)?));
        let helpers = processes.into_iter().filter(|pid| *pid != self.own && *pid != self.root);
        let helpers: BTreeMap<Pid, Duration> = helpers.filter_map(used).collect();
        let living: Duration = helpers.values().sum();
        self.seen.push(helpers);
        living + self.waited_for + self.beside
    }

    /// Adds an estimate for processes that ended since the last settlement, in which questions were open for
    /// `open`. Returns the added time.
    fn settle(&mut self, open: Duration) -> Duration {
        let Some(now) = self.seen.pop() else { return Duration::ZERO };
        let ended = |then: &BTreeMap<Pid, Duration>| {
            let gone = then.iter().filter(|(pid, _)| !now.contains_key(pid));
            gone.fold((0, Duration::ZERO), |(count, used), (_, more)| (count + 1, used + *more))
        };
        let at_once = self.seen.iter().map(|then| ended(then).0).max().unwrap_or(0).min(processors());
        let counted_before = self.seen.first().map(|first| ended(first).1).unwrap_or_default();
        let known = self.waited_for - self.settled.min(self.waited_for);
        let missing = (counted_before + open * at_once).saturating_sub(known);
        self.beside += missing;
        (self.seen, self.settled) = (vec![now], self.waited_for);
        missing
    }
}
