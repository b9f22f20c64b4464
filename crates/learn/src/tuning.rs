//! Tuning of agents' parameters by their results.

use meeple_core::{AgentSpec, AnyEntry, AnyGame, Domain, EpisodeSeed, ParamSpec, Seat, Seating, Stream};
use meeple_lab::{LineUp, NoProgress, Simulation, StopFlag, simulate};
use serde::Deserialize;

use crate::cma::Cma;
use crate::error::LearnError;
use crate::ntbea::Ntbea;

/// Initial step size, in units of [`Scale`].
const FIRST_SIGMA: f64 = 0.3;

/// NTBEA's values of a number, in units of [`Scale`]; 0 is the initial one.
const GRID: [f64; 7] = [-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TuningMethod {
    /// CMA-ES, for numbers.
    #[default]
    Cma,
    /// NTBEA, for numbers (seven values each), switches and choices; one candidate per generation with few
    /// episodes.
    Ntbea,
}

#[derive(Clone, Debug)]
pub struct Tuning {
    /// The agent to tune; parameters that its spec gives are not tuned.
    pub agent: AgentSpec,
    pub method: TuningMethod,
    /// Parameters to tune; if empty, all that the method can tune and that the agent's spec does not give.
    pub only: Vec<String>,
    /// Opponents, each of which has all other seats in turn; the agent itself if empty.
    pub against: Vec<String>,
    pub generations: u32,
    /// Episodes of a candidate against all opponents together.
    pub episodes: u64,
    pub final_episodes: u64,
    pub seed: u64,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
}

/// A numeric parameter, scaled so that useful steps are about 1.
#[derive(Clone, Debug)]
struct Scale {
    param: ParamSpec,
    low: f64,
    high: f64,
    initial: f64,
    whole: bool,
}

impl Scale {
    fn new(param: ParamSpec) -> Option<Self> {
        let (low, high, whole) = match param.domain {
            Domain::Int { min, max } => (min as f64, max as f64, true),
            Domain::Real { min, max } => (min, max, false),
            _ => return None,
        };
        let initial = param.default.parse().ok()?;
        Some(Self { param, low, high, initial, whole })
    }

    /// The value at `place` units from the initial one. Units are multiplicative for positive initial values;
    /// they are additive for others, and for real numbers up to 1.
    fn text(&self, place: f64) -> String {
        let value = if self.high <= 1.0 && !self.whole {
            self.initial + place * (self.high - self.low) / 2.0
        } else if self.initial > 0.0 {
            self.initial * place.clamp(-50.0, 50.0).exp()
        } else {
            self.initial + place * (self.high - self.low) * 0.02
        };
        let value = value.clamp(self.low, self.high);
        // Three digits suffice: no tournament distinguishes more.
        if self.whole { format!("{}", value.round()) } else { rounded(value, self.low, self.high) }
    }
}

/// A number with three digits, within the bounds.
fn rounded(value: f64, low: f64, high: f64) -> String {
    let short: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    format!("{}", short.clamp(low, high))
}

/// A share of the win, or a lone player's score, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitnessEstimate {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TuningResult {
    pub agent: AgentSpec,
    /// By opponent, the tuned and the original agent on the same held-out deals.
    pub compared: Vec<(String, FitnessEstimate, FitnessEstimate)>,
    pub generations: u32,
}

