//! Parameters at their ends, between, and in any company: no panic, no endless episode, no broken law.

mod case;
mod draw;
pub(super) mod panics;
mod search;
mod watched;

use std::sync::Arc;
use std::time::{Duration, Instant};

use meeple_core::{
    AgentError, AgentInfo, AgentSpec, ChanceStreams, Domain, Episode, EpisodeSeed, Game, ParamSpec, Params,
    Phase, Playable, Playouts, Replay, Seating, Step, find_agent,
};

use super::desk::{Desk, Position};
use super::fault::{Broken, Fault, hold};
use super::{Laws, endings, records};
use case::Case;
use search::Search;
use watched::Watched;

/// When this is set, [`fuzz`] goes on with random cases for so many seconds: `SECONDS` or `SECONDS:SEED`.
pub const FUZZ: &str = "MEEPLE_FUZZ";

/// Most steps of an episode.
const LONGEST: usize = 20_000;
/// Steps after which an episode of parameters that make it long is cut off.
const CUT: usize = 1_000;
/// Tables larger than this are tried at the largest size only.
const USUAL_PLAYERS: usize = 16;

/// Parameters whose cost grows without end, with the most that is tried: agent, parameter, value.
const COSTLY: &[(&str, &str, i64)] = &[
    ("greedy", "worlds", 2),
    ("greedy", "samples", 3),
    ("flat", "playouts", 6),
    ("flat", "samples", 3),
    ("flat", "longest", 20),
];

/// Whether an agent takes part under these rules.
type Condition<G> = fn(&<G as Game>::Variant) -> bool;

/// A search for parameters of the rules and of agents with which a game fails.
///
/// First every parameter of the rules is set to the ends of its domain and to some values between, then every
/// agent plays with itself at tables of every size and with each of its parameters at their ends; then come random
/// combinations. Each case is set up or refused with a reason that names a parameter; its agents, which are the
/// game's own and those for every game, play checked episodes, of which the first, a playout and a replay must agree;
/// and some cases are walked at random under all laws. Everything is a function of the seed.
pub struct Fuzz<G: Playable> {
    agents: Vec<AgentInfo<G>>,
    conditions: Vec<(&'static str, Condition<G>)>,
    short: Vec<(&'static str, &'static str)>,
    texts: Vec<(&'static str, Vec<String>)>,
    combinations: u64,
    episodes: u64,
    seed: u64,
}

/// What a search did.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct FuzzReport {
    /// Cases tried.
    pub cases: u64,
    /// Cases that were refused, with a reason.
    pub refused: u64,
    /// Cases that were cut off, because their parameters make them long.
    pub cut: u64,
    /// Cases that were also walked at random.
    pub walked: u64,
    /// Steps of all checked episodes.
    pub steps: u64,
}

/// How a case ended that broke no law.
enum Played {
    Refused,
    Cut(usize),
    Whole(usize),
}

impl<G: Playable> Default for Fuzz<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Playable> Fuzz<G> {
    /// A search with seed 1 and 100 random combinations, in which no parameter makes episodes long.
    pub fn new() -> Self {
        let mut agents = G::agents();
        for general in meeple_agents::general() {
            if !agents.iter().any(|own| own.name == general.name) {
                agents.push(general);
            }
        }
        Self {
            agents,
            conditions: Vec::new(),
            short: Vec::new(),
            texts: Vec::new(),
            combinations: 100,
            episodes: 5,
            seed: 1,
        }
    }

    /// The parameters that say how long an episode is, with values for short ones: an episode may take more than
    /// 20,000 steps only if one of them is larger, or 0, which stands for no limit. They hold unless a case sets
    /// them, and may be any others that make a case cheap.
    pub fn short(mut self, settings: &[(&'static str, &'static str)]) -> Self {
        self.short = settings.to_vec();
        self
    }

