//! A run of the laws of one game along random episodes.

use std::cell::Cell;
use std::sync::Arc;

use meeple_core::{
    AgentInfo, AgentSpec, ChanceStreams, Defined, Definition, EpisodeSeed, EventLog, GameInfo, Information,
    Params, Phase, Playable, Seat, Step, StepOf, Stream, Viewer,
};

use super::fault::{BrokenLaw, Fault, Held, hold, setters};
use super::memory::{Counts, Memory, Position};
use super::{actions, chance, drawing, endings, facts, information, panics, parts, records, twins, values};

/// The laws for one game with its variant and number of seats.
///
/// Random episodes are walked. The cheap laws are checked at every step, all laws at some steps. Then the
/// agents play whole episodes. Everything is a function of the seed.
///
/// Inspecting a position costs as much as some hundred steps, mostly for drawing and determinizing. A game
/// with a large state shortens its tests with fewer positions: `.episodes(5).positions(6)`. A slow agent is
/// limited by `.agent_episodes(1)`.
///
/// ```
/// use meeple_testkit::{Laws, toys::Hands};
///
/// let game = Hands::new(Default::default(), 3).unwrap();
/// Laws::new(game).episodes(3).seed(1).check();
/// ```
pub struct Laws<G: Playable> {
    definition: Arc<Definition<G>>,
    game: Arc<G>,
    pub(super) preset: Option<&'static str>,
    episodes: u64,
    seed: u64,
    positions: usize,
    longest: usize,
    agents: Vec<AgentInfo<G>>,
    agent_episodes: u64,
    twins: usize,
}

impl<G: Playable> Laws<G> {
    /// The laws for this game: 20 episodes with 20 inspected positions each, 12 pairs of twins, seed 1.
    pub fn new(game: G) -> Self
    where
        G: Defined,
    {
        Self::of(Arc::new(G::definition()), game)
    }

    /// As [`new`](Self::new), for a game of any definition.
    pub fn of(definition: Arc<Definition<G>>, game: G) -> Self {
        Self {
            definition,
            game: Arc::new(game),
            preset: None,
            episodes: 20,
            seed: 1,
            positions: 20,
            longest: 100_000,
            agents: Vec::new(),
            agent_episodes: 3,
            twins: 12,
        }
    }

    /// The laws of random steps, and one pair of twins, for one case of a search.
    pub(super) fn with(definition: Arc<Definition<G>>, game: Arc<G>, seed: u64, longest: usize) -> Self {
        let (preset, agents) = (None, Vec::new());
        Self {
            definition,
            game,
            preset,
            episodes: 1,
            seed,
            positions: 1,
            longest,
            agents,
            agent_episodes: 0,
            twins: 1,
        }
    }

    setters! {
        /// Number of random episodes to walk.
        episodes: u64;
        /// The root seed.
        seed: u64;
        /// Approximate number of inspected positions per episode, besides the first four and the last.
        positions: usize;
        /// Maximum number of steps (decisions and chance draws) of an episode.
        longest: usize;
        /// Agents in addition to the game's own; `random` is always included.
        agents: Vec<AgentInfo<G>>;
        /// Number of episodes of each agent against itself, and of the demo line-up; 0 skips agents.
        agent_episodes: u64;
        /// Number of pairs of twin episodes: the same public events, different secrets.
        twins: usize;
    }

    /// Checks the laws.
    ///
    /// # Panics
    /// If a law is broken, with its place and instructions to reproduce it.
    pub fn check(&self) {
        if let Err(broken) = self.run() {
            panic!("{broken}");
        }
    }

    /// Checks the laws.
    ///
    /// # Errors
    /// The first broken law.
    pub fn run(&self) -> Result<(), BrokenLaw> {
        let mut seen = Counts::default();
        self.run_and_remember(&mut seen)?;
        self.claims(seen).map_err(|fault| self.broken(fault, ""))
    }

    fn known_agents(&self) -> Vec<AgentInfo<G>> {
        agents_with(&self.definition, self.agents.iter().cloned())
    }