/// Tunes an agent. `each` gets the number of a generation, its mean fitness, and the best agent so far.
///
/// # Errors
/// If there is nothing to tune, or a player cannot play.
pub fn tune(
    entry: &dyn AnyEntry,
    game: &dyn AnyGame,
    tuning: &Tuning,
    stop: &StopFlag,
    mut each: impl FnMut(u32, f64, &AgentSpec),
) -> Result<TuningResult, LearnError> {
    let mut search = Search::new(entry, tuning)?;
    let own = [tuning.agent.to_string()];
    let against = if tuning.against.is_empty() { &own[..] } else { &tuning.against };
    let episodes = (tuning.episodes / against.len() as u64).max(1);
    let mut draws = EpisodeSeed::new(!tuning.seed, 0).agent(Seat::new(2));
    let mut done = 0;
    while done < tuning.generations && !stop.is_stopped() {
        let candidates = search.ask(&mut draws);
        // All candidates of a generation play the same deals; every generation has others.
        let seed = draws.bits() >> 2;
        let mut fitness = Vec::new();
        for candidate in &candidates {
            let mut sum = 0.0;
            for opponent in against {
                sum += evaluate(game, candidate, opponent, episodes, seed, tuning.threads)?.mean;
            }
            fitness.push(sum / against.len() as f64);
        }
        search.tell(&fitness);
        done += 1;
        each(done, fitness.iter().sum::<f64>() / fitness.len() as f64, &search.best());
    }
    let tuned = search.best();
    let held_out = tuning.seed ^ (1 << 62);
    let compare = |opponent: &String| {
        let of = |agent| evaluate(game, agent, opponent, tuning.final_episodes, held_out, tuning.threads);
        Ok((opponent.clone(), of(&tuned)?, of(&tuning.agent)?))
    };
    let compared = against.iter().map(compare).collect::<Result<_, LearnError>>()?;
    Ok(TuningResult { agent: tuned, compared, generations: done })
}

struct Search<'t> {
    agent: &'t AgentSpec,
    names: Vec<&'static str>,
    optimiser: Optimiser,
}

enum Optimiser {
    Cma { scales: Vec<Scale>, cma: Cma, asked: Vec<Vec<f64>> },
    Ntbea { values: Vec<Vec<String>>, ntbea: Ntbea, asked: Vec<usize> },
}

impl<'t> Search<'t> {
    fn new(entry: &dyn AnyEntry, tuning: &'t Tuning) -> Result<Self, LearnError> {
        let (names, optimiser) = match tuning.method {
            TuningMethod::Cma => {
                let scales = wanted(entry, tuning, "a number", |param| Scale::new(param.clone()))?;
                let names = scales.iter().map(|scale| scale.param.name).collect();
                let cma = Cma::new(vec![0.0; scales.len()], FIRST_SIGMA);
                (names, Optimiser::Cma { scales, cma, asked: Vec::new() })
            }
            TuningMethod::Ntbea => {
                let grids = wanted(entry, tuning, "a number, a switch or a choice", Grid::new)?;
                let names = grids.iter().map(|grid| grid.name).collect();
                let sizes = grids.iter().map(|grid| grid.values.len()).collect();
                let initial: Vec<usize> = grids.iter().map(|grid| grid.initial).collect();
                let ntbea = Ntbea::new(sizes, initial.clone());
                let values = grids.into_iter().map(|grid| grid.values).collect();
                (names, Optimiser::Ntbea { values, ntbea, asked: initial })
            }
        };
        Ok(Self { agent: &tuning.agent, names, optimiser })
    }

    fn ask(&mut self, draws: &mut Stream) -> Vec<AgentSpec> {
        match &mut self.optimiser {
            Optimiser::Cma { cma, asked, .. } => *asked = cma.ask(draws),
            Optimiser::Ntbea { ntbea, asked, .. } => *asked = ntbea.ask(draws),
        }
        match &self.optimiser {
            Optimiser::Cma { asked, .. } => asked.iter().map(|place| self.at(place)).collect(),
            Optimiser::Ntbea { asked, .. } => vec![self.choosing(asked)],
        }
    }

    fn tell(&mut self, fitness: &[f64]) {
        match &mut self.optimiser {
            Optimiser::Cma { cma, asked, .. } => cma.tell(asked, fitness),
            Optimiser::Ntbea { ntbea, asked, .. } => ntbea.tell(asked, fitness[0]),
        }
    }

    fn best(&self) -> AgentSpec {
        match &self.optimiser {
            Optimiser::Cma { cma, .. } => self.at(cma.mean()),
            Optimiser::Ntbea { ntbea, .. } => self.choosing(&ntbea.best()),
        }
    }

    fn at(&self, place: &[f64]) -> AgentSpec {
        let Optimiser::Cma { scales, .. } = &self.optimiser else { unreachable!("numbers are CMA-ES's") };
        self.with(scales.iter().zip(place).map(|(scale, place)| scale.text(*place)))
    }

    fn choosing(&self, choices: &[usize]) -> AgentSpec {
        let Optimiser::Ntbea { values, .. } = &self.optimiser else { unreachable!("choices are NTBEA's") };
        self.with(values.iter().zip(choices).map(|(values, choice)| values[*choice].clone()))
    }

