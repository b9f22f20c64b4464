//! Background jobs: simulations, sweeps, competitions.
//!
//! Jobs take [turns](crate::jobs::turns) of about a second on all cores but one, so that short jobs need not
//! wait for long ones. They wait at the [`Gate`] while the server is late, and have a lower priority than
//! tables.
//!
//! A sentry charges jobs while they play. It stops those whose starter has used up its processor time. Within
//! [`STOP_GRACE`] every viewer sees that a stopped job has ended. A thread inside an episode cannot be ended
//! from outside. Until the episode ends, the job costs its starter processor time and one of its places.
//!
//! A job's name is derived from its question, so equal questions are answered once.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use meeple_lab::{Progress, StopFlag};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::watch;

use crate::jobs::gate::Gate;
use crate::jobs::turns::{JobTicket, Turns};
use crate::key;
use crate::limits::budget::{Budget, Budgets};
use crate::limits::party;
use crate::limits::party::{Party, Starter};
use crate::log::Log;
use crate::trouble::Trouble;

/// The interval at which the sentry looks at all jobs.
const SENTRY_INTERVAL: Duration = Duration::from_millis(200);
/// Time in which a stopped job may end by itself. Afterwards it is shown as ended.
const STOP_GRACE: Duration = Duration::from_secs(5);
/// Number of jobs of a kind in memory. Beyond it, each new job replaces an unused one.
const MAX_KEPT: usize = 200;
/// The minimum interval between progress updates to viewers.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct JobResult {
    /// Episodes that the results are based on.
    pub episodes: u64,
    /// Tables and plots, as HTML.
    pub part: String,
    /// The results as JSON, equal to the command line's output with `--json`.
    pub json: String,
    /// The results as CSV, equal to the command line's output with `--csv`, if it has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub csv: String,
    /// The first episodes, if the job is a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<EpisodeResult>,
    /// Results per agent, if the job is a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentResult>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpisodeResult {
    /// Per seat: agent, place, score.
    pub seats: Vec<(String, u32, i64)>,
    /// The length in the game's unit.
    pub length: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgentResult {
    pub name: String,
    /// The share of wins, in `0..=1`.
    pub share: f64,
    /// The 95 % interval of `share`.
    pub share_ci: [f64; 2],
    /// The mean score per episode.
    pub mean: f64,
    /// The 95 % interval of `mean`.
    pub mean_ci: Option<[f64; 2]>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    Waiting,
    Playing,
    Done,
    /// Stopped; episodes already played are kept.
    Stopped,
    Failed(String),
}

/// The outcome of one piece of work.
pub enum Step {
    More,
    /// The final stage, and the result to show if it is new.
    Ended(Stage, Option<JobResult>),
}

/// The question behind a job.
pub trait JobQuestion: Send + Sync + Sized + 'static {
    type Course: Send;
    type Host: Send + Sync;

    /// The identifier. Equal questions have equal identifiers, on all servers with the same generation of
    /// answers.
    fn name(&self) -> String;

    /// Prepares the first piece.
    fn begin(job: &Job<Self>, host: &Self::Host) -> Result<Self::Course, String>;

    /// Plays a piece with this number of threads.
    fn step(job: &Job<Self>, course: &mut Self::Course, host: &Self::Host, threads: usize) -> Step;

    /// Handles the end, before viewers are notified.
    fn ended(job: &Job<Self>, stage: &Stage, result: Option<&JobResult>, host: &Self::Host);
}

/// A question and its state.
pub struct Job<Q> {
    pub id: String,
    pub plan: Q,
    pub stop: StopFlag,
    /// The starter. Only the starter and the operator can stop the job.
    starter: Starter,
    gate: Gate,
    turns: Turns,
    /// The job's number in `turns`.
    number: u64,
    paused: AtomicBool,
    /// True while its thread lives.
    alive: AtomicBool,
    /// True while the job plays, in its turn or in an episode that outlasts it.
    playing: AtomicBool,
    /// The reason why the server stopped the job, as a text for people.
    used_up: Mutex<Option<String>>,
    /// Episodes played so far.
    done: AtomicU64,
    /// The stage and the last result.
    seen: Mutex<(Stage, Option<Arc<JobResult>>)>,
    changed: watch::Sender<u64>,
}