    pub(super) fn run_and_remember(&self, seen: &mut Counts) -> Result<(), BrokenLaw> {
        let agents = self.known_agents();
        facts::facts(&self.definition, &agents).map_err(|fault| self.broken(fault, ""))?;
        let mut memory = Memory::new(&*self.game, self.seed, self.longest);
        if let Some(encoder) = &memory.encoder {
            encoder.declared().map_err(|fault| self.broken(fault, ""))?;
        }
        let mut length = 40;
        for index in 0..self.episodes {
            length = self.walk(index, length, &mut memory)?;
        }
        memory.encoded.hold_enough().map_err(|fault| self.broken(fault, ""))?;
        seen.add(memory.counts);
        seen.pairs.add(self.twin_episodes()?);
        records::advisor(&*self.game, &agents).map_err(|fault| self.broken(fault, ""))?;
        if self.agent_episodes > 0 {
            let place = Cell::new(0);
            let note = self.note("while agents played", &place);
            let played = records::agents(
                &self.definition,
                &self.game,
                &agents,
                self.seed,
                self.agent_episodes,
                self.longest,
            )
            .and_then(|()| match records::demo(self.definition.info, self.game.seats()) {
                Some(line_up) => self.play_demo(&agents, &line_up),
                None => Ok(()),
            });
            drop(note);
            played.map_err(|fault| self.broken(fault, ""))?;
        }
        Ok(())
    }

    pub(super) fn twin_episodes(&self) -> Result<twins::Pairs, BrokenLaw> {
        let place = Cell::new(0);
        let _note = self.note("in twin episodes", &place);
        let mut pairs = twins::Pairs::default();
        for episode in 0..self.twins.div_ceil(TWINS_OF_AN_EPISODE) {
            let count = TWINS_OF_AN_EPISODE.min(self.twins - episode * TWINS_OF_AN_EPISODE);
            // Other episodes than the walked ones.
            let seed = EpisodeSeed::new(self.seed ^ 0x7713, episode as u64);
            let lived = twins::pairs(&*self.game, seed, count, self.longest);
            pairs.add(lived.map_err(|fault| self.broken(fault, ""))?);
        }
        Ok(pairs)
    }

    fn play_demo(&self, agents: &[AgentInfo<G>], line_up: &[AgentSpec]) -> Held {
        records::line_up(
            &self.definition,
            &self.game,
            agents,
            line_up,
            self.seed,
            self.agent_episodes,
            self.longest,
        )
    }

    fn claims(&self, seen: Counts) -> Held {
        hold!(
            "hidden-is-redrawn",
            self.definition.info.information != Information::Hidden
                || seen.determinized < 50
                || self.game.seats() < 2
                || seen.redrawn > 0,
            "information is hidden, but {} determinized states were all equal to the true one",
            seen.determinized
        );
        if self.game.seats() < 2 { Ok(()) } else { enough_twins(self.definition.info, seen.pairs) }
    }

    /// Walks one episode and returns its number of steps. `expected` is its approximate number of steps.
    pub(super) fn walk(
        &self,
        index: u64,
        expected: usize,
        memory: &mut Memory<G>,
    ) -> Result<usize, BrokenLaw> {
        let game = &*self.game;
        let seed = EpisodeSeed::new(self.seed, index);
        let mut chance = ChanceStreams::new(seed);
        let mut rng = Stream::from_seed(seed.bits() ^ 0x3a1c);
        let mut state = game.initial_state();
        let mut log = EventLog::new();
        let mut steps: Vec<StepOf<G>> = Vec::new();
        let mut decisions = 0;
        let mut events = 0;
        let place = Cell::new(0);
        let _note = self.note(&format!("in episode {index}"), &place);
        memory.keys.clear();
        memory.out.fill(false);
        loop {
            place.set(steps.len());
            let at = Position { game, state: &state, phase: game.phase(&state), chance: &chance, log: &log };
            let near_start = steps.len() < 4;
            let close = near_start
                || at.phase == Phase::Over
                || rng.chance(self.positions as f64 / expected.max(1) as f64);
            let held = step_laws(&at, &mut events, memory)
                .and_then(|()| if close { inspect(&at, memory) } else { Ok(()) })
                .and_then(|()| match at.phase {
                    Phase::Over => endings::ending(&at, decisions),
                    Phase::Chance | Phase::Decide(_) => Ok(()),
                })
                .and_then(|()| {
                    hold!("episodes-end", steps.len() <= self.longest, "more than {} steps", self.longest);
                    Ok(())
                });
            if let Err(fault) = held {
                let last: Vec<String> = steps.iter().rev().take(30).rev().map(Step::to_string).collect();
                let place = format!(
                    "\nin episode {index} of seed {}, after {} steps ({:?}); the last of them: {}",
                    self.seed,
                    steps.len(),
                    at.phase,
                    if last.is_empty() { "none".into() } else { last.join("; ") }
                );
                return Err(self.broken(fault, &place));
            }
            match at.phase {
                Phase::Over => break,
                Phase::Chance => {
                    let outcome = game.sample_chance(&state, &mut chance);
                    game.apply_chance(&mut state, &outcome, &mut log);
                    steps.push(Step::Chance(outcome));
                }
                Phase::Decide(seats) => {
                    // Seats with simultaneous decisions come in random order.
                    let pick = rng.index(seats.len());
                    let seat = seats.clone().nth(pick).unwrap_or(Seat::new(0));
                    let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
                    game.apply_unchecked(&mut state, seat, &action, &mut log);
                    memory.remember_action(&action);
                    steps.push(Step::Action(seat, action));
                    decisions += 1;
                }
            }
            memory.counts.steps += 1;
        }
        Ok(steps.len())
    }

