//! Agents' decisions: which of them are computed now, until when, and who ends them.
//!
//! Every decision that an agent takes for a table, a person who ran out of time, or somebody who asks for advice passes
//! [`Thinking::decide`], but for those that are known to be quick. It has a thread of its own, so that the system shares
//! processors fairly among those that run; who comes next is whoever has had least. At the deadline an agent is asked for the
//! best that it has found, and a moment later the table goes on without it.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use meeple_core::CancelToken;
use tokio::sync::oneshot;

use crate::party::Party;
use crate::time::Time;

/// Decisions that are computed at once, for each of the processors that agents may use.
const AT_ONCE_EACH: usize = 4;
/// At least so many are computed at once.
const MIN_AT_ONCE: usize = 8;
/// Milliseconds that an agent has, once its deadline is over, to say what it has found.
const GRACE_MS: u64 = 5_000;
/// What was used this long ago counts half.
const HALF_LIFE: Duration = Duration::from_secs(60);
/// With more tables and parties than this, those that have used next to nothing are forgotten.
const MAX_SPENDERS: usize = 4_096;

/// Who thinks, and for whom.
#[derive(Clone, Debug)]
pub struct Thinker {
    /// The table.
    pub table: String,
    /// On whose account.
    pub party: Party,
    /// The agent.
    pub agent: String,
}

/// Why there is no decision.
#[derive(Debug)]
pub enum Undecided {
    /// Nobody needs it any more: its table or the server has ended.
    Ended,
    /// It did not come in time, or after it.
    Late,
    /// The agent failed.
    Fault(String),
}

/// A decision that is computed or waits, for the operator's eyes.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The table.
    pub table: String,
    /// The agent.
    pub agent: String,
    /// How long it has been computed; `None` while it waits.
    pub since: Option<Duration>,
    /// Whether its table has gone on without it.
    pub is_overdue: bool,
}

/// Where decisions are computed.
pub struct Thinking {
    at_once: usize,
    deadline_ms: u64,
    state: Mutex<State>,
    time: Time,
    sentry: mpsc::Sender<(Instant, CancelToken)>,
}

#[derive(Default)]
struct State {
    /// The number of the next decision.
    next: u64,
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    used: BTreeMap<Spender, Used>,
}

struct Waiting {
    number: u64,
    thinker: Thinker,
    grant: oneshot::Sender<Place>,
}

struct Running {
    number: u64,
    thinker: Thinker,
    cancel: CancelToken,
    began: Instant,
    is_overdue: bool,
}

/// Who has used processor time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Spender {
    Table(String),
    Party(Party),
}

/// Seconds, and when they were counted.
#[derive(Clone, Copy)]
struct Used(f64, Instant);

impl Used {
    fn now(self, now: Instant) -> f64 {
        let age = now.saturating_duration_since(self.1).as_secs_f64();
        self.0 * (-age / HALF_LIFE.as_secs_f64()).exp2()
    }
}

/// A place among those that run, until this is dropped.
struct Place {
    thinking: Arc<Thinking>,
    number: u64,
    cancel: CancelToken,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.thinking.lock();
        let place = state.running.iter().position(|running| running.number == self.number);
        if let Some(place) = place {
            let Running { thinker, began, .. } = state.running.swap_remove(place);
            state.charge(&thinker, began.elapsed());
        }
        let granted = self.thinking.grant(&mut state);
        drop(state);
        granted.into_iter().for_each(Granted::hand_over);
    }
}

/// A place that was given, to be handed over once nothing is locked.
struct Granted(oneshot::Sender<Place>, Place);

impl Granted {
    /// If nobody waits any more, the place is free again.
    fn hand_over(self) {
        drop(self.0.send(self.1));
    }
}

impl State {
    fn used(&self, spender: &Spender, now: Instant) -> f64 {
        self.used.get(spender).map_or(0.0, |used| used.now(now))
    }

    fn charge(&mut self, thinker: &Thinker, took: Duration) {
        let now = Instant::now();
        for spender in [Spender::Table(thinker.table.clone()), Spender::Party(thinker.party.clone())] {
            let all = self.used(&spender, now) + took.as_secs_f64();
            self.used.insert(spender, Used(all, now));
        }
        if self.used.len() > MAX_SPENDERS {
            self.used.retain(|_, used| used.now(now) > 0.001);
        }
    }

    /// Decisions that hold a place.
    fn in_place(&self) -> impl Iterator<Item = &Running> {
        self.running.iter().filter(|running| !running.is_overdue)
    }

    /// Which of those who wait comes next: one whose party, and then whose table, has had least. No party has more than
    /// `most_each` places.
    fn next(&self, most_each: usize) -> Option<usize> {
        let now = Instant::now();
        let has_room = |thinker: &Thinker| {
            let own = self.in_place().filter(|running| running.thinker.party == thinker.party);
            thinker.party == Party::Exempt || own.count() < most_each
        };
        let waiting = self.waiting.iter().enumerate().filter(|(_, waiting)| has_room(&waiting.thinker));
        let key = |waiting: &Waiting| {
            let Thinker { table, party, .. } = &waiting.thinker;
            let party = self.used(&Spender::Party(party.clone()), now);
            (party, self.used(&Spender::Table(table.clone()), now), waiting.number)
        };
        let order = |(left, right): (&Waiting, &Waiting)| {
            let (left, right) = (key(left), key(right));
            left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1)).then(left.2.cmp(&right.2))
        };
        waiting.min_by(|left, right| order((left.1, right.1))).map(|(index, _)| index)
    }
}

