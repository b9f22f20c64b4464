//! Background jobs: simulations, sweeps, competitions.
//!
//! One thread works, on all cores but one. Jobs take turns a piece at a time, so that short
//! ones do not wait for long ones. A job's name is derived from its question, so equal
//! questions are answered once. Jobs wait at the [`Gate`] while the server is late, and run at
//! a lower priority than tables.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use meeple_lab::{Progress, StopFlag};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::watch;

use crate::budget::{Budget, Budgets};
use crate::gate::Gate;
use crate::key;
use crate::log::Log;
use crate::party::{self, Party, Starter};

/// Upper bound on waiting jobs.
const MAX_WAITING: usize = 20;
const MAX_TURNS: usize = 4;
/// Upper bound on jobs of a kind in memory.
const MAX_KEPT: usize = 200;
/// The interval of progress updates to viewers.
const TELL_EVERY: Duration = Duration::from_millis(200);

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Result {
    /// Episodes that the results are based on.
    pub episodes: u64,
    /// Tables and plots, as HTML.
    pub part: String,
    /// The results as JSON, equal to the command line's output with `--json`.
    pub json: String,
    /// The results as CSV, equal to the output with `--csv`, where that exists.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub csv: String,
    /// The first episodes, of a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<EpisodeResult>,
    /// Results per agent, of a run.
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
    /// The share of wins.
    pub share: f64,
    /// The 95 % interval of `share`.
    pub share_ci: [f64; 2],
    /// The mean score.
    pub mean: f64,
    /// The 95 % interval of `mean`.
    pub mean_ci: Option<[f64; 2]>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    Waiting,
    Playing,
    Done,
    /// A stopped job keeps what was played.
    Stopped,
    Failed(String),
}

/// The outcome of a piece of work.
pub enum Step {
    More,
    /// The final stage, and the result to show if it is new.
    Ended(Stage, Option<Result>),
}

/// The question behind a job.
pub trait Question: Send + Sync + Sized + 'static {
    type Course: Send;
    type Host: Send + Sync;

    /// The identifier. Equal questions have equal ones, on every server of a release.
    fn name(&self) -> String;

    /// Prepares the first piece.
    fn begin(job: &Job<Self>, host: &Self::Host) -> std::result::Result<Self::Course, String>;

    /// Plays a piece with this number of threads.
    fn step(job: &Job<Self>, course: &mut Self::Course, host: &Self::Host, threads: usize) -> Step;

    /// Handles the end, before viewers are notified.
    fn ended(job: &Job<Self>, stage: &Stage, result: Option<&Result>, host: &Self::Host);
}

/// A question and its state.
pub struct Job<Q> {
    pub id: String,
    pub plan: Q,
    pub stop: StopFlag,
    /// The starter. Only the starter and the operator can stop the job.
    starter: Starter,
    gate: Gate,
    paused: AtomicBool,
    done: AtomicU64,
    seen: Mutex<(Stage, Option<Arc<Result>>)>,
    changed: watch::Sender<u64>,
}

/// Generation of answers: work that an earlier generation began does not continue. It is raised when the same
/// question gets another answer, not with every release, so that stored competitions continue. Files of 0.1.0
/// have this one.
const ANSWERS: &str = "0.1.0";

