//! The CPU clock of a bot: what its process and all that it has started have used.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

use crate::sandbox::groups::GroupClock;
use crate::tree::{Stat, descendants};

/// Time in which helpers can do something that is worth a look at all processes, which takes less than a tenth of it.
const WORTH_A_LOOK: Duration = Duration::from_millis(1);
/// Questions that are answered faster than that are taken together until they have taken so long.
const QUICK_ONES: Duration = Duration::from_millis(5);
/// The longest time between two looks while a question is open.
const OFTEN: Duration = Duration::from_millis(50);

/// CPU time of the bot's own process and of everything that it has started, whatever has become of it.
///
/// The own process is read at every question, to the nanosecond, all its threads included. The others are looked
/// at when there was time for them to do something; what they use meanwhile is not lost, it counts at the next look.
#[derive(Debug)]
pub(crate) struct CpuClock {
    own: ClockId,
    others: Others,
    /// What all had used at the last look, and the own process of that.
    all: Duration,
    of_that_own: Duration,
    looked: Instant,
    /// Time that questions were open since accounts were last settled.
    open: Duration,
    last: Duration,
}

/// How the time of other processes is known.
#[derive(Debug)]
enum Others {
    /// The kernel counts it: a control group.
    Counted(GroupClock),
    /// We look at every process.
    Watched(Helpers),
}

impl CpuClock {
    /// The clock of the process `own` and of all processes under `root`, by a control group if there is one; `None`
    /// if the system does not offer it.
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

    /// What it showed when it was last read: still right for a bot that was stopped before.
    pub(crate) fn last(&self) -> Duration {
        self.last
    }

    /// CPU time so far, in a question that has been open for `open`. Never less than before, though what a process
    /// had used that ended may be known less well than what it had used when it lived.
    pub(crate) fn read(&mut self, open: Duration) -> Duration {
        if open.min(self.looked.elapsed()) >= WORTH_A_LOOK { self.look() } else { self.quick_look() }
    }

    /// The same when a question is closed that was open for `open`.
    pub(crate) fn close(&mut self, open: Duration) -> Duration {
        self.open += open;
        if open >= WORTH_A_LOOK || self.open >= QUICK_ONES { self.settle() } else { self.quick_look() }
    }

    /// The same between two questions, of a bot that is not stopped there.
    pub(crate) fn between(&mut self) -> Duration {
        if self.looked.elapsed() >= WORTH_A_LOOK { self.settle() } else { self.quick_look() }
    }

    /// CPU time so far, of all processes as they are now.
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

    /// The same, and with what those may have used that have ended since the last time.
    pub(crate) fn settle(&mut self) -> Duration {
        self.look();
        let open = std::mem::take(&mut self.open);
        if let Others::Watched(helpers) = &mut self.others {
            self.all += helpers.settle(open);
            self.last = self.last.max(self.all);
        }
        self.last
    }

    /// What the own process has used since the last look is added.
    fn quick_look(&mut self) -> Duration {
        let since = self.own().unwrap_or_default().saturating_sub(self.of_that_own);
        self.last = self.last.max(self.all + since);
        self.last
    }

    fn own(&self) -> Option<Duration> {
        self.own.now().ok().map(Duration::from)
    }

    /// How long the next look may wait in a question that has been open for `open`: longer and longer, and not to be
    /// known before, so that nobody can keep helpers out of sight.
    pub(crate) fn patience(&self, open: Duration) -> Duration {
        match self.others {
            Others::Counted(_) => OFTEN,
            Others::Watched(_) => {
                let part = (RandomState::new().hash_one(()) % 256) as u32;
                (open * part / 256).clamp(WORTH_A_LOOK, OFTEN)
            }
        }
    }
}

/// How many processes can run at the same time.
fn processors() -> u32 {
    static PROCESSORS: OnceLock<u32> = OnceLock::new();
    *PROCESSORS
        .get_or_init(|| std::thread::available_parallelism().map_or(u32::MAX, |count| count.get() as u32))
}

/// What a process has used, all its threads together; `None` if it is gone or the system does not say.
pub(crate) fn cpu_time_of(pid: Pid) -> Option<Duration> {
    clock_getcpuclockid(pid).ok()?.now().ok().map(Duration::from)
}

/// The processes that a bot has started, where no control group counts them.
///
/// Those that live are read to the nanosecond. Of those that ended `/proc` tells in hundredths of a second what they
/// had used, if their parent has waited for them; if it lets the kernel forget them, nobody tells. So a helper that
/// ends during a question has used all the time that there was, unless more is known.
#[derive(Debug)]
struct Helpers {
    root: Pid,
    own: Pid,
    /// Who lived at every look since accounts were settled, and what they had used.
    seen: Vec<BTreeMap<Pid, Duration>>,
    /// What those had used who were waited for: now, and when accounts were settled.
    waited_for: Duration,
    settled: Duration,
    /// What was counted for those of whom nobody tells.
    beside: Duration,
}

impl Helpers {
    fn new(root: Pid, own: Pid) -> Self {
        let zero = Duration::ZERO;
        Self { root, own, seen: Vec::new(), waited_for: zero, settled: zero, beside: zero }
    }

    /// What all have used.
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

    /// What is to be added for those that have ended since the last time, questions having been open for `open`.
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
