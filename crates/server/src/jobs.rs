//! The laboratory's questions: simulations and sweeps that a page has asked for.
//!
//! Each is played in growing runs from the first episode on, so that there are figures at once and everything shown is what the
//! command line gives for so many episodes.

use meeple_core::Seating;
use meeple_games::parse_game;
use meeple_lab::plots::{simulation_plots, sweep_plots};
use meeple_lab::report::{simulation_part, sweep_part};
use meeple_lab::{SetUp, Simulation, Sweep, SweepOptions, simulate, sweep};
use serde::{Deserialize, Serialize};

use crate::work::{self, Question, Result, Stage, Step};

/// The most episodes of a job, over all cells of a sweep.
pub const MOST_EPISODES: u64 = 10_000_000;
/// Episodes of the first run; each further one has so many times more.
const FIRST: u64 = 500;
const GROWTH: u64 = 8;

/// A run of the laboratory.
pub type Job = work::Job<Plan>;
/// All of them.
pub type Jobs = work::Jobs<Plan>;
/// Takes what came out of one that is done.
pub type Keep = Box<dyn Fn(&Job, &Result) + Send + Sync>;

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
        work::command(&words)
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

/// How far the runs of a job are.
pub struct Course {
    prepared: Prepared,
    /// Episodes of the next run.
    episodes: u64,
}

impl Question for Plan {
    type Course = Course;
    type Host = Keep;

    fn name(&self) -> String {
        work::name_of(&serde_json::to_string(self).expect("a plan is plain data"))
    }

    fn begin(job: &Job, _: &Keep) -> std::result::Result<Course, String> {
        let prepared = job.plan.prepared()?;
        // Of every cell; a sweep begins with less.
        let episodes = match &prepared {
            Prepared::One(_) => FIRST,
            Prepared::Many(_) => FIRST / GROWTH,
        };
        Ok(Course { prepared, episodes })
    }

    fn step(job: &Job, course: &mut Course, _: &Keep, threads: usize) -> Step {
        let episodes = course.episodes.min(job.plan.episodes);
        match run(job, &course.prepared, episodes, threads) {
            Err(wrong) => Step::Ended(Stage::Failed(wrong), None),
            Ok((result, true)) => {
                // An earlier run may have come further than the one that was stopped.
                let better = !job.has_shown(result.episodes);
                Step::Ended(Stage::Stopped, better.then_some(result))
            }
            Ok((result, false)) if episodes == job.plan.episodes => Step::Ended(Stage::Done, Some(result)),
            Ok((result, false)) => {
                job.show(Stage::Playing, Some(result));
                course.episodes = course.episodes.saturating_mul(GROWTH);
                Step::More
            }
        }
    }

    fn ended(job: &Job, stage: &Stage, result: Option<&Result>, keep: &Keep) {
        if let (Stage::Done, Some(result)) = (stage, result) {
            keep(job, result);
        }
    }
}

/// One run, and whether it was stopped.
fn run(
    job: &Job,
    prepared: &Prepared,
    episodes: u64,
    threads: usize,
) -> std::result::Result<(Result, bool), String> {
    let (seed, seating) = (job.plan.seed, job.plan.seating());
    let mut watch = job.watch(0);
    let command = job.plan.command();
    let wrong = |error: meeple_lab::LabError| error.to_string();
    match prepared {
        Prepared::One(set_up) => {
            let (game, line_up) = (&*set_up.game, set_up.line_up.clone());
            let simulation = Simulation { game, line_up, seed, episodes, seating, threads };
            let run = simulate(&simulation, &mut watch, &job.stop).map_err(wrong)?;
            if run.tally.episodes() == 0 {
                return Ok((Result::default(), true));
            }
            let plots = simulation_plots(&run).map_err(wrong)?;
            let part = simulation_part(&run, &plots, &command);
            let (episodes, json) = (run.tally.episodes(), run.to_json().to_string());
            Ok((Result { episodes, part, json, csv: String::new() }, run.stopped))
        }
        Prepared::Many(plan) => {
            let options = SweepOptions { seed, episodes, seating, threads };
            let swept = sweep(plan, &options, &mut watch, &job.stop).map_err(wrong)?;
            if swept.cells.is_empty() {
                return Ok((Result::default(), true));
            }
            let plots = sweep_plots(&swept).map_err(wrong)?;
            let part = sweep_part(&swept, &plots, &command);
            // Of a sweep that was stopped some cells have all.
            let episodes = if swept.stopped { 0 } else { episodes };
            let json = serde_json::to_string(&swept.timed()).expect("results are plain data with text keys");
            Ok((Result { episodes, part, json, csv: String::new() }, swept.stopped))
        }
    }
}
