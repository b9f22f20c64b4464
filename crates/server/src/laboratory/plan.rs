//! Plans of the laboratory's jobs: simulations, sweeps and designers' questions.
//!
//! A job plays growing runs that all start with the first episode. First figures thus appear at once.
//! Everything shown equals the command line's result for that number of episodes.

use meeple_balance::{
    Balance, BalanceOptions, BalanceReport, BalanceSummary, Detail, Rules, TablePayoff, grids,
    grids_of_effects, plots, plots_of_effects, sentences, sentences_of_effects, try_once, try_parameters,
};
use meeple_core::{AnyEntry, Replay, Seating};
use meeple_games::parse_game;
use meeple_lab::plots::{simulation_plots, sweep_plots};
use meeple_lab::report::{simulation_part, sweep_part};
use meeple_lab::{
    ColumnValues, EpisodeColumns, LabError, Run, SetUp, Simulation, Sweep, SweepOptions, simulate,
    simulate_keeping, sweep,
};
use serde::{Deserialize, Serialize};

use crate::jobs::job;
use crate::jobs::job::{AgentResult, EpisodeResult, JobQuestion, JobResult, Stage, Step};
use crate::laboratory::apart::SetUpProof;
use crate::limits::effort;

/// Upper bound on episodes of a job, over all cells of a sweep.
pub const MAX_EPISODES: u64 = 10_000_000;
/// Upper bound on agents of a designer's question. More agents would need more tables than a balance may
/// have.
const MAX_STRATEGIES: u64 = 200;
/// Episodes of the first run of a balance. Other jobs begin with one episode, because it may take minutes.
const FIRST_BALANCE_EPISODES: u64 = 500;
/// Growth factor of the number of episodes from run to run.
const GROWTH: u64 = 8;

pub type Job = job::Job<Plan>;
pub type Jobs = job::Jobs<Plan>;
pub type Keep = Box<dyn Fn(&Job, &JobResult) + Send + Sync>;

/// The kind of question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// The results of a line-up. Lists of values make it a sweep.
    #[default]
    Run,
    /// The balance of the game, from all agents that meet each other at tables of this size.
    Balance { seats: usize },
    /// The effect of each parameter of the rules, measured with the same agents.
    Parameters { seats: usize },
}

impl Ask {
    /// True for a run or a sweep.
    pub fn is_run(&self) -> bool {
        *self == Self::Run
    }
}

/// The plan of a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub game: String,
    /// Agents as on the command line. In questions other than runs, an empty list means all of the game's
    /// agents.
    pub line_up: Vec<String>,
    /// Parameters that differ from the preset. Values may be lists.
    pub settings: Vec<(String, String)>,
    /// The number of episodes: per cell in a sweep, and per value where parameters are tried.
    pub episodes: u64,
    pub seed: u64,
    /// True for deal groups: every deal is played from every seat.
    pub deals: bool,
    #[serde(default, skip_serializing_if = "Ask::is_run")]
    pub ask: Ask,
}

fn message(error: LabError) -> String {
    error.to_string()
}

impl Plan {
    /// True if an agent or a parameter has a list or range of values.
    pub fn is_sweep(&self) -> bool {
        let lists = |text: &str| text.contains("..") || text.contains('|');
        self.ask.is_run()
            && (self.line_up.iter().any(|word| lists(word))
                || self.settings.iter().any(|(_, value)| lists(value)))
    }

    pub fn title(&self) -> String {
        let who = if self.line_up.is_empty() {
            "all agents of the game".to_owned()
        } else {
            self.line_up.join(" ")
        };
        match self.ask {
            Ask::Run => format!("{}: {who}", self.game),
            Ask::Balance { .. } => format!("What {} is like: {who}", self.game),
            Ask::Parameters { .. } => format!("Which rules of {} matter: {who}", self.game),
        }
    }

    /// The equivalent command line.
    pub fn command(&self) -> String {
        let verb = match self.ask {
            Ask::Run if self.is_sweep() => "sweep",
            Ask::Run => "sim",
            _ => "balance",
        };
        let mut words = vec!["meeple".to_owned(), verb.to_owned(), self.game.clone()];
        words.extend(self.line_up.iter().cloned());
        words.extend(
            self.settings.iter().flat_map(|(name, value)| ["--set".to_owned(), format!("{name}={value}")]),
        );
        if let Ask::Balance { seats } | Ask::Parameters { seats } = self.ask {
            words.extend(["--seats".to_owned(), seats.to_string()]);
        }
        words.extend([
            "-n".to_owned(),
            self.episodes.to_string(),
            "--seed".to_owned(),
            self.seed.to_string(),
        ]);
        if self.deals {
            words.extend(["--seating".to_owned(), "deals".to_owned()]);
        }
        if matches!(self.ask, Ask::Parameters { .. }) {
            words.push("--parameters".to_owned());
        }
        job::command(&words)
    }