/// Generation of answers, a part of job names: no job continues work of another generation. A new generation
/// begins when some question gets another answer. Most releases keep it, so that stored competitions
/// continue. Files of 0.1.0 have this one.
const ANSWER_GENERATION: &str = "0.1.0";

/// The name of a job, derived from its question and the generation of answers.
pub fn name_of(text: &str) -> String {
    key::hash(&format!("{ANSWER_GENERATION} {text}"))[..10].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A command line, with its words quoted for a shell.
pub fn command(words: &[String]) -> String {
    let quoted =
        |word: &String| shlex::try_quote(word).map_or_else(|_| word.clone(), |word| word.into_owned());
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

impl<Q: JobQuestion> Job<Q> {
    fn new(plan: Q, gate: Gate, turns: Turns, number: u64, starter: Starter) -> Self {
        let alive = AtomicBool::new(true);
        Self { gate, turns, number, starter, alive, ..Self::idle(plan, Stage::Waiting, None) }
    }

    /// A finished job from the database file.
    pub fn stored(plan: Q, result: JobResult) -> Self {
        Self::idle(plan, Stage::Done, Some(result))
    }

    /// A job that is not running.
    pub fn idle(plan: Q, stage: Stage, result: Option<JobResult>) -> Self {
        Self {
            id: plan.name(),
            plan,
            stop: StopFlag::with_abandonment(),
            starter: Starter { party: Party::Exempt, key: None },
            gate: Gate::default(),
            turns: Turns::default(),
            number: 0,
            paused: AtomicBool::new(false),
            alive: AtomicBool::new(false),
            playing: AtomicBool::new(false),
            used_up: Mutex::default(),
            done: AtomicU64::new(0),
            seen: Mutex::new((stage, result.map(Arc::new))),
            changed: watch::Sender::new(0),
        }
    }

    /// The same job under another identifier: the one under which it is stored.
    #[must_use]
    pub fn named(self, id: &str) -> Self {
        Self { id: id.to_owned(), ..self }
    }

    pub fn seen(&self) -> (Stage, u64, Option<Arc<JobResult>>) {
        let (stage, result) = self.lock().clone();
        (stage, self.done.load(Ordering::Relaxed), result)
    }

    /// Returns true while it runs or waits.
    pub fn is_running(&self) -> bool {
        matches!(self.lock().0, Stage::Waiting | Stage::Playing)
    }

    /// Returns true while it is paused in favour of tables.
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    /// Waits for the next turn, unless the current one continues.
    fn take_turn(&self) {
        self.playing.store(false, Ordering::Relaxed);
        self.turns.pass(self.number, &self.stop);
        self.playing.store(true, Ordering::Relaxed);
    }

    fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Relaxed)
    }

    /// The stage of a job that was stopped.
    fn stopped_stage(&self) -> Stage {
        let used_up = self.used_up.lock().unwrap_or_else(PoisonError::into_inner).clone();
        used_up.map_or(Stage::Stopped, |wrong| Stage::Failed(format!("{wrong}; below is what was played")))
    }

    /// Pauses while tables need the machine, and notifies viewers.
    fn pause_for_tables(&self) {
        if self.gate.is_held() {
            self.pause(true);
            self.gate.pass(&self.stop);
            self.pause(false);
        }
    }

    fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::Relaxed);
        self.changed.send_modify(|count| *count += 1);
    }

    fn is_of(&self, party: &Party) -> bool {
        self.starter.party == *party
    }

    /// Stops the job if the current request comes from its starter. Episodes already played are kept.
    ///
    /// # Errors
    /// If somebody else started the job. The text is for people.
    pub fn stop_for_starter(&self) -> Result<(), String> {
        if !self.starter.is(&party::starter()) {
            return Err("somebody else has asked for this, and others may be waiting for it\nhint: who began it can stop it, and \
                        so can the operator"
                .to_owned());
        }
        self.stop();
        Ok(())
    }

    /// Stops the job. Episodes already played are kept.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// A receiver that is notified of every change.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub fn version(&self) -> u64 {
        *self.changed.borrow()
    }

    fn lock(&self) -> MutexGuard<'_, (Stage, Option<Arc<JobResult>>)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the stage and the result, and notifies viewers.
    pub fn show(&self, stage: Stage, result: Option<JobResult>) {
        let mut seen = self.lock();
        seen.0 = stage;
        if let Some(result) = result {
            seen.1 = Some(Arc::new(result));
        }
        drop(seen);
        self.changed.send_modify(|count| *count += 1);
    }

    /// Returns true if a shown result has at least this number of episodes.
    pub fn has_shown(&self, episodes: u64) -> bool {
        self.lock().1.as_ref().is_some_and(|seen| seen.episodes >= episodes)
    }

    /// A progress reporter for a piece that begins after `before` episodes.
    pub fn watch(&self, before: u64) -> JobProgress<'_, Q> {
        self.done.store(before, Ordering::Relaxed);
        JobProgress { job: self, before, reported: Instant::now(), takes_turns: false }
    }

    /// A progress reporter that lets other jobs play within the piece.
    pub fn watch_in_turns(&self) -> JobProgress<'_, Q> {
        JobProgress { takes_turns: true, ..self.watch(0) }
    }
}

