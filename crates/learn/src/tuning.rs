//! Parameters of agents, tuned by what they win.

use meeple_core::{AgentSpec, AnyEntry, AnyGame, Domain, EpisodeSeed, ParamSpec, Seat, Seating, Stream};
use meeple_lab::{LineUp, NoProgress, Simulation, StopFlag, simulate};
use serde::Deserialize;

use crate::cma::Cma;
use crate::error::LearnError;
use crate::ntbea::Ntbea;

/// How far the first candidates are from where it begins, in the units of [`Scale`].
const FIRST_SIGMA: f64 = 0.3;

/// Values of a number among which NTBEA chooses, in the units of [`Scale`]: the middle one is where it begins.
const GRID: [f64; 7] = [-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2];

/// How the best is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// CMA-ES: a cloud of candidates, for numbers.
    #[default]
    Cma,
    /// NTBEA: one candidate after the other, for numbers (seven values each), switches and choices, with few episodes each.
    Ntbea,
}

/// What is tuned, and how.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The agent; what its text gives is kept as it is.
    pub agent: AgentSpec,
    /// How the best is looked for.
    pub method: Method,
    /// Its parameters that are tuned; all that the method can tune and that are not given, if empty.
    pub only: Vec<String>,
    /// Whom candidates meet, each of them alone at all other seats. The agent itself if empty.
    pub against: Vec<String>,
    /// Generations of candidates; of one each with NTBEA.
    pub generations: u32,
    /// Episodes of a candidate, against everybody together.
    pub episodes: u64,
    /// Episodes of the final comparison.
    pub final_episodes: u64,
    /// The root seed.
    pub seed: u64,
    /// Threads that play; 0 for one per core.
    pub threads: usize,
}

/// A parameter that is tuned: numbers of any size become numbers of about 1.
#[derive(Clone, Debug)]
struct Scale {
    param: ParamSpec,
    low: f64,
    high: f64,
    /// Where it begins.
    begin: f64,
    whole: bool,
}

impl Scale {
    fn new(param: ParamSpec) -> Option<Self> {
        let (low, high, whole) = match param.domain {
            Domain::Int { min, max } => (min as f64, max as f64, true),
            Domain::Real { min, max } => (min, max, false),
            _ => return None,
        };
        let begin = param.default.parse().ok()?;
        Some(Self { param, low, high, begin, whole })
    }

    /// The parameter's text at `place` units from where it begins: shares of 1 by addition, other numbers by factors.
    fn text(&self, place: f64) -> String {
        let value = if self.high <= 1.0 && !self.whole {
            self.begin + place * (self.high - self.low) / 2.0
        } else if self.begin > 0.0 {
            self.begin * place.clamp(-50.0, 50.0).exp()
        } else {
            self.begin + place * (self.high - self.low) * 0.02
        };
        let value = value.clamp(self.low, self.high);
        // Three digits are more than any tournament can tell apart.
        if self.whole { format!("{}", value.round()) } else { rounded(value, self.low, self.high) }
    }
}

/// Three digits of a number, within its bounds.
fn rounded(value: f64, low: f64, high: f64) -> String {
    let short: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    format!("{}", short.clamp(low, high))
}

/// A share of the win, or a lone player's score, with its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// The mean.
    pub mean: f64,
    /// Its lower end,
    pub low: f64,
    /// and the upper one.
    pub high: f64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The agent with its new parameters.
    pub agent: AgentSpec,
    /// By opponent: it, and the agent as it was, over the same deals, which no candidate has played.
    pub compared: Vec<(String, Worth, Worth)>,
    /// Generations that were played.
    pub generations: u32,
}

/// Tunes. `each` is told of every generation: its number, and the mean worth of its candidates.
///
/// # Errors
/// If there is nothing to tune, or somebody cannot play.
pub fn tune(
    entry: &dyn AnyEntry,
    game: &dyn AnyGame,
    tuning: &Tuning,
    stop: &StopFlag,
    mut each: impl FnMut(u32, f64, &AgentSpec),
) -> Result<Tuned, LearnError> {
    let mut search = Search::new(entry, tuning)?;
    let own = [tuning.agent.to_string()];
    let against = if tuning.against.is_empty() { &own[..] } else { &tuning.against };
    let episodes = (tuning.episodes / against.len() as u64).max(1);
    let mut draws = EpisodeSeed::new(!tuning.seed, 0).agent(Seat::new(2));
    let mut done = 0;
    while done < tuning.generations && !stop.is_stopped() {
        let candidates = search.ask(&mut draws);
        // Everybody of a generation has the same deals, and no generation those of another.
        let seed = draws.bits() >> 2;
        let mut worth = Vec::new();
        for candidate in &candidates {
            let mut sum = 0.0;
            for opponent in against {
                sum += meet(game, candidate, opponent, episodes, seed, tuning.threads)?.mean;
            }
            worth.push(sum / against.len() as f64);
        }
        search.tell(&worth);
        done += 1;
        each(done, worth.iter().sum::<f64>() / worth.len() as f64, &search.best());
    }
    let tuned = search.best();
    let held_out = tuning.seed ^ (1 << 62);
    let compare = |opponent: &String| {
        let of = |agent| meet(game, agent, opponent, tuning.final_episodes, held_out, tuning.threads);
        Ok((opponent.clone(), of(&tuned)?, of(&tuning.agent)?))
    };
    let compared = against.iter().map(compare).collect::<Result<_, LearnError>>()?;
    Ok(Tuned { agent: tuned, compared, generations: done })
}