    /// Checks that the plan can be played. It sets games up and therefore takes [`SetUpProof`].
    pub fn check(&self, _: &SetUpProof) -> Result<(), String> {
        self.check_size()?;
        let all = match self.prepared()? {
            Prepared::One(_) => self.episodes,
            Prepared::Many(sweep) => self.episodes.saturating_mul(sweep.cells() as u64),
            Prepared::Balance(questions) => questions.balance(self.episodes, 1)?.episodes(),
            Prepared::Parameters(questions) => questions.parameters(self.episodes, 1)?.episodes(),
        };
        self.check_episodes(all)
    }

    fn check_episodes(&self, all: u64) -> Result<(), String> {
        if all > MAX_EPISODES {
            return Err(format!(
                "expected at most {MAX_EPISODES} episodes in all, found {all}\nhint: the command line has no such limit: {}",
                self.command()
            ));
        }
        Ok(())
    }

    /// Checks the numbers of cells, agents and episodes by the texts alone, before anything is set up.
    fn check_size(&self) -> Result<(), String> {
        if self.episodes == 0 {
            return Err("episodes: expected at least 1, found 0".to_owned());
        }
        let agents = self.line_up.iter().map(|word| min_cells(word));
        if self.ask.is_run() {
            let settings = self.settings.iter().map(|(_, value)| min_cells(value));
            return self.check_episodes(agents.chain(settings).fold(self.episodes, u64::saturating_mul));
        }
        let found = agents.fold(0, u64::saturating_add);
        if found > MAX_STRATEGIES {
            return Err(format!(
                "expected at most {MAX_STRATEGIES} agents, found {found}\nhint: choose larger steps, as in 1..100+5"
            ));
        }
        Ok(())
    }

    /// The sweep with all its cells set up. It sets games up and therefore takes [`SetUpProof`].
    pub fn sweep(&self, _: &SetUpProof) -> Result<Sweep, String> {
        match self.prepared()? {
            Prepared::Many(sweep) => Ok(sweep),
            _ => Err("expected a range in place of a number, found none\nhint: as 1..10 in name:1..10, or in a parameter".to_owned()),
        }
    }

    /// The plan of one cell of a sweep.
    pub fn cell(&self, sweep: &Sweep, index: usize) -> Self {
        let (_, line_up, settings) = sweep.cell(index);
        Self { line_up, settings: settings.to_vec(), ..self.clone() }
    }

    /// Replays an episode of a run. It sets a game up and therefore takes [`SetUpProof`].
    pub fn replay(&self, index: u64, _: &SetUpProof) -> Result<Replay, String> {
        if index >= self.episodes {
            return Err(format!("expected an episode below {}, found {index}", self.episodes));
        }
        match self.prepared()? {
            Prepared::One(set_up) => {
                meeple_lab::replay(&self.simulation(&set_up, self.episodes, 1), index).map_err(message)
            }
            _ => Err("expected a run, found many\nhint: each of its cells is one".to_owned()),
        }
    }

    fn simulation<'a>(&self, set_up: &'a SetUp, episodes: u64, threads: usize) -> Simulation<'a> {
        let (game, line_up) = (&*set_up.game, set_up.line_up.clone());
        Simulation { game, line_up, seed: self.seed, episodes, seating: self.seating(), threads }
    }

    fn prepared(&self) -> Result<Prepared, String> {
        // `@FILE` would read the server's files.
        let texts = self.line_up.iter().chain(self.settings.iter().map(|(_, value)| value));
        if let Some(text) = texts.into_iter().find(|text| text.contains('@')) {
            return Err(format!(
                "expected agents and values, found '{text}'\nhint: files cannot be named here"
            ));
        }
        let name = parse_game(&self.game).map_err(|error| error.to_string())?;
        let (entry, preset) = (name.entry, name.preset.map(str::to_owned));
        // Agents are checked before they are set up.
        effort::check_agents(entry, self.line_up.iter().map(String::as_str))?;
        let questions = |seats| {
            let (set, words) = (self.settings.clone(), self.line_up.clone());
            Questions { entry, preset: preset.clone(), set, words, seats, seed: self.seed }
        };
        Ok(match self.ask {
            Ask::Balance { seats } => Prepared::Balance(questions(seats)),
            Ask::Parameters { seats } => Prepared::Parameters(questions(seats)),
            Ask::Run if self.is_sweep() => Prepared::Many(
                Sweep::new(entry, name.preset, &self.settings, &self.line_up).map_err(message)?,
            ),
            Ask::Run => {
                Prepared::One(SetUp::new(entry, name.preset, &self.settings, &self.line_up).map_err(message)?)
            }
        })
    }

    fn seating(&self) -> Seating {
        if self.deals { Seating::DealGroups } else { Seating::default() }
    }
}