pub struct JobProgress<'a, Q> {
    job: &'a Job<Q>,
    before: u64,
    reported: Instant,
    takes_turns: bool,
}

impl<Q: JobQuestion> Progress for JobProgress<'_, Q> {
    fn update(&mut self, done: u64, _total: u64, _label: &str) {
        self.job.done.store(self.before + done, Ordering::Relaxed);
        if self.reported.elapsed() >= PROGRESS_INTERVAL {
            self.reported = Instant::now();
            self.job.changed.send_modify(|count| *count += 1);
        }
        // The thread that collects the episodes waits here, and pauses the job.
        self.job.pause_for_tables();
        if self.takes_turns {
            self.job.take_turn();
        }
    }
}

/// A job of any kind, as the sentry sees it.
trait SentryJob: Send + Sync {
    /// Charges a playing job for this many processor seconds. Shows it as ended [`STOP_GRACE`] after its
    /// stop, whose time is noted in `stopped`. Returns false once its thread has ended.
    fn look(&self, seconds: f64, stopped: &mut Option<Instant>, budgets: &Budgets) -> bool;
}

impl<Q: JobQuestion> SentryJob for Job<Q> {
    fn look(&self, seconds: f64, stopped: &mut Option<Instant>, budgets: &Budgets) -> bool {
        if self.playing.load(Ordering::Relaxed)
            && let Err(wrong) = budgets.charge(&self.starter.party, Budget::JobSeconds, seconds)
        {
            self.used_up.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(wrong);
            self.stop();
        }
        if self.stop.is_stopped() && stopped.get_or_insert_with(Instant::now).elapsed() >= STOP_GRACE {
            self.stop.abandon();
            if self.is_running() {
                self.show(self.stopped_stage(), None);
            }
        }
        self.is_alive()
    }
}

struct Running<Q: JobQuestion> {
    job: Arc<Job<Q>>,
    host: Arc<Q::Host>,
    course: Option<Q::Course>,
    log: Log,
    /// The last field, dropped after all others.
    _place: JobTicket,
}

impl<Q: JobQuestion> Drop for Running<Q> {
    fn drop(&mut self) {
        self.job.playing.store(false, Ordering::Relaxed);
        self.job.alive.store(false, Ordering::Relaxed);
    }
}

