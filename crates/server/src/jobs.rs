//! The laboratory's work: simulations and sweeps that a page has asked for.
//!
//! One thread plays them one after another, on all cores but one. Each is played in growing runs from the first episode on, so
//! that there are figures at once and everything shown is what the command line gives for so many episodes. The same question
//! is answered once: a job's name is made from its plan, and what came out is stored.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use meeple_core::Seating;
use meeple_games::parse_game;
use meeple_lab::plots::{simulation_plots, sweep_plots};
use meeple_lab::report::{simulation_part, sweep_part};
use meeple_lab::{Progress, SetUp, Simulation, StopFlag, Sweep, SweepOptions, simulate, sweep};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::key;

/// The most episodes of a job, over all cells of a sweep.
pub const MOST_EPISODES: u64 = 10_000_000;
/// The most jobs that wait.
const MOST_WAITING: usize = 20;
/// The most jobs that are kept in memory.
const MOST_KEPT: usize = 200;
/// Episodes of the first run; each further one has so many times more.
const FIRST: u64 = 500;
const GROWTH: u64 = 8;
/// Who watches is told how far it is so often.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// What is played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// `game/preset`.
    pub game: String,
    /// Agents, or lists of them, as on the command line.
    pub line_up: Vec<String>,
    /// Parameters that differ from the preset, or lists of values.
    pub settings: Vec<(String, String)>,
    /// Episodes, of every cell in a sweep.
    pub episodes: u64,
    /// The root seed.
    pub seed: u64,
    /// Whether all play the same deals from every seat.
    pub deals: bool,
}

/// What there is to see.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Result {
    /// Episodes it comes from.
    pub episodes: u64,
    /// Tables and plots, as HTML.
    pub part: String,
    /// As `sim --json` and `sweep --json` print it.
    pub json: String,
}

/// How far a job is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Others are before it.
    Waiting,
    /// It is being played.
    Playing,
    /// It is done.
    Done,
    /// It was stopped; what had been played is kept.
    Stopped,
    /// It could not be played.
    Failed(String),
}

/// A job.
pub struct Job {
    /// Its name in addresses.
    pub id: String,
    /// What is played.
    pub plan: Plan,
    stop: StopFlag,
    done: AtomicU64,
    seen: Mutex<(Stage, Option<Arc<Result>>)>,
    changed: watch::Sender<u64>,
}

impl Plan {
    /// Whether one or two parameters have many values.
    pub fn is_sweep(&self) -> bool {
        let lists = |text: &str| text.contains("..") || text.contains('|');
        self.line_up.iter().any(|word| lists(word)) || self.settings.iter().any(|(_, value)| lists(value))
    }

    /// The command that does the same.
    pub fn command(&self) -> String {
        let verb = if self.is_sweep() { "sweep" } else { "sim" };
        let mut words = vec!["meeple".to_owned(), verb.to_owned(), self.game.clone()];
        words.extend(self.line_up.iter().cloned());
        words.extend(
            self.settings.iter().flat_map(|(name, value)| ["--set".to_owned(), format!("{name}={value}")]),
        );
        words.extend([
            "-n".to_owned(),
            self.episodes.to_string(),
            "--seed".to_owned(),
            self.seed.to_string(),
        ]);
        if self.deals {
            words.extend(["--seating".to_owned(), "deals".to_owned()]);
        }
        let words: Vec<String> = words
            .iter()
            .map(|word| shlex::try_quote(word).map_or_else(|_| word.clone(), |word| word.into_owned()))
            .collect();
        words.join(" ")
    }