/// A lower bound on the number of cells that the ranges and lists in a word or setting make.
fn min_cells(text: &str) -> u64 {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let range = |part: &str| {
        let (first, rest) = part.rsplit('=').next()?.split_once("..")?;
        let (last, step) = rest.split_once('+').unwrap_or((rest, "1"));
        let (first, last, step) = (number(first)?, number(last)?, number(step)?);
        (step > 0.0).then_some(((last - first) / step) as u64)
    };
    // Malformed ranges are refused later.
    let ranges =
        text.split([':', ',', '*']).map(|part| range(part).map_or(1, |steps| steps.saturating_add(1)));
    // Lists of n and of m values have at least n + m - 1 cells.
    ranges.fold(1 + text.matches('|').count() as u64, u64::saturating_mul)
}

enum Prepared {
    One(SetUp),
    Many(Sweep),
    Balance(Questions),
    Parameters(Questions),
}

struct Questions {
    entry: &'static dyn AnyEntry,
    preset: Option<String>,
    set: Vec<(String, String)>,
    words: Vec<String>,
    seats: usize,
    seed: u64,
}

impl Questions {
    fn options(&self, episodes: u64, threads: usize) -> BalanceOptions {
        BalanceOptions { seats: self.seats, episodes, seed: self.seed, pay_off: TablePayoff::Win, threads }
    }

    fn balance(&self, episodes: u64, threads: usize) -> Result<Balance, String> {
        let options = self.options(episodes, threads);
        Balance::new(self.entry, self.preset.as_deref(), &self.set, &self.words, &options).map_err(message)
    }

    fn parameters(&self, episodes: u64, threads: usize) -> Result<meeple_balance::TrialPlan, String> {
        let rules = Rules { entry: self.entry, preset: self.preset.as_deref(), set: &self.set };
        meeple_balance::TrialPlan::of_parameters(rules, &self.words, &self.options(episodes, threads))
            .map_err(message)
    }
}

/// The progress of a job.
pub struct Course {
    prepared: Prepared,
    /// Episodes of the next run.
    episodes: u64,
    /// Results of the first episodes of a run.
    first: Vec<EpisodeResult>,
}

impl JobQuestion for Plan {
    type Course = Course;
    type Host = Keep;

    fn name(&self) -> String {
        job::name_of(&serde_json::to_string(self).expect("a plan is plain data"))
    }

    fn begin(job: &Job, _: &Keep) -> Result<Course, String> {
        let prepared = job.plan.prepared()?;
        // Episodes of the first run, per cell in a sweep.
        let episodes = match &prepared {
            Prepared::One(_) | Prepared::Many(_) | Prepared::Parameters(_) => 1,
            Prepared::Balance(_) => FIRST_BALANCE_EPISODES,
        };
        Ok(Course { prepared, episodes, first: Vec::new() })
    }