impl<Q: JobQuestion> Running<Q> {
    fn piece(&mut self, threads: usize) -> Step {
        let job = &self.job;
        job.pause_for_tables();
        if job.stop.is_stopped() && self.course.is_none() {
            return Step::Ended(Stage::Stopped, None);
        }
        if self.course.is_none() {
            job.show(Stage::Playing, None);
            match Q::begin(job, &self.host) {
                Ok(course) => self.course = Some(course),
                Err(wrong) => return Step::Ended(Stage::Failed(wrong), None),
            }
        }
        Q::step(job, self.course.as_mut().expect("it has begun"), &self.host, threads)
    }

    /// Plays the job, turn by turn.
    fn play(&mut self, threads: usize) {
        lower_priority();
        self.job.take_turn();
        while self.step(threads) {
            self.job.take_turn();
        }
    }

    /// Plays a piece and returns true if there is more.
    fn step(&mut self, threads: usize) -> bool {
        let step = catch_unwind(AssertUnwindSafe(|| self.piece(threads)));
        let fault = || Stage::Failed("a bug in meeple\nhint: please report it".to_owned());
        let (stage, result) = match step {
            Ok(Step::More) => return true,
            // An abandoned job may have no result.
            Ok(Step::Ended(Stage::Failed(_), _)) if self.job.stop.is_abandoned() => {
                (self.job.stopped_stage(), None)
            }
            Ok(Step::Ended(Stage::Stopped, result)) => (self.job.stopped_stage(), result),
            Ok(Step::Ended(stage, result)) => (stage, result),
            Err(_) => {
                self.log.event("fault", &[("job", json!(self.job.id)), ("fault", json!("a panic"))]);
                (fault(), None)
            }
        };
        // The result is stored before viewers are notified, so that they can find it.
        Q::ended(&self.job, &stage, result.as_ref(), &self.host);
        self.job.playing.store(false, Ordering::Relaxed);
        self.job.alive.store(false, Ordering::Relaxed);
        self.job.show(stage, result);
        false
    }
}

/// The parts that all kinds of jobs share.
#[derive(Clone)]
pub struct Worker {
    turns: Turns,
    /// The number of threads of the job that plays.
    threads: usize,
    /// All jobs whose threads live, each with the time of its stop.
    watched: Arc<Mutex<Vec<WatchedJob>>>,
    gate: Gate,
    log: Log,
    budgets: Arc<Budgets>,
}

type WatchedJob = (Arc<dyn SentryJob>, Option<Instant>);

impl Worker {
    /// Starts the sentry, which ends when the last clone is dropped. Jobs pause at this gate.
    pub fn begin(gate: Gate, log: Log, budgets: Arc<Budgets>) -> Self {
        let threads =
            std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
        let watched = Arc::default();
        let (jobs, sentry) = (Arc::downgrade(&watched), Arc::clone(&budgets));
        std::thread::spawn(move || watch_over(&jobs, threads, &sentry));
        Self { turns: Turns::default(), threads, watched, gate, log, budgets }
    }
}

/// Looks at all jobs regularly, until the last worker is dropped.
fn watch_over(jobs: &Weak<Mutex<Vec<WatchedJob>>>, threads: usize, budgets: &Budgets) {
    let mut looked_ms = budgets.now_ms();
    while let Some(jobs) = jobs.upgrade() {
        let now_ms = budgets.now_ms();
        let seconds = now_ms.saturating_sub(looked_ms) as f64 / 1000.0 * threads as f64;
        looked_ms = now_ms;
        let mut watched = jobs.lock().unwrap_or_else(PoisonError::into_inner);
        watched.retain_mut(|(job, stopped)| job.look(seconds, stopped, budgets));
        drop(watched);
        drop(jobs);
        std::thread::sleep(SENTRY_INTERVAL);
    }
}