    /// The same plan has the same name, on every server.
    pub fn name(&self) -> String {
        let text = serde_json::to_string(self).expect("a plan is plain data");
        key::hash(&format!("{} {text}", env!("CARGO_PKG_VERSION")))[..10]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Whether it can be played.
    ///
    /// # Errors
    /// What is wrong, for people.
    pub fn check(&self) -> std::result::Result<(), String> {
        if self.episodes == 0 {
            return Err("episodes: expected at least 1, found 0".to_owned());
        }
        let cells = match self.prepared()? {
            Prepared::One(_) => 1,
            Prepared::Many(sweep) => sweep.cells() as u64,
        };
        let all = self.episodes.saturating_mul(cells);
        if all > MOST_EPISODES {
            return Err(format!(
                "expected at most {MOST_EPISODES} episodes in all, found {all}\nhint: the command line has no such limit: {}",
                self.command()
            ));
        }
        Ok(())
    }

    fn prepared(&self) -> std::result::Result<Prepared, String> {
        // A `@FILE` would read the server's files.
        let texts = self.line_up.iter().chain(self.settings.iter().map(|(_, value)| value));
        if let Some(text) = texts.into_iter().find(|text| text.contains('@')) {
            return Err(format!(
                "expected agents and values, found '{text}'\nhint: files cannot be named here"
            ));
        }
        let name = parse_game(&self.game).map_err(|error| error.to_string())?;
        let wrong = |error: meeple_lab::LabError| error.to_string();
        Ok(if self.is_sweep() {
            Prepared::Many(Sweep::new(name.entry, name.preset, &self.settings, &self.line_up).map_err(wrong)?)
        } else {
            Prepared::One(SetUp::new(name.entry, name.preset, &self.settings, &self.line_up).map_err(wrong)?)
        })
    }

    fn seating(&self) -> Seating {
        if self.deals { Seating::DealGroups } else { Seating::default() }
    }
}

enum Prepared {
    One(SetUp),
    Many(Sweep),
}

impl Job {
    fn new(plan: Plan) -> Self {
        Self {
            id: plan.name(),
            plan,
            stop: StopFlag::new(),
            done: AtomicU64::new(0),
            seen: Mutex::new((Stage::Waiting, None)),
            changed: watch::Sender::new(0),
        }
    }

    /// A job that was done when the server was another process.
    pub fn stored(plan: Plan, result: Result) -> Self {
        let job = Self::new(plan);
        *job.lock() = (Stage::Done, Some(Arc::new(result)));
        job
    }

    /// How far it is: its stage, episodes of the run that is being played, and what there is to see.
    pub fn seen(&self) -> (Stage, u64, Option<Arc<Result>>) {
        let (stage, result) = self.lock().clone();
        (stage, self.done.load(Ordering::Relaxed), result)
    }

    /// Stops it; what was played is kept.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Tells whenever there is something new.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Counts what there was to tell.
    pub fn version(&self) -> u64 {
        *self.changed.borrow()
    }

    fn lock(&self) -> MutexGuard<'_, (Stage, Option<Arc<Result>>)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, stage: Stage, result: Option<Result>) {
        let mut seen = self.lock();
        seen.0 = stage;
        if let Some(result) = result {
            seen.1 = Some(Arc::new(result));
        }
        drop(seen);
        self.changed.send_modify(|count| *count += 1);
    }

    /// Plays it, in growing runs. How it ended, and what is to be shown then if that is something new.
    fn play(&self, threads: usize) -> (Stage, Option<Result>) {
        if self.stop.is_stopped() {
            return (Stage::Stopped, None);
        }
        self.show(Stage::Playing, None);
        let prepared = match self.plan.prepared() {
            Ok(prepared) => prepared,
            Err(wrong) => return (Stage::Failed(wrong), None),
        };
        // Of every cell; a sweep begins with less.
        let mut episodes = match &prepared {
            Prepared::One(_) => FIRST,
            Prepared::Many(_) => FIRST / GROWTH,
        };
        loop {
            episodes = episodes.min(self.plan.episodes);
            match self.run(&prepared, episodes, threads) {
                Err(wrong) => return (Stage::Failed(wrong), None),
                Ok((result, true)) => {
                    // An earlier run may have come further than the one that was stopped.
                    let better = self.lock().1.as_ref().is_none_or(|seen| seen.episodes < result.episodes);
                    return (Stage::Stopped, better.then_some(result));
                }
                Ok((result, false)) if episodes == self.plan.episodes => {
                    return (Stage::Done, Some(result));
                }
                Ok((result, false)) => self.show(Stage::Playing, Some(result)),
            }
            episodes = episodes.saturating_mul(GROWTH);
        }
    }