/// Name of a job, by its question and the generation of answers.
pub fn name_of(text: &str) -> String {
    key::hash(&format!("{ANSWERS} {text}"))[..10].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Words quoted for a shell.
pub fn command(words: &[String]) -> String {
    let quoted =
        |word: &String| shlex::try_quote(word).map_or_else(|_| word.clone(), |word| word.into_owned());
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

impl<Q: Question> Job<Q> {
    fn new(plan: Q, gate: Gate, starter: Starter) -> Self {
        Self { gate, starter, ..Self::at(plan, Stage::Waiting, None) }
    }

    /// A job that another process finished.
    pub fn stored(plan: Q, result: Result) -> Self {
        Self::at(plan, Stage::Done, Some(result))
    }

    /// A job that is not running.
    pub fn at(plan: Q, stage: Stage, result: Option<Result>) -> Self {
        Self {
            id: plan.name(),
            plan,
            stop: StopFlag::new(),
            starter: Starter { party: Party::Exempt, key: None },
            gate: Gate::default(),
            paused: AtomicBool::new(false),
            done: AtomicU64::new(0),
            seen: Mutex::new((stage, result.map(Arc::new))),
            changed: watch::Sender::new(0),
        }
    }

    /// The same job under another identifier: that of the release that began it, or of the place where it was
    /// found.
    #[must_use]
    pub fn named(self, id: &str) -> Self {
        Self { id: id.to_owned(), ..self }
    }

    pub fn seen(&self) -> (Stage, u64, Option<Arc<Result>>) {
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

    /// Pauses while tables need the machine, and shows it.
    fn give_way(&self) {
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

    /// Stops the job if the current request comes from its starter. What was played is kept.
    ///
    /// # Errors
    /// If somebody else started it, with a text for people.
    pub fn stop_for_starter(&self) -> std::result::Result<(), String> {
        if !self.starter.is(&party::starter()) {
            return Err("somebody else has asked for this, and others may be waiting for it\nhint: who began it can stop it, and \
                        so can the operator"
                .to_owned());
        }
        self.stop();
        Ok(())
    }

    /// Stops the job. What was played is kept.
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

    fn lock(&self) -> MutexGuard<'_, (Stage, Option<Arc<Result>>)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the stage and the result, and notifies viewers.
    pub fn show(&self, stage: Stage, result: Option<Result>) {
        let mut seen = self.lock();
        seen.0 = stage;
        if let Some(result) = result {
            seen.1 = Some(Arc::new(result));
        }
        drop(seen);
        self.changed.send_modify(|count| *count += 1);
    }

    /// Returns true if a result with at least this number of episodes was shown.
    pub fn has_shown(&self, episodes: u64) -> bool {
        self.lock().1.as_ref().is_some_and(|seen| seen.episodes >= episodes)
    }

    /// A progress reporter for a piece that begins after `before` episodes.
    pub fn watch(&self, before: u64) -> Watch<'_, Q> {
        self.done.store(before, Ordering::Relaxed);
        Watch { job: self, before, told: Instant::now() }
    }
}

pub struct Watch<'a, Q> {
    job: &'a Job<Q>,
    before: u64,
    told: Instant,
}

impl<Q: Question> Progress for Watch<'_, Q> {
    fn update(&mut self, done: u64, _total: u64, _label: &str) {
        self.job.done.store(self.before + done, Ordering::Relaxed);
        if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            self.job.changed.send_modify(|count| *count += 1);
        }
        // The players pause here, too.
        self.job.give_way();
    }
}

/// A job of any kind, as the worker sees it.
trait Turn: Send {
    /// Plays a piece and returns true if there is more.
    fn step(&mut self, threads: usize) -> bool;
}

struct Running<Q: Question> {
    job: Arc<Job<Q>>,
    host: Arc<Q::Host>,
    course: Option<Q::Course>,
    log: Log,
    budgets: Arc<Budgets>,
}

impl<Q: Question> Running<Q> {
    fn piece(&mut self, threads: usize) -> Step {
        let job = &self.job;
        job.give_way();
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
        if let Err(wrong) = self.budgets.spend(&job.starter.party, Budget::JobSeconds, 0.0) {
            return Step::Ended(Stage::Failed(format!("{wrong}; below is what was played")), None);
        }
        let course = self.course.as_mut().expect("it has begun");
        let party = &job.starter.party;
        self.budgets
            .charging(party, Budget::JobSeconds, threads as f64, || Q::step(job, course, &self.host, threads))
    }
}