/// Lowers the priority of this thread and those it starts below what tables need.
fn lower_priority() {
    // Linux has a priority per thread. If the system refuses, jobs still pause at the gate.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

pub struct Jobs<Q: JobQuestion> {
    known: Mutex<BTreeMap<String, Arc<Job<Q>>>>,
    worker: Worker,
    host: Arc<Q::Host>,
}

impl<Q: JobQuestion> Jobs<Q> {
    pub fn new(worker: Worker, host: Q::Host) -> Self {
        Self { known: Mutex::default(), worker, host: Arc::new(host) }
    }

    pub fn find(&self, id: &str) -> Option<Arc<Job<Q>>> {
        self.lock().get(id).cloned()
    }

    /// The jobs that run or wait.
    pub fn running(&self) -> Vec<Arc<Job<Q>>> {
        self.lock().values().filter(|job| job.is_running()).cloned().collect()
    }

    /// Adds a job that is not running.
    pub fn keep(&self, job: Job<Q>) -> Arc<Job<Q>> {
        let job = Arc::new(job);
        let mut known = self.lock();
        make_room(&mut known);
        known.insert(job.id.clone(), Arc::clone(&job));
        job
    }

    /// The job of this plan, existing or new. A stopped or failed job starts over.
    pub fn start(&self, plan: Q) -> Result<Arc<Job<Q>>, Trouble> {
        let mut known = self.lock();
        let id = plan.name();
        if let Some(job) =
            known.get(&id).filter(|job| !matches!(job.lock().0, Stage::Stopped | Stage::Failed(_)))
        {
            return Ok(Arc::clone(job));
        }
        if known.get(&id).is_some_and(|job| job.is_alive()) {
            return Err(Trouble::QueueFull(
                "this was stopped and still ends its last episode\nhint: try again when it is done"
                    .to_owned(),
            ));
        }
        let starter = party::starter();
        let own = known.values().filter(|job| job.is_of(&starter.party) && job.is_alive()).count();
        let most = Budgets::most_jobs(&starter.party);
        if own >= most {
            return Err(Trouble::UsedUp(format!(
                "expected at most {most} runs or competitions at once of one visitor, found as many\nhint: stop one, or try again \
                 when some are done"
            )));
        }
        self.worker.budgets.spend(&starter.party, Budget::JobSeconds, 0.0).map_err(Trouble::UsedUp)?;
        // The previous result stays visible until there is a new one.
        let before = known.get(&id).and_then(|job| job.lock().1.clone());
        let Worker { turns, threads, watched, gate, log, .. } = self.worker.clone();
        let place = turns.enter(starter.party.clone()).map_err(Trouble::QueueFull)?;
        let job = Job::new(plan, gate, turns, place.number, starter);
        job.lock().1 = before;
        let job = Arc::new(job);
        let mut running =
            Running { job: Arc::clone(&job), host: Arc::clone(&self.host), course: None, log, _place: place };
        let played = std::thread::Builder::new().name("job".to_owned()).spawn(move || running.play(threads));
        played.map_err(|error| {
            Trouble::QueueFull(format!(
                "the machine has no thread for this: {error}\nhint: try again in a moment"
            ))
        })?;
        let sentry = Arc::clone(&job) as Arc<dyn SentryJob>;
        watched.lock().unwrap_or_else(PoisonError::into_inner).push((sentry, None));
        make_room(&mut known);
        known.insert(id, Arc::clone(&job));
        Ok(job)
    }

    pub fn stop(&self) {
        self.lock().values().for_each(|job| job.stop());
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Job<Q>>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Drops one unused job if [`MAX_KEPT`] is reached.
fn make_room<Q>(known: &mut BTreeMap<String, Arc<Job<Q>>>) {
    if known.len() >= MAX_KEPT
        && let Some(id) = known.iter().find(|(_, job)| Arc::strong_count(job) == 1).map(|(id, _)| id.clone())
    {
        known.remove(&id);
    }
}
