//! Parameters of agents, tuned by what they win.

use meeple_core::{AgentSpec, AnyEntry, AnyGame, Domain, EpisodeSeed, ParamSpec, Seat, Seating};
use meeple_lab::{LineUp, NoProgress, Simulation, StopFlag, simulate};

use crate::cma::Cma;
use crate::error::LearnError;

/// How far the first candidates are from where it begins, in the units of [`Scale`].
const FIRST_SIGMA: f64 = 0.3;

/// What is tuned, and how.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The agent; what its text gives is kept as it is.
    pub agent: AgentSpec,
    /// Its parameters that are tuned; all that are numbers and not given, if empty.
    pub only: Vec<String>,
    /// Whom candidates meet, each of them alone at all other seats. The agent itself if empty.
    pub against: Vec<String>,
    /// Generations of candidates.
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
    let scales = scales(entry, tuning)?;
    let agent = |place: &[f64]| {
        let tuned: Vec<String> = scales
            .iter()
            .zip(place)
            .map(|(scale, place)| format!("{}={}", scale.param.name, scale.text(*place)))
            .collect();
        // What was given comes first: values without a name do.
        let given = Some(tuning.agent.arguments.clone()).filter(|given| !given.is_empty());
        let arguments: Vec<String> = given.into_iter().chain(tuned).collect();
        AgentSpec { name: tuning.agent.name.clone(), arguments: arguments.join(",") }
    };
    let own = [tuning.agent.to_string()];
    let against = if tuning.against.is_empty() { &own[..] } else { &tuning.against };
    let episodes = (tuning.episodes / against.len() as u64).max(1);
    let mut draws = EpisodeSeed::new(!tuning.seed, 0).agent(Seat::new(2));
    let mut cma = Cma::new(vec![0.0; scales.len()], FIRST_SIGMA);
    let mut done = 0;
    while done < tuning.generations && !stop.is_stopped() {
        let candidates = cma.ask(&mut draws);
        // Everybody of a generation has the same deals, and no generation those of another.
        let seed = draws.bits() >> 2;
        let mut worth = Vec::new();
        for candidate in &candidates {
            let agent = agent(candidate);
            let mut sum = 0.0;
            for opponent in against {
                sum += meet(game, &agent, opponent, episodes, seed, tuning.threads)?.mean;
            }
            worth.push(sum / against.len() as f64);
        }
        cma.tell(&candidates, &worth);
        done += 1;
        each(done, worth.iter().sum::<f64>() / worth.len() as f64, &agent(cma.mean()));
    }
    let tuned = agent(cma.mean());
    let held_out = tuning.seed ^ (1 << 62);
    let compare = |opponent: &String| {
        let of = |agent| meet(game, agent, opponent, tuning.final_episodes, held_out, tuning.threads);
        Ok((opponent.clone(), of(&tuned)?, of(&tuning.agent)?))
    };
    let compared = against.iter().map(compare).collect::<Result<_, LearnError>>()?;
    Ok(Tuned { agent: tuned, compared, generations: done })
}

fn scales(entry: &dyn AnyEntry, tuning: &Tuning) -> Result<Vec<Scale>, LearnError> {
    let agents = entry.agents();
    let name = &tuning.agent.name;
    let doc = agents.into_iter().find(|doc| doc.name == name);
    let doc =
        doc.ok_or_else(|| LearnError::Plan(format!("unknown agent '{name}'\nhint: `meeple agents GAME`")))?;
    let given = tuning.agent.arguments(&doc.params).map_err(|error| LearnError::Plan(error.to_string()))?;
    let given: Vec<&str> = given.iter().map(|argument| argument.param.name).collect();
    let numbers: Vec<Scale> = doc.params.iter().cloned().filter_map(Scale::new).collect();
    let names = || numbers.iter().map(|scale| scale.param.name).collect::<Vec<_>>().join(", ");
    for wanted in &tuning.only {
        if numbers.iter().all(|scale| scale.param.name != wanted) || given.contains(&wanted.as_str()) {
            let names = names();
            return Err(LearnError::Plan(format!(
                "expected a parameter of {name} that is a number and not given, found '{wanted}'\nhint: it has {names}"
            )));
        }
    }
    let wanted = |scale: &Scale| {
        let named = tuning.only.iter().any(|only| only == scale.param.name);
        !given.contains(&scale.param.name) && (tuning.only.is_empty() || named)
    };
    let scales: Vec<Scale> = numbers.iter().filter(|scale| wanted(scale)).cloned().collect();
    if scales.is_empty() {
        return Err(LearnError::Plan(format!("{name} has no number that could be tuned and is not given")));
    }
    Ok(scales)
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