    /// Texts to try for a parameter that takes any.
    pub fn texts(mut self, param: &'static str, texts: &[&str]) -> Self {
        self.texts.push((param, texts.iter().map(|text| (*text).to_owned()).collect()));
        self
    }

    /// Lets an agent play only with variants for which `condition` holds, because it costs too much elsewhere.
    pub fn agent_if(mut self, agent: &'static str, condition: fn(&G::Variant) -> bool) -> Self {
        self.conditions.push((agent, condition));
        self
    }

    /// Number of random combinations; 100 unless said.
    pub fn combinations(mut self, combinations: u64) -> Self {
        self.combinations = combinations;
        self
    }

    /// Checked episodes of each case; 5 unless said. What fails once in a hundred should have its chance.
    pub fn episodes(mut self, episodes: u64) -> Self {
        self.episodes = episodes;
        self
    }

    /// The seed; 1 unless said.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Searches.
    ///
    /// # Errors
    /// What was found, each as a case that is as small as could be made.
    pub fn run(&self) -> Result<FuzzReport, Vec<Broken>> {
        let mut search = Search::new(self, None);
        let random = (0..self.combinations).map(|index| self.random_case(index));
        for case in self.systematic_cases().into_iter().chain(random) {
            search.try_case(&case);
        }
        search.result()
    }

    /// Searches until the time is over, and tells what it finds as soon as it is found, and what takes long.
    fn run_for(&self, time: Duration) -> Result<FuzzReport, Vec<Broken>> {
        let start = Instant::now();
        let watched = Watched::new();
        std::thread::scope(|scope| {
            scope.spawn(|| watched.watch());
            let mut search = Search::new(self, Some(&watched));
            let random = (0..).map(|index| self.random_case(index));
            let cases = self.systematic_cases().into_iter().chain(random);
            for case in cases.take_while(|_| start.elapsed() < time) {
                search.try_case(&case);
            }
            watched.end();
            search.result()
        })
    }

    fn known_agents(&self) -> Vec<AgentInfo<G>> {
        self.agents.clone()
    }

    fn texts_of(&self, param: &str) -> &[String] {
        self.texts.iter().find(|(name, _)| *name == param).map_or(&[], |(_, texts)| texts)
    }

    /// Whether this value makes episodes longer than those of a short game.
    fn is_longer(&self, param: &str, value: &str) -> bool {
        let Some((_, short)) = self.short.iter().find(|(name, _)| *name == param) else { return false };
        match (value.parse::<f64>(), short.parse::<f64>()) {
            (Ok(value), Ok(short)) => value > short || value == 0.0 && short > 0.0,
            _ => value != *short,
        }
    }

    fn numbers_of_players(&self) -> Vec<usize> {
        let (fewest, most) = (*G::INFO.seats.start(), *G::INFO.seats.end());
        let mut numbers: Vec<usize> = (fewest..=most.min(USUAL_PLAYERS.max(fewest))).collect();
        // Where the variant fixes the number of seats, that of players changes nothing.
        numbers.dedup_by_key(|named| G::seats_for(&G::Variant::default(), *named));
        if most > USUAL_PLAYERS && G::seats_for(&G::Variant::default(), most) == most {
            numbers.push(most);
        }
        numbers
    }

    /// The parameters of an agent, costly ones with the values that are tried.
    fn cheap_params(&self, agent: &AgentInfo<G>) -> Vec<ParamSpec> {
        let mut params = agent.specs();
        for param in &mut params {
            if let (Some(most), Domain::Int { max, .. }) =
                (most_of(agent.name, param.name), &mut param.domain)
            {
                *max = most;
                param.default = most.to_string();
            }
        }
        params
    }