    fn table(&self) -> String {
        let preset = self.preset.map(|preset| format!(", preset {preset}")).unwrap_or_default();
        format!(
            "game {}{preset}, {} seats, variant {}",
            self.definition.info.id,
            self.game.seats(),
            self.game.variant().to_json()
        )
    }

    fn broken(&self, fault: Fault, place: &str) -> BrokenLaw {
        let message = format!(
            "{}\n{}{place}\nreproduce: Laws::new(game with this variant and seats).episodes({}).positions({})\
             .twins({}).seed({}).check()",
            fault.what,
            self.table(),
            self.episodes,
            self.positions,
            self.twins,
            self.seed
        );
        BrokenLaw { law: fault.law, message }
    }

    fn note<'a>(&self, what: &str, step: &'a Cell<usize>) -> PanicNote<'a> {
        PanicNote { text: format!("{what} of seed {} ({})", self.seed, self.table()), step }
    }
}

/// Number of pairs of twins that begin in the same episode.
const TWINS_OF_AN_EPISODE: usize = 4;

/// Reports the position of the laws if the game's own code panics.
struct PanicNote<'a> {
    text: String,
    step: &'a Cell<usize>,
}

impl Drop for PanicNote<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() && !panics::are_caught() {
            eprintln!("the game panicked {}, after {} steps", self.text, self.step.get());
        }
    }
}

/// The cheap laws of every step.
fn step_laws<G: Playable>(at: &Position<'_, G>, events: &mut usize, memory: &mut Memory<G>) -> Held {
    actions::phase(at, memory)?;
    if let Phase::Decide(seats) = at.phase {
        for seat in seats {
            actions::something_to_do(at.game, at.state, seat)?;
        }
    }
    for (_, event) in &at.log.entries()[*events..] {
        values::event::<G>(event)?;
    }
    *events = at.log.len();
    Ok(())
}

/// All laws of one position.
fn inspect<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    memory.counts.inspected += 1;
    values::copies(at, memory)?;
    match at.phase {
        Phase::Chance => chance::draw(at, memory)?,
        Phase::Decide(seats) => {
            for seat in memory.some_seats(seats, 3) {
                actions::decision(at, seat, memory)?;
                let seed = memory.rng.bits();
                memory.adviser.advises(at.game, at.state, seat, seed)?;
            }
            information::simultaneous(at, memory)?;
        }
        Phase::Over => information::audiences(at)?,
    }
    actions::bystanders(at, memory)?;
    if let Some(encoder) = &memory.encoder {
        for seat in some_of_all(at.game) {
            let numbers = encoder.numbers(at.game, at.state, seat)?;
            memory.encoded.add(&numbers, at.game.information_key(at.state, Viewer::Seat(seat)));
        }
    }
    for viewer in memory.some_viewers(at.game, at.phase, 4) {
        information::determinized(at, viewer, memory)?;
        if memory.rng.below(8) == 0 {
            information::playable(at, viewer, memory)?;
        }
    }
    information::determinized(at, Viewer::Everything, memory)?;
    information::futures(at, memory)?;
    drawing::drawn(at, memory)?;
    parts::chosen(at, memory)
}

/// All seats, or some of a large table.
pub(super) fn some_of_all<G: Playable>(game: &G) -> impl Iterator<Item = Seat> {
    Seat::all(game.seats()).step_by(game.seats().div_ceil(16))
}

/// Law: twins are compared often enough. A law with hardly any comparisons proves nothing.
pub(super) fn enough_twins(info: &GameInfo, pairs: twins::Pairs) -> Held {
    hold!(
        "twins-survive",
        info.information != Information::Hidden
            || pairs.parted < 10
            || 2 * pairs.compared >= 3 * pairs.parted,
        "information is hidden, but twin episodes hardly live: {pairs:?}"
    );
    Ok(())
}

/// The game's own agents, `others`, and a random player; each name once.
pub(crate) fn agents_with<G: Playable>(
    definition: &Definition<G>,
    others: impl IntoIterator<Item = AgentInfo<G>>,
) -> Vec<AgentInfo<G>> {
    let random = meeple_agents::general().into_iter().filter(|agent| agent.name == "random");
    definition.agents_with(others.into_iter().chain(random))
}