impl Thinking {
    /// On so many processors; each decision within `deadline_ms` of this clock.
    pub fn new(processors: usize, deadline_ms: u64, time: Time) -> Self {
        let (sentry, inbox) = mpsc::channel::<(Instant, CancelToken)>();
        // It ends with whoever sends to it. All that it is sent is due after what it was sent before.
        std::thread::spawn(move || {
            for (due, cancel) in inbox {
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                cancel.cancel();
            }
        });
        let at_once = (processors * AT_ONCE_EACH).max(MIN_AT_ONCE);
        Self { at_once, deadline_ms, state: Mutex::default(), time, sentry }
    }

    /// A token for a decision that is known to be quick and is computed where it is needed, raised after `limit`. The limit is the
    /// same for all, or shorter ones wait behind longer ones.
    pub fn quick_token(&self, limit: Duration) -> CancelToken {
        let cancel = CancelToken::new();
        // Without a sentry, which ends with the process, nothing is cut.
        drop(self.sentry.send((Instant::now() + limit, cancel.clone())));
        cancel
    }

    /// Has an agent decide on a thread of its own when it is its turn, and returns how long that took. `work` ends soon after its
    /// token is raised, which happens at the deadline at the latest.
    ///
    /// # Errors
    /// If there is no decision.
    pub async fn decide<T: Send + 'static>(
        self: &Arc<Self>,
        thinker: Thinker,
        work: impl FnOnce(&CancelToken) -> T + Send + 'static,
    ) -> Result<(T, Duration), Undecided> {
        let place = self.place(thinker).await.ok_or(Undecided::Ended)?;
        let (number, cancel) = (place.number, place.cancel.clone());
        let (sender, mut decided) = oneshot::channel();
        let compute = move || {
            come_second();
            let began = Instant::now();
            let done = catch_unwind(AssertUnwindSafe(|| work(&place.cancel)));
            let took = began.elapsed();
            // Whoever hears of it finds the place free.
            drop(place);
            drop(sender.send(done.map(|done| (done, took))));
        };
        std::thread::Builder::new()
            .name("agent".to_owned())
            .spawn(compute)
            .map_err(|error| Undecided::Fault(error.to_string()))?;
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
            Ok(Err(panic)) => Err(Undecided::Fault(panic_text(&*panic))),
            Err(_) => Err(Undecided::Ended),
        }
    }

    /// Waits for a place; `None` if nobody needs it any more.
    async fn place(self: &Arc<Self>, thinker: Thinker) -> Option<Place> {
        self.ask_for_place(thinker).await.ok()
    }

    fn ask_for_place(self: &Arc<Self>, thinker: Thinker) -> oneshot::Receiver<Place> {
        let (grant, granted) = oneshot::channel();
        let mut state = self.lock();
        state.next += 1;
        let number = state.next;
        state.waiting.push(Waiting { number, thinker, grant });
        let others = self.grant(&mut state);
        drop(state);
        others.into_iter().for_each(Granted::hand_over);
        granted
    }

    /// Gives free places to those who wait.
    fn grant(self: &Arc<Self>, state: &mut State) -> Vec<Granted> {
        let mut granted = Vec::new();
        state.waiting.retain(|waiting| !waiting.grant.is_closed());
        while state.in_place().count() < self.at_once
            && let Some(next) = state.next((self.at_once / 2).max(1))
        {
            let Waiting { number, thinker, grant } = state.waiting.swap_remove(next);
            let cancel = CancelToken::new();
            let place = Place { thinking: Arc::clone(self), number, cancel: cancel.clone() };
            let began = Instant::now();
            state.running.push(Running { number, thinker, cancel, began, is_overdue: false });
            granted.push(Granted(grant, place));
        }
        granted
    }

    /// A decision is late for good: somebody else may have its place, unless as many are late already.
    fn give_up(self: &Arc<Self>, number: u64) {
        let mut state = self.lock();
        let late = state.running.iter().filter(|running| running.is_overdue).count();
        if late < self.at_once
            && let Some(running) = state.running.iter_mut().find(|running| running.number == number)
        {
            running.is_overdue = true;
        }
        let granted = self.grant(&mut state);
        drop(state);
        granted.into_iter().for_each(Granted::hand_over);
    }

    /// Milliseconds that an agent has for a decision.
    pub fn deadline_ms(&self) -> u64 {
        self.deadline_ms
    }

    /// Ends all decisions of a table.
    pub fn end(&self, table: &str) {
        let mut state = self.lock();
        let of_table = |thinker: &Thinker| thinker.table == table;
        state.running.iter().filter(|running| of_table(&running.thinker)).for_each(|it| it.cancel.cancel());
        // Who waits hears that nothing comes.
        state.waiting.retain(|waiting| !of_table(&waiting.thinker));
    }

    /// All that is computed or waits.
    pub fn seen(&self) -> Vec<Seen> {
        let state = self.lock();
        let seen = |thinker: &Thinker, since, is_overdue| Seen {
            table: thinker.table.clone(),
            agent: thinker.agent.clone(),
            since,
            is_overdue,
        };
        let running = state.running.iter();
        let running = running.map(|it| seen(&it.thinker, Some(it.began.elapsed()), it.is_overdue));
        running.chain(state.waiting.iter().map(|it| seen(&it.thinker, None, false))).collect()
    }

    /// Seconds of a processor that the agents of a table have used lately: what is a minute old counts half.
    pub fn used_by(&self, table: &str) -> f64 {
        let (now, state) = (Instant::now(), self.lock());
        let done = state.used(&Spender::Table(table.to_owned()), now);
        let running = state.running.iter().filter(|running| running.thinker.table == table);
        done + running.map(|running| running.began.elapsed().as_secs_f64()).sum::<f64>()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// This thread has less of a processor than those that answer people.
fn come_second() {
    // There a thread has a priority of its own. If the system refuses, all have the same.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 5);
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}
