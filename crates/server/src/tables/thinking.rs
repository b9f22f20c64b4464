//! The scheduler of agents' decisions, with their deadlines.
//!
//! Agents decide at tables, for people whose time is up, and for advice. Every decision gets a place first,
//! and runs on a separate thread, so that the system shares processors fairly. The queue serves the party
//! with the least recent usage first. At the deadline an agent must return its best decision so far. Shortly
//! after it, the table continues without the agent.
//!
//! Quick agents have a scheduler of their own, so that they never wait for slow ones. Their tables change in
//! the same place, because the change may take longer than the decision.
//!
//! A thread cannot be ended from outside. An agent that ignores cancellation keeps its thread, but loses its
//! place. Its table does not ask it again meanwhile, so an agent blocks at most one thread per table. All
//! agents of the registry obey: crates/table/tests/it/cancelled.rs asks each of them.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use meeple_core::{CancelToken, panic_message};
use tokio::sync::oneshot;

use crate::limits::party::Party;
use crate::time::Time;

/// Concurrent decisions per processor.
const AT_ONCE_EACH: usize = 4;
/// Lower bound on concurrent decisions.
const MIN_AT_ONCE: usize = 8;
/// Time after the deadline, in ms, in which an agent may still return its best decision.
const GRACE_MS: u64 = 5_000;
/// The name of threads on which agents decide.
const AGENT_THREAD: &str = "agent";
/// The half-life of recorded usage.
const HALF_LIFE: Duration = Duration::from_secs(60);
/// Number of recorded tables and parties above which those with negligible usage are dropped.
const MAX_USAGE_ACCOUNTS: usize = 4_096;

#[derive(Clone, Debug)]
pub struct DecisionOrigin {
    pub table: String,
    pub party: Party,
    pub agent: String,
}

/// Reasons why there is no decision.
#[derive(Debug)]
pub enum Undecided {
    /// Nobody needs it any more: the table has ended, or the server shuts down.
    Ended,
    /// No decision came by the deadline or in the grace period.
    Late,
    /// A late decision of the same agent at the same table still runs.
    Stuck,
    Fault(String),
}

/// A decision in progress or in the queue, as the operator sees it.
#[derive(Clone, Debug)]
pub struct Seen {
    pub table: String,
    pub agent: String,
    /// The time since its start; `None` in the queue.
    pub since: Option<Duration>,
    /// True if its table has continued without it.
    pub is_overdue: bool,
}

pub struct AgentScheduler {
    /// Upper bound on decisions that occupy a place.
    at_once: usize,
    deadline_ms: u64,
    state: Mutex<State>,
    time: Time,
    /// Deadlines of quick decisions, for the thread that cancels their tokens.
    sentry: mpsc::Sender<(Instant, CancelToken)>,
}

#[derive(Default)]
struct State {
    /// The number of the last decision.
    next: u64,
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    used: BTreeMap<UsageAccount, DecayingUsage>,
}

struct Waiting {
    number: u64,
    origin: DecisionOrigin,
    grant: oneshot::Sender<AgentPlace>,
}

struct Running {
    number: u64,
    origin: DecisionOrigin,
    cancel: CancelToken,
    began: Instant,
    /// True if the table has continued without it.
    is_overdue: bool,
    /// False once its place was freed for another decision.
    has_place: bool,
}

/// A party or table to which computing time is charged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum UsageAccount {
    Table(String),
    Party(Party),
}

/// Computing time in seconds, and the moment at which it was recorded.
#[derive(Clone, Copy)]
struct DecayingUsage(f64, Instant);

impl DecayingUsage {
    fn now(self, now: Instant) -> f64 {
        let age = now.saturating_duration_since(self.1).as_secs_f64();
        self.0 * (-age / HALF_LIFE.as_secs_f64()).exp2()
    }
}

/// The place of a running decision. Dropping it frees the place.
pub struct AgentPlace {
    thinking: Arc<AgentScheduler>,
    number: u64,
    cancel: CancelToken,
}

/// The result of a computation in a place, with its duration, or the panic that ended it.
pub type Computed<T> = std::thread::Result<(T, Duration)>;

impl AgentPlace {
    /// Computes on a separate thread. The place is free before the receiver is notified.
    pub fn compute<T: Send + 'static>(
        self,
        work: impl FnOnce(&CancelToken) -> T + Send + 'static,
    ) -> std::io::Result<oneshot::Receiver<Computed<T>>> {
        let (sender, computed) = oneshot::channel();
        let compute = move || {
            lower_priority();
            let began = Instant::now();
            let done = catch_unwind(AssertUnwindSafe(|| work(&self.cancel)));
            let took = began.elapsed();
            drop(self);
            drop(sender.send(done.map(|done| (done, took))));
        };
        std::thread::Builder::new().name(AGENT_THREAD.to_owned()).spawn(compute)?;
        Ok(computed)
    }
}