    fn with(&self, values: impl Iterator<Item = String>) -> AgentSpec {
        let tuned = self.names.iter().zip(values).map(|(name, value)| format!("{name}={value}"));
        // Given arguments come first: they may be positional.
        let given = Some(self.agent.arguments.clone()).filter(|given| !given.is_empty());
        let arguments: Vec<String> = given.into_iter().chain(tuned).collect();
        AgentSpec { name: self.agent.name.clone(), arguments: arguments.join(",") }
    }
}

/// NTBEA's values of a parameter.
struct Grid {
    name: &'static str,
    values: Vec<String>,
    initial: usize,
}

impl Grid {
    /// The values of a parameter; `None` for one of another kind, or with a single value.
    fn new(param: &ParamSpec) -> Option<Self> {
        let mut values: Vec<String> = match param.domain {
            Domain::Switch => ["off", "on"].map(str::to_owned).to_vec(),
            Domain::Choice(words) | Domain::ChoiceOrFile(words) => {
                words.iter().map(|word| (*word).to_owned()).collect()
            }
            _ => {
                let scale = Scale::new(param.clone())?;
                GRID.iter().map(|place| scale.text(*place)).collect()
            }
        };
        // Rounded whole numbers and values at a bound may coincide.
        values.dedup();
        let default = match Scale::new(param.clone()) {
            Some(scale) => scale.text(0.0),
            None => param.default.clone(),
        };
        let initial = values.iter().position(|value| *value == default)?;
        (values.len() > 1).then_some(Self { name: param.name, values, initial })
    }
}

/// The parameters to tune, among those that `read` accepts.
fn wanted<T>(
    entry: &dyn AnyEntry,
    tuning: &Tuning,
    kind: &str,
    read: impl Fn(&ParamSpec) -> Option<T>,
) -> Result<Vec<T>, LearnError> {
    let agents = entry.agents();
    let name = &tuning.agent.name;
    let doc = agents.into_iter().find(|doc| doc.name == name);
    let doc =
        doc.ok_or_else(|| LearnError::Plan(format!("unknown agent '{name}'\nhint: `meeple agents GAME`")))?;
    let given = tuning.agent.arguments(&doc.params).map_err(|error| LearnError::Plan(error.to_string()))?;
    let given: Vec<&str> = given.iter().map(|argument| argument.param.name).collect();
    let mut tunable: Vec<(&str, T)> =
        doc.params.iter().filter_map(|param| Some((param.name, read(param)?))).collect();
    for wanted in &tuning.only {
        if tunable.iter().all(|(name, _)| name != wanted) || given.contains(&wanted.as_str()) {
            let names = tunable.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            return Err(LearnError::Plan(format!(
                "expected a parameter of {name} that is {kind} and not given, found '{wanted}'\nhint: it has {names}"
            )));
        }
    }
    tunable.retain(|(name, _)| {
        !given.contains(name) && (tuning.only.is_empty() || tuning.only.iter().any(|only| only == name))
    });
    if tunable.is_empty() {
        return Err(LearnError::Plan(format!(
            "{name} has no {} that could be tuned and is not given",
            &kind[2..]
        )));
    }
    Ok(tunable.into_iter().map(|(_, read)| read).collect())
}

/// Plays `agent` against `opponent` at all other seats.
fn evaluate(
    game: &dyn AnyGame,
    agent: &AgentSpec,
    opponent: &str,
    episodes: u64,
    seed: u64,
    threads: usize,
) -> Result<FitnessEstimate, LearnError> {
    let mut words = vec![agent.to_string()];
    words.extend((1..game.seats()).map(|_| opponent.to_owned()));
    let line_up = LineUp::parse(&words)?;
    let simulation = Simulation { game, line_up, seed, episodes, seating: Seating::DealGroups, threads };
    simulation.check()?;
    let results =
        simulate(&simulation, &mut NoProgress, &StopFlag::new())?.summary.agents.swap_remove(0).results;
    Ok(if game.seats() == 1 {
        let [low, high] = results.mean_score_ci.unwrap_or([results.mean_score; 2]);
        FitnessEstimate { mean: results.mean_score, low, high }
    } else {
        let [low, high] = results.win_share_ci;
        FitnessEstimate { mean: results.win_share, low, high }
    })
}