    /// One run, and whether it was stopped.
    fn run(
        &self,
        prepared: &Prepared,
        episodes: u64,
        threads: usize,
    ) -> std::result::Result<(Result, bool), String> {
        let (seed, seating) = (self.plan.seed, self.plan.seating());
        let mut watch = Watch { job: self, told: Instant::now() };
        let command = self.plan.command();
        let wrong = |error: meeple_lab::LabError| error.to_string();
        match prepared {
            Prepared::One(set_up) => {
                let (game, line_up) = (&*set_up.game, set_up.line_up.clone());
                let simulation = Simulation { game, line_up, seed, episodes, seating, threads };
                let run = simulate(&simulation, &mut watch, &self.stop).map_err(wrong)?;
                if run.tally.episodes() == 0 {
                    return Ok((Result::default(), true));
                }
                let plots = simulation_plots(&run).map_err(wrong)?;
                let part = simulation_part(&run, &plots, &command);
                let result = Result { episodes: run.tally.episodes(), part, json: run.to_json().to_string() };
                Ok((result, run.stopped))
            }
            Prepared::Many(plan) => {
                let options = SweepOptions { seed, episodes, seating, threads };
                let swept = sweep(plan, &options, &mut watch, &self.stop).map_err(wrong)?;
                if swept.cells.is_empty() {
                    return Ok((Result::default(), true));
                }
                let plots = sweep_plots(&swept).map_err(wrong)?;
                let part = sweep_part(&swept, &plots, &command);
                // Of a sweep that was stopped some cells have all.
                let counted = if swept.stopped { 0 } else { episodes };
                Ok((
                    Result {
                        episodes: counted,
                        part,
                        json: serde_json::to_string(&swept.timed())
                            .expect("results are plain data with text keys"),
                    },
                    swept.stopped,
                ))
            }
        }
    }
}

struct Watch<'a> {
    job: &'a Job,
    told: Instant,
}

impl Progress for Watch<'_> {
    fn update(&mut self, done: u64, _total: u64, _label: &str) {
        self.job.done.store(done, Ordering::Relaxed);
        if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            self.job.changed.send_modify(|count| *count += 1);
        }
    }
}

/// All jobs, and the thread that plays them.
pub struct Jobs {
    known: Mutex<BTreeMap<String, Arc<Job>>>,
    queue: mpsc::SyncSender<Arc<Job>>,
}

impl Jobs {
    /// With the thread begun; `finished` is called on it with every job that is done, before anybody is told.
    pub fn begin(finished: impl Fn(&Job, &Result) + Send + 'static) -> Self {
        let (queue, inbox) = mpsc::sync_channel::<Arc<Job>>(MOST_WAITING);
        let threads =
            std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
        std::thread::spawn(move || {
            while let Ok(job) = inbox.recv() {
                let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job.play(threads)));
                let fault = || Stage::Failed("a fault of meeple's own\nhint: please report it".to_owned());
                let (stage, result) = played.unwrap_or_else(|_| (fault(), None));
                // Whoever is told that it is done finds it again.
                if let (Stage::Done, Some(result)) = (&stage, &result) {
                    finished(&job, result);
                }
                job.show(stage, result);
            }
        });
        Self { known: Mutex::default(), queue }
    }

    /// The job of this name, if it is in memory.
    pub fn find(&self, id: &str) -> Option<Arc<Job>> {
        self.lock().get(id).cloned()
    }

    /// Takes a job that is done into memory.
    pub fn keep(&self, job: Job) -> Arc<Job> {
        let job = Arc::new(job);
        let mut known = self.lock();
        make_room(&mut known);
        known.insert(job.id.clone(), Arc::clone(&job));
        job
    }

    /// The job of this plan: the one there is, or a new one. One that was stopped or has failed begins anew.
    ///
    /// # Errors
    /// If too many wait.
    pub fn ask(&self, plan: Plan) -> std::result::Result<Arc<Job>, String> {
        let mut known = self.lock();
        let id = plan.name();
        if let Some(job) =
            known.get(&id).filter(|job| !matches!(job.lock().0, Stage::Stopped | Stage::Failed(_)))
        {
            return Ok(Arc::clone(job));
        }
        let job = Arc::new(Job::new(plan));
        self.queue.try_send(Arc::clone(&job)).map_err(|_| {
            format!("expected at most {MOST_WAITING} jobs to wait, found as many\nhint: try again when some are done")
        })?;
        make_room(&mut known);
        known.insert(id, Arc::clone(&job));
        Ok(job)
    }

    /// Stops whatever is played or waits.
    pub fn stop(&self) {
        self.lock().values().for_each(|job| job.stop());
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Job>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets one that nobody plays or looks at.
fn make_room(known: &mut BTreeMap<String, Arc<Job>>) {
    if known.len() >= MOST_KEPT
        && let Some(id) = known.iter().find(|(_, job)| Arc::strong_count(job) == 1).map(|(id, _)| id.clone())
    {
        known.remove(&id);
    }
}