impl Drop for AgentPlace {
    fn drop(&mut self) {
        let mut state = self.thinking.lock();
        let place = state.running.iter().position(|running| running.number == self.number);
        if let Some(place) = place {
            let Running { origin, began, .. } = state.running.swap_remove(place);
            state.charge(&origin, began.elapsed());
        }
        let granted = self.thinking.grant(&mut state);
        drop(state);
        granted.into_iter().for_each(Granted::hand_over);
    }
}

/// A granted place, to be handed over once locks are released.
struct Granted(oneshot::Sender<AgentPlace>, AgentPlace);

impl Granted {
    /// If the receiver is gone, dropping the place frees it.
    fn hand_over(self) {
        drop(self.0.send(self.1));
    }
}

impl State {
    fn used(&self, account: &UsageAccount, now: Instant) -> f64 {
        self.used.get(account).map_or(0.0, |used| used.now(now))
    }

    fn charge(&mut self, origin: &DecisionOrigin, took: Duration) {
        let now = Instant::now();
        for account in [UsageAccount::Table(origin.table.clone()), UsageAccount::Party(origin.party.clone())]
        {
            let all = self.used(&account, now) + took.as_secs_f64();
            self.used.insert(account, DecayingUsage(all, now));
        }
        if self.used.len() > MAX_USAGE_ACCOUNTS {
            self.used.retain(|_, used| used.now(now) > 0.001);
        }
    }

    /// Decisions that occupy a place.
    fn in_place(&self) -> impl Iterator<Item = &Running> {
        self.running.iter().filter(|running| running.has_place)
    }

    /// The index of the next decision in the queue. The order is by usage of the party, then by usage of the
    /// table, then by arrival. Every party except [`Party::Exempt`] has at most `most_each` places.
    fn next(&self, most_each: usize) -> Option<usize> {
        let now = Instant::now();
        let has_room = |origin: &DecisionOrigin| {
            let own = self.in_place().filter(|running| running.origin.party == origin.party);
            origin.party == Party::Exempt || own.count() < most_each
        };
        let waiting = self.waiting.iter().enumerate().filter(|(_, waiting)| has_room(&waiting.origin));
        let key = |waiting: &Waiting| {
            let DecisionOrigin { table, party, .. } = &waiting.origin;
            let party = self.used(&UsageAccount::Party(party.clone()), now);
            (party, self.used(&UsageAccount::Table(table.clone()), now), waiting.number)
        };
        let order = |(left, right): (&Waiting, &Waiting)| {
            let (left, right) = (key(left), key(right));
            left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1)).then(left.2.cmp(&right.2))
        };
        waiting.min_by(|left, right| order((left.1, right.1))).map(|(index, _)| index)
    }
}

impl AgentScheduler {
    /// A scheduler for this number of processors. `time` measures the deadline of each decision.
    pub fn new(processors: usize, deadline_ms: u64, time: Time) -> Self {
        let (sentry, inbox) = mpsc::channel::<(Instant, CancelToken)>();
        // The thread ends when its senders are dropped. Deadlines arrive in ascending order.
        std::thread::spawn(move || {
            for (due, cancel) in inbox {
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                cancel.cancel();
            }
        });
        let at_once = (processors * AT_ONCE_EACH).max(MIN_AT_ONCE);
        Self { at_once, deadline_ms, state: Mutex::default(), time, sentry }
    }

    /// A token for a quick decision, cancelled after `limit`. All calls must use the
    /// same limit, because a shorter one would wait behind longer ones.
    pub fn quick_token(&self, limit: Duration) -> CancelToken {
        let cancel = CancelToken::new();
        // The sentry lives as long as the process. Without it, nothing is cancelled.
        drop(self.sentry.send((Instant::now() + limit, cancel.clone())));
        cancel
    }