impl<Q: Question> Turn for Running<Q> {
    fn step(&mut self, threads: usize) -> bool {
        let step = catch_unwind(AssertUnwindSafe(|| self.piece(threads)));
        let fault = || Stage::Failed("a fault of meeple's own\nhint: please report it".to_owned());
        let (stage, result) = match step {
            Ok(Step::More) => return true,
            Ok(Step::Ended(stage, result)) => (stage, result),
            Err(_) => {
                self.log.event("fault", &[("job", json!(self.job.id)), ("fault", json!("a panic"))]);
                (fault(), None)
            }
        };
        // The result is stored before viewers are notified, so that they can find it.
        Q::ended(&self.job, &stage, result.as_ref(), &self.host);
        self.job.show(stage, result);
        false
    }
}

/// A handle to the worker thread, which ends with the process.
#[derive(Clone)]
pub struct Worker {
    queue: mpsc::SyncSender<Box<dyn Turn>>,
    gate: Gate,
    log: Log,
    budgets: Arc<Budgets>,
}

impl Worker {
    /// Starts the worker thread. Its jobs pause at this gate.
    pub fn begin(gate: Gate, log: Log, budgets: Arc<Budgets>) -> Self {
        let (queue, inbox) = mpsc::sync_channel::<Box<dyn Turn>>(MAX_WAITING);
        let threads =
            std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
        std::thread::spawn(move || {
            come_last();
            let mut turns: VecDeque<Box<dyn Turn>> = VecDeque::new();
            loop {
                if turns.is_empty() {
                    let Ok(first) = inbox.recv() else { return };
                    turns.push_back(first);
                }
                while turns.len() < MAX_TURNS
                    && let Ok(next) = inbox.try_recv()
                {
                    turns.push_back(next);
                }
                let mut turn = turns.pop_front().expect("there is one");
                if turn.step(threads) {
                    turns.push_back(turn);
                }
            }
        });
        Self { queue, gate, log, budgets }
    }
}

/// Lowers the priority of this thread and those it starts below what tables need.
fn come_last() {
    // Linux has priorities per thread. If the system refuses, jobs still pause at the gate.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

pub struct Jobs<Q: Question> {
    known: Mutex<BTreeMap<String, Arc<Job<Q>>>>,
    worker: Worker,
    host: Arc<Q::Host>,
}

impl<Q: Question> Jobs<Q> {
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
    pub fn ask(&self, plan: Q) -> std::result::Result<Arc<Job<Q>>, String> {
        let mut known = self.lock();
        let id = plan.name();
        if let Some(job) =
            known.get(&id).filter(|job| !matches!(job.lock().0, Stage::Stopped | Stage::Failed(_)))
        {
            return Ok(Arc::clone(job));
        }
        let starter = party::starter();
        let own = known.values().filter(|job| job.is_of(&starter.party) && job.is_running()).count();
        let most = Budgets::most_jobs(&starter.party);
        if own >= most {
            return Err(format!(
                "expected at most {most} runs or competitions at once of one visitor, found as many\nhint: stop one, or try again \
                 when some are done"
            ));
        }
        self.worker.budgets.spend(&starter.party, Budget::JobSeconds, 0.0)?;
        // Its previous result stays visible until there is a new one.
        let before = known.get(&id).and_then(|job| job.lock().1.clone());
        let job = Job::new(plan, self.worker.gate.clone(), starter);
        job.lock().1 = before;
        let job = Arc::new(job);
        let (log, budgets) = (self.worker.log.clone(), Arc::clone(&self.worker.budgets));
        let turn =
            Running { job: Arc::clone(&job), host: Arc::clone(&self.host), course: None, log, budgets };
        self.worker.queue.try_send(Box::new(turn)).map_err(|_| {
            format!("expected at most {MAX_WAITING} jobs to wait, found as many\nhint: try again when some are done")
        })?;
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

/// Drops a job that nobody uses.
fn make_room<Q>(known: &mut BTreeMap<String, Arc<Job<Q>>>) {
    if known.len() >= MAX_KEPT
        && let Some(id) = known.iter().find(|(_, job)| Arc::strong_count(job) == 1).map(|(id, _)| id.clone())
    {
        known.remove(&id);
    }
}