    fn step(job: &Job, course: &mut Course, _: &Keep, threads: usize) -> Step {
        let episodes = course.episodes.min(job.plan.episodes);
        match run(job, course, episodes, threads) {
            Err(wrong) => Step::Ended(Stage::Failed(wrong), None),
            Ok((result, true)) => {
                // An earlier run may have more episodes than the one that was stopped.
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

    fn ended(job: &Job, stage: &Stage, result: Option<&JobResult>, keep: &Keep) {
        if let (Stage::Done, Some(result)) = (stage, result) {
            keep(job, result);
        }
    }
}

/// Plays one run. The flag is true if the run was stopped.
fn run(job: &Job, course: &mut Course, episodes: u64, threads: usize) -> Result<(JobResult, bool), String> {
    let plan = &job.plan;
    let mut watch = job.watch_in_turns();
    let (command, files) = (plan.command(), format!("/lab/job/{}/plot/", job.id));
    let nothing = || Ok((JobResult::default(), true));
    match &course.prepared {
        Prepared::One(set_up) => {
            let simulation = plan.simulation(set_up, episodes, threads);
            let run = if (course.first.len() as u64) < episodes.min(MAX_LISTED_EPISODES as u64) {
                let (run, columns) = simulate_keeping(&simulation, &mut watch, &job.stop).map_err(message)?;
                course.first = first_episodes(&columns, simulation.game.info().filler);
                run
            } else {
                simulate(&simulation, &mut watch, &job.stop).map_err(message)?
            };
            if run.tally.episodes() == 0 {
                return nothing();
            }
            let plots = simulation_plots(&run).map_err(message)?;
            let part = simulation_part(&run, &plots, &command, &files);
            let (first, agents) = (course.first.clone(), agents(&run));
            let (episodes, json) = (run.tally.episodes(), run.to_json().to_string());
            Ok((JobResult { episodes, part, json, csv: String::new(), first, agents }, run.stopped))
        }
        Prepared::Many(cells) => {
            let options = SweepOptions { seed: plan.seed, episodes, seating: plan.seating(), threads };
            let swept = sweep(cells, &options, &mut watch, &job.stop).map_err(message)?;
            if swept.cells.is_empty() {
                return nothing();
            }
            let plots = sweep_plots(&swept).map_err(message)?;
            let part = sweep_part(&swept, &plots, &command, &files);
            // In a stopped sweep some cells are complete, so no single number of episodes applies.
            let episodes = if swept.stopped { 0 } else { episodes };
            let json = serde_json::to_string(&swept.timed()).expect("results are plain data with text keys");
            Ok((JobResult { episodes, part, json, ..JobResult::default() }, swept.stopped))
        }
        Prepared::Balance(questions) => {
            let balance = questions.balance(episodes, threads)?;
            let played = try_once(&balance, &mut watch, &job.stop, &mut |_, _, _| Ok(()));
            let Some(answers) = played.map_err(message)? else { return nothing() };
            let (sentences, plots) = (sentences(&answers), plots(&answers).map_err(message)?);
            let grids = grids(&answers, Detail::Full);
            let report = BalanceReport {
                answers: &answers,
                sentences: &sentences,
                grids,
                plots: &plots,
                command: &command,
            };
            let part = report.part(&files);
            let json = json(&BalanceSummary { answers: &answers, sentences: &sentences });
            Ok((JobResult { episodes: answers.episodes, part, json, ..JobResult::default() }, false))
        }
        Prepared::Parameters(questions) => {
            let tried = questions.parameters(episodes, threads)?;
            let played = try_parameters(&tried, &mut watch, &job.stop, &mut |_, _, _| Ok(()));
            let Some(effects) = played.map_err(message)? else { return nothing() };
            let (sentences, plots) =
                (sentences_of_effects(&effects), plots_of_effects(&effects).map_err(message)?);
            let grids = grids_of_effects(&effects, Detail::Full);
            let report = BalanceReport {
                answers: &effects.base,
                sentences: &sentences,
                grids,
                plots: &plots,
                command: &command,
            };
            let part = report.part(&files);
            let json = json(&BalanceSummary { answers: &effects, sentences: &sentences });
            Ok((JobResult { episodes: tried.episodes(), part, json, ..JobResult::default() }, false))
        }
    }
}

fn json(summary: &impl Serialize) -> String {
    serde_json::to_string(summary).expect("answers are plain data with text keys")
}

fn agents(run: &Run) -> Vec<AgentResult> {
    let result = |agent: &meeple_lab::AgentSummary| AgentResult {
        name: agent.name.clone(),
        share: agent.results.win_share,
        share_ci: agent.results.win_share_ci,
        mean: agent.results.mean_score,
        mean_ci: agent.results.mean_score_ci,
    };
    run.summary.agents.iter().map(result).collect()
}

/// Upper bound on episodes that are listed individually.
const MAX_LISTED_EPISODES: usize = 100;
/// Upper bound on listed seats per episode.
const MAX_SEATS: usize = 8;

/// Results of the first episodes, without agents that only fill seats.
fn first_episodes(columns: &EpisodeColumns, filler: Option<&str>) -> Vec<EpisodeResult> {
    let column = |name: &str| columns.columns.iter().find(|(own, _)| own == name).map(|(_, values)| values);
    let number = |name: &str, row: usize| match column(name) {
        Some(ColumnValues::Whole(values)) => values[row],
        Some(ColumnValues::Small(values)) => values[row].into(),
        _ => 0,
    };
    let rows = match column("episode") {
        Some(ColumnValues::Whole(episodes)) => episodes.len(),
        _ => 0,
    };
    let mut first: Vec<EpisodeResult> = Vec::new();
    for row in 0..rows {
        let index = number("episode", row) as usize;
        if index >= MAX_LISTED_EPISODES {
            break;
        }
        if index == first.len() {
            first.push(EpisodeResult { seats: Vec::new(), length: number("length", row) as u64 });
        }
        let who = match column("agent") {
            Some(ColumnValues::Words(places, words)) => words[places[row] as usize].clone(),
            _ => String::new(),
        };
        let seats = &mut first[index].seats;
        if seats.len() < MAX_SEATS && filler != Some(&*who) {
            seats.push((who, number("place", row) as u32, number("score", row)));
        }
    }
    first
}