    /// Computes a decision on a separate thread once a place is free. Returns it with its duration. `work`
    /// must end soon after its token is cancelled, which happens at the deadline or earlier.
    pub async fn decide<T: Send + 'static>(
        self: &Arc<Self>,
        origin: DecisionOrigin,
        work: impl FnOnce(&CancelToken) -> T + Send + 'static,
    ) -> Result<(T, Duration), Undecided> {
        if self.is_stuck(&origin) {
            return Err(Undecided::Stuck);
        }
        let place = self.place(origin).await.ok_or(Undecided::Ended)?;
        let (number, cancel) = (place.number, place.cancel.clone());
        let mut decided = place.compute(work).map_err(|error| Undecided::Fault(error.to_string()))?;
        let due = self.time.now_ms() + self.deadline_ms;
        let done = tokio::select! {
            done = &mut decided => done,
            () = self.time.until(due) => {
                cancel.cancel();
                tokio::select! {
                    done = &mut decided => done,
                    () = self.time.until(due + GRACE_MS) => {
                        self.give_up(number);
                        return Err(Undecided::Late);
                    }
                }
            }
        };
        match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(panic)) => Err(Undecided::Fault(panic_message(&*panic))),
            Err(_) => Err(Undecided::Ended),
        }
    }

    /// Computes on a separate thread once a place is free, without a deadline.
    pub async fn compute<T: Send + 'static>(
        self: &Arc<Self>,
        origin: DecisionOrigin,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Undecided> {
        let place = self.place(origin).await.ok_or(Undecided::Ended)?;
        let computed = place.compute(|_| work()).map_err(|error| Undecided::Fault(error.to_string()))?;
        match computed.await {
            Ok(Ok((done, _))) => Ok(done),
            Ok(Err(panic)) => Err(Undecided::Fault(panic_message(&*panic))),
            Err(_) => Err(Undecided::Ended),
        }
    }

    /// Waits for a place; `None` if the table's decisions were ended meanwhile.
    pub async fn place(self: &Arc<Self>, origin: DecisionOrigin) -> Option<AgentPlace> {
        self.ask_for_place(origin).await.ok()
    }

    fn ask_for_place(self: &Arc<Self>, origin: DecisionOrigin) -> oneshot::Receiver<AgentPlace> {
        let (grant, granted) = oneshot::channel();
        let mut state = self.lock();
        state.next += 1;
        let number = state.next;
        state.waiting.push(Waiting { number, origin, grant });
        let others = self.grant(&mut state);
        drop(state);
        others.into_iter().for_each(Granted::hand_over);
        granted
    }

    fn grant(self: &Arc<Self>, state: &mut State) -> Vec<Granted> {
        let mut granted = Vec::new();
        state.waiting.retain(|waiting| !waiting.grant.is_closed());
        while state.in_place().count() < self.at_once
            && let Some(next) = state.next((self.at_once / 2).max(1))
        {
            let Waiting { number, origin, grant } = state.waiting.swap_remove(next);
            let cancel = CancelToken::new();
            let place = AgentPlace { thinking: Arc::clone(self), number, cancel: cancel.clone() };
            let began = Instant::now();
            state.running.push(Running { number, origin, cancel, began, is_overdue: false, has_place: true });
            granted.push(Granted(grant, place));
        }
        granted
    }

    /// Returns true if the table has given up on a decision of this agent that still runs.
    fn is_stuck(&self, origin: &DecisionOrigin) -> bool {
        let is_same = |other: &DecisionOrigin| other.table == origin.table && other.agent == origin.agent;
        self.lock().running.iter().any(|running| running.is_overdue && is_same(&running.origin))
    }

    /// Gives up on a late decision. Its place is freed, unless `at_once` late ones run without a place
    /// already.
    fn give_up(self: &Arc<Self>, number: u64) {
        let mut state = self.lock();
        let without_place = state.running.iter().filter(|running| !running.has_place).count();
        if let Some(running) = state.running.iter_mut().find(|running| running.number == number) {
            running.is_overdue = true;
            running.has_place = without_place >= self.at_once;
        }
        let granted = self.grant(&mut state);
        drop(state);
        granted.into_iter().for_each(Granted::hand_over);
    }

    pub fn deadline_ms(&self) -> u64 {
        self.deadline_ms
    }

    /// Cancels all decisions of a table, in progress or in the queue.
    pub fn end(&self, table: &str) {
        let mut state = self.lock();
        let of_table = |origin: &DecisionOrigin| origin.table == table;
        state.running.iter().filter(|running| of_table(&running.origin)).for_each(|it| it.cancel.cancel());
        // Dropping the senders notifies the tasks that wait.
        state.waiting.retain(|waiting| !of_table(&waiting.origin));
    }

    /// All decisions in progress or in the queue.
    pub fn seen(&self) -> Vec<Seen> {
        let state = self.lock();
        let seen = |origin: &DecisionOrigin, since, is_overdue| Seen {
            table: origin.table.clone(),
            agent: origin.agent.clone(),
            since,
            is_overdue,
        };
        let running = state.running.iter();
        let running = running.map(|it| seen(&it.origin, Some(it.began.elapsed()), it.is_overdue));
        running.chain(state.waiting.iter().map(|it| seen(&it.origin, None, false))).collect()
    }

    /// Seconds of computing that a table's agents used recently, with a half-life of [`HALF_LIFE`].
    pub fn used_by(&self, table: &str) -> f64 {
        let (now, state) = (Instant::now(), self.lock());
        let done = state.used(&UsageAccount::Table(table.to_owned()), now);
        let running = state.running.iter().filter(|running| running.origin.table == table);
        done + running.map(|running| running.began.elapsed().as_secs_f64()).sum::<f64>()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns true on a thread for agents.
pub fn is_agent_thread() -> bool {
    std::thread::current().name() == Some(AGENT_THREAD)
}

/// Lowers the thread's priority below that of threads that serve people.
fn lower_priority() {
    // Linux has a priority per thread. If the system refuses, all threads keep the same one.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 5);
}