/// The agent with what is tuned of it, and the search for the best of that.
struct Search<'t> {
    agent: &'t AgentSpec,
    names: Vec<&'static str>,
    way: Way,
}

enum Way {
    Cma { scales: Vec<Scale>, cma: Cma, asked: Vec<Vec<f64>> },
    Ntbea { values: Vec<Vec<String>>, ntbea: Ntbea, asked: Vec<usize> },
}

impl<'t> Search<'t> {
    fn new(entry: &dyn AnyEntry, tuning: &'t Tuning) -> Result<Self, LearnError> {
        let (names, way) = match tuning.method {
            Method::Cma => {
                let scales = wanted(entry, tuning, "a number", |param| Scale::new(param.clone()))?;
                let names = scales.iter().map(|scale| scale.param.name).collect();
                let cma = Cma::new(vec![0.0; scales.len()], FIRST_SIGMA);
                (names, Way::Cma { scales, cma, asked: Vec::new() })
            }
            Method::Ntbea => {
                let grids = wanted(entry, tuning, "a number, a switch or a choice", Grid::new)?;
                let names = grids.iter().map(|grid| grid.name).collect();
                let sizes = grids.iter().map(|grid| grid.values.len()).collect();
                let begin: Vec<usize> = grids.iter().map(|grid| grid.begin).collect();
                let ntbea = Ntbea::new(sizes, begin.clone());
                let values = grids.into_iter().map(|grid| grid.values).collect();
                (names, Way::Ntbea { values, ntbea, asked: begin })
            }
        };
        Ok(Self { agent: &tuning.agent, names, way })
    }

    /// The next generation of candidates.
    fn ask(&mut self, draws: &mut Stream) -> Vec<AgentSpec> {
        match &mut self.way {
            Way::Cma { cma, asked, .. } => *asked = cma.ask(draws),
            Way::Ntbea { ntbea, asked, .. } => *asked = ntbea.ask(draws),
        }
        match &self.way {
            Way::Cma { asked, .. } => asked.iter().map(|place| self.at(place)).collect(),
            Way::Ntbea { asked, .. } => vec![self.choosing(asked)],
        }
    }

    /// Learns what the last generation's candidates were worth.
    fn tell(&mut self, worth: &[f64]) {
        match &mut self.way {
            Way::Cma { cma, asked, .. } => cma.tell(asked, worth),
            Way::Ntbea { ntbea, asked, .. } => ntbea.tell(asked, worth[0]),
        }
    }

    /// The best, as far as is known.
    fn best(&self) -> AgentSpec {
        match &self.way {
            Way::Cma { cma, .. } => self.at(cma.mean()),
            Way::Ntbea { ntbea, .. } => self.choosing(&ntbea.best()),
        }
    }

    fn at(&self, place: &[f64]) -> AgentSpec {
        let Way::Cma { scales, .. } = &self.way else { unreachable!("numbers are CMA-ES's") };
        self.with(scales.iter().zip(place).map(|(scale, place)| scale.text(*place)))
    }

    fn choosing(&self, choices: &[usize]) -> AgentSpec {
        let Way::Ntbea { values, .. } = &self.way else { unreachable!("choices are NTBEA's") };
        self.with(values.iter().zip(choices).map(|(values, choice)| values[*choice].clone()))
    }

    /// The agent with these values of what is tuned.
    fn with(&self, values: impl Iterator<Item = String>) -> AgentSpec {
        let tuned = self.names.iter().zip(values).map(|(name, value)| format!("{name}={value}"));
        // What was given comes first: values without a name do.
        let given = Some(self.agent.arguments.clone()).filter(|given| !given.is_empty());
        let arguments: Vec<String> = given.into_iter().chain(tuned).collect();
        AgentSpec { name: self.agent.name.clone(), arguments: arguments.join(",") }
    }
}

/// The values of a parameter among which NTBEA chooses.
struct Grid {
    name: &'static str,
    values: Vec<String>,
    /// Where it begins.
    begin: usize,
}

impl Grid {
    /// None for a parameter that is neither number, switch nor choice, or has one value only.
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
        // Whole numbers and those at a bound come to the same.
        values.dedup();
        let default = match Scale::new(param.clone()) {
            Some(scale) => scale.text(0.0),
            None => param.default.clone(),
        };
        let begin = values.iter().position(|value| *value == default)?;
        (values.len() > 1).then_some(Self { name: param.name, values, begin })
    }
}

/// The parameters that are tuned, of those of which `read` makes something.
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

/// What `agent` is worth against `opponent` at all other seats.
fn meet(
    game: &dyn AnyGame,
    agent: &AgentSpec,
    opponent: &str,
    episodes: u64,
    seed: u64,
    threads: usize,
) -> Result<Worth, LearnError> {
    let mut words = vec![agent.to_string()];
    words.extend((1..game.seats()).map(|_| opponent.to_owned()));
    let line_up = LineUp::parse(&words)?;
    let simulation = Simulation { game, line_up, seed, episodes, seating: Seating::DealGroups, threads };
    simulation.check()?;
    let results =
        simulate(&simulation, &mut NoProgress, &StopFlag::new())?.summary.agents.swap_remove(0).results;
    Ok(if game.seats() == 1 {
        let [low, high] = results.mean_score_ci.unwrap_or([results.mean_score; 2]);
        Worth { mean: results.mean_score, low, high }
    } else {
        let [low, high] = results.win_share_ci;
        Worth { mean: results.win_share, low, high }
    })
}