    /// The agent with these parameters, and cheap ones.
    fn agent_with(&self, agent: &AgentInfo<G>, mut given: Vec<(&'static str, String)>) -> AgentSpec {
        for param in self.cheap_params(agent) {
            if most_of(agent.name, param.name).is_some() && given.iter().all(|(name, _)| *name != param.name)
            {
                given.push((param.name, param.default));
            }
        }
        AgentSpec::with(agent.name, given.iter().map(|(name, value)| (*name, value.as_str())))
    }

    /// The game of a case; `None` if it is refused.
    fn set_up(&self, case: &Case) -> Result<Option<Arc<G>>, Fault> {
        let mut variant = super::facts::variant_of::<G>(case.preset)?;
        let settings = case.settings(&self.short);
        for (name, value) in &settings {
            let set = variant.set(name, value);
            hold!("domains-enforced", set.is_ok(), "{name} refuses '{value}' of its own domain: {set:?}");
        }
        let seats = G::seats_for(&variant, case.named);
        if !G::INFO.seats.contains(&seats) || case.named > seats {
            return Ok(None);
        }
        match G::new(variant.clone(), seats) {
            Ok(game) => {
                hold!(
                    "variant-kept",
                    *game.variant() == variant && game.seats() == seats,
                    "set up with {} and {seats} seats, the game says {} and {}",
                    variant.to_json(),
                    game.variant().to_json(),
                    game.seats()
                );
                Ok(Some(Arc::new(game)))
            }
            Err(error) => {
                let params = G::Variant::specs();
                let mut names = params.iter().map(|param| param.name).chain(["seats", "players"]);
                hold!(
                    "refusals-name-a-parameter",
                    names.any(|name| error.reason.contains(name)),
                    "it is refused, but the reason names no parameter: {}",
                    error.reason
                );
                Ok(None)
            }
        }
    }

    /// The line-up, with a random player for everybody who cannot play here.
    fn seated(&self, game: &G, case: &Case) -> Result<Vec<AgentSpec>, Fault> {
        let random = AgentSpec::with("random", []);
        let mut line_up = case.line_up(game.seats());
        let mut builds: Vec<(AgentSpec, bool)> = Vec::new();
        let mut costly = 0;
        for spec in &mut line_up {
            costly += usize::from(is_costly(&spec.name));
            if is_costly(&spec.name) && costly > MOST_COSTLY {
                spec.clone_from(&random);
            }
            let known = builds.iter().find(|(other, _)| other == spec).map(|(_, builds)| *builds);
            let builds_here = match known {
                Some(builds_here) => builds_here,
                None => {
                    let builds_here = self.can_play(game, spec)?;
                    builds.push((spec.clone(), builds_here));
                    builds_here
                }
            };
            if !builds_here {
                spec.clone_from(&random);
            }
        }
        Ok(line_up)
    }

    fn can_play(&self, game: &G, spec: &AgentSpec) -> Result<bool, Fault> {
        let mut conditions = self.conditions.iter().filter(|(agent, _)| *agent == spec.name);
        if !conditions.all(|(_, condition)| condition(game.variant())) {
            return Ok(false);
        }
        match find_agent(&self.agents, spec).and_then(|info| info.build(game, spec)) {
            Ok(_) => Ok(true),
            Err(AgentError::Refused { reason, .. }) => {
                hold!("agents-refuse-with-reason", !reason.trim().is_empty(), "'{spec}' gives no reason");
                Ok(false)
            }
            Err(error) => Err(Fault { law: "domains-enforced", what: format!("'{spec}': {error}") }),
        }
    }

    /// Plays a case under the laws.
    fn play(&self, case: &Case, walk: bool) -> Result<Played, Fault> {
        let Some(game) = self.set_up(case)? else { return Ok(Played::Refused) };
        let is_long = case.set.iter().any(|(name, value)| self.is_longer(name, value));
        let longest = if is_long { CUT } else { LONGEST };
        let line_up = self.seated(&game, case)?;
        let names: Vec<String> = line_up.iter().map(AgentSpec::to_string).collect();
        let build = || records::build(&*game, &self.agents, &line_up);
        let mut agents = build()?;
        let mut play = |index| {
            let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(case.seed, index));
            match records::finish(&mut episode, &mut agents, longest, &names) {
                Err(fault) if fault.law == "episodes-end" && is_long => Ok((episode, None)),
                Err(fault) => Err(fault),
                Ok(outcome) => Ok((episode, Some(outcome))),
            }
        };
        let (episode, outcome) = play(0)?;
        for index in 1..self.episodes {
            play(index)?;
        }
        let seed = EpisodeSeed::new(case.seed, 0);
        let steps = episode.steps().len();
        if let Some(outcome) = &outcome {
            let decisions =
                episode.steps().iter().filter(|step| matches!(step, Step::Action(..))).count() as u64;
            let chance = ChanceStreams::new(seed);
            let (state, log) = (episode.state(), episode.events());
            endings::ending(
                &Position { game: &*game, state, phase: Phase::Over, chance: &chance, log },
                decisions,
            )?;
            let mut playouts = Playouts::new(Arc::clone(&game), build()?);
            let report = playouts.play(case.seed, Seating::Fixed, 0);
            hold!(
                "playouts-equal-episodes",
                report.outcome == outcome
                    && report.length == episode.length()
                    && report.decisions == decisions,
                "a checked episode ends after {decisions} decisions with {outcome:?}, a playout after {} with {:?}",
                report.decisions,
                report.outcome
            );
            hold!(
                "playouts-equal-episodes",
                playouts.state() == episode.state(),
                "a playout ends in another state than the episode"
            );
        }
        records::verifies(&Replay::of(&episode, &records::labels(&names), Some(seed)), &episode)?;
        if walk && !is_long {
            let laws = Laws::with(Arc::clone(&game), case.seed, longest);
            let walked = laws.walk(0, steps.max(1), &mut Desk::new(&*game, case.seed, longest));
            let lived = walked.and_then(|_| laws.twin_episodes());
            lived.map_err(|broken| Fault { law: broken.law, what: broken.message })?;
        }
        Ok(if outcome.is_some() { Played::Whole(steps) } else { Played::Cut(steps) })
    }
}

/// The most that is tried of a costly parameter.
fn most_of(agent: &str, param: &str) -> Option<i64> {
    COSTLY.iter().find(|(own, name, _)| *own == agent && *name == param).map(|(_, _, most)| *most)
}

/// Costly agents at one table; the seats of others go to random players.
const MOST_COSTLY: usize = 4;

fn is_costly(agent: &str) -> bool {
    COSTLY.iter().any(|(own, ..)| *own == agent)
}

/// Searches for parameters of the rules and of agents with which `G` fails; see [`Fuzz`]. `configure` says what is
/// short and what costs too much.
///
/// ```
/// use meeple_testkit::{fuzz, toys::Nim};
///
/// fuzz::<Nim>(|fuzz| fuzz.combinations(20));
/// ```
///
/// With [`FUZZ`] in the environment, as `cargo xtask fuzz` sets it, it goes on for longer.
///
/// # Panics
/// If something was found, saying what and how to see it again.
pub fn fuzz<G: Playable>(configure: impl Fn(Fuzz<G>) -> Fuzz<G>) {
    let fuzz = configure(Fuzz::new());
    let result = match std::env::var(FUZZ) {
        Err(_) => fuzz.run(),
        Ok(text) => {
            let (seconds, seed) = text.split_once(':').unwrap_or((&text, "1"));
            let number =
                |text: &str| text.parse().unwrap_or_else(|_| panic!("{FUZZ}: '{text}' is no number"));
            fuzz.seed(number(seed)).run_for(Duration::from_secs(number(seconds)))
        }
    };
    match result {
        Ok(report) => println!("{report:?}"),
        Err(found) => {
            let texts: Vec<String> = found.iter().map(Broken::to_string).collect();
            panic!("{} faults of {}\n\n{}", texts.len(), G::INFO.id, texts.join("\n\n"));
        }
    }
}
