//! Twin episodes: hidden information has no effect on anything a viewer receives.
//!
//! Two worlds that a viewer cannot distinguish are played side by side. One is the true world. The other is a
//! determinization, or a copy in which others decide differently in secret. Chance outcomes, and decisions
//! that the viewer knows of, are equal in both worlds if possible; secret steps differ. Before every step
//! that the viewer notices, the events and observations received so far are compared:
//!
//! * both equal: then everything the viewer receives must be equal, byte for byte: observation, key,
//!   question, score, drawing, screen, parts of actions, and the number of moments shown;
//! * both different: the step has revealed the secret by the rules, and the comparison ends;
//! * only one of them different: a leak.

use meeple_core::{
    Audience, ChanceStreams, EpisodeSeed, EventLog, Information, Phase, Playable, PlayerLabel, Seat, Step,
    StepOf, Stream, View, Viewer,
};
use meeple_scene::{ColorMode, SvgOptions};

use super::fault::{Fault, Held, difference, granted, hold};
use super::sight::{Sight, viewer_text};

/// Maximum number of noticed steps of a pair.
const LIFE: usize = 40;
/// Number of noticed steps after which a pair counts as lasting.
const LASTED: usize = 8;
/// Maximum number of secret steps between two noticed ones.
const SECRETS: usize = 40;

/// Statistics of twin pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pairs {
    /// Pairs whose worlds differed at some moment.
    pub(crate) parted: u64,
    /// Moments at which different worlds were compared.
    pub(crate) compared: u64,
    /// Pairs that still differed, unnoticed, after many steps or at the end of the episode.
    pub(crate) lasted: u64,
    /// Moments at which the worlds had different numbers of steps.
    pub(crate) uneven: u64,
}

impl Pairs {
    pub(crate) fn add(&mut self, other: Pairs) {
        self.parted += other.parted;
        self.compared += other.compared;
        self.lasted += other.lasted;
        self.uneven += other.uneven;
    }
}

struct World<'a, G: Playable> {
    game: &'a G,
    state: G::State,
    viewer: Viewer,
    log: EventLog<G::Event>,
    /// Number of log entries already compared.
    compared: usize,
    steps: Vec<StepOf<G>>,
    /// Number of moments shown to the viewer.
    moments: usize,
}

impl<'a, G: Playable> World<'a, G> {
    fn new(game: &'a G, state: G::State, viewer: Viewer) -> Self {
        Self { game, state, viewer, log: EventLog::new(), compared: 0, steps: Vec::new(), moments: 0 }
    }

    fn phase(&self) -> Phase {
        self.game.phase(&self.state)
    }

    fn events_from(&self, from: usize) -> Result<String, Fault> {
        events_text(&self.log.entries()[from..], self.viewer)
    }

    fn sight(&self) -> Result<Sight, Fault> {
        Sight::of(self.game, &self.state, self.viewer)
    }

    /// Returns true if the step is possible.
    fn allows(&self, step: &StepOf<G>) -> bool {
        match (step, self.phase()) {
            (Step::Chance(outcome), Phase::Chance) => self.game.check_chance(&self.state, outcome).is_ok(),
            (Step::Action(seat, action), Phase::Decide(owing)) => {
                owing.contains(*seat) && self.game.check(&self.state, *seat, action).is_ok()
            }
            _ => false,
        }
    }

    /// Returns true if the viewer is shown that the step happens, as declared by the game.
    fn is_shown(&self, step: &StepOf<G>) -> bool {
        match step {
            Step::Chance(_) => true,
            Step::Action(seat, action) => {
                self.viewer.sees(*seat)
                    || self.game.decision_audience(&self.state, *seat, action).includes(self.viewer)
            }
        }
    }

    fn take(&mut self, step: StepOf<G>) {
        self.moments += usize::from(self.is_shown(&step));
        match &step {
            Step::Chance(outcome) => self.game.apply_chance(&mut self.state, outcome, &mut self.log),
            Step::Action(seat, action) => {
                self.game.apply_unchecked(&mut self.state, *seat, action, &mut self.log);
            }
        }
        self.steps.push(step);
    }

    /// The visible events and the view after the step, in a copy of the world.
    fn after(&self, step: &StepOf<G>) -> Result<(String, Sight), Fault> {
        let mut after = World::new(self.game, self.state.clone(), self.viewer);
        after.take(step.clone());
        Ok((after.events_from(0)?, after.sight()?))
    }

    /// Returns true if the viewer does not notice the step: a decision of another seat. Its audience excludes
    /// the viewer, or it has no visible events and leaves the view unchanged.
    fn is_secret(&self, step: &StepOf<G>) -> Result<bool, Fault> {
        match step {
            Step::Chance(_) => Ok(false),
            Step::Action(seat, _) if self.viewer.sees(*seat) => Ok(false),
            Step::Action(..) if !self.is_shown(step) => Ok(true),
            Step::Action(..) => {
                let (heard, sight) = self.after(step)?;
                Ok(heard == NOTHING && sight == self.sight()?)
            }
        }
    }

    /// A random possible step; `None` at the end.
    fn sample(&self, rng: &mut Stream) -> Option<StepOf<G>> {
        match self.phase() {
            Phase::Over => None,
            Phase::Chance => {
                let mut streams = ChanceStreams::new(EpisodeSeed::from_bits(rng.bits()));
                Some(Step::Chance(self.game.sample_chance(&self.state, &mut streams)))
            }
            Phase::Decide(owing) => {
                let seats: Vec<Seat> = owing.collect();
                let seat = seats[rng.index(seats.len())];
                let action = self.game.sample_action(&self.state, seat, rng, &mut Vec::new());
                Some(Step::Action(seat, action))
            }
        }
    }
}

const NOTHING: &str = "[]";

fn events_text<E: serde::Serialize + std::fmt::Display>(
    entries: &[(Audience, E)],
    viewer: Viewer,
) -> Result<String, Fault> {
    let seen = entries.iter().filter(|(audience, _)| audience.includes(viewer));
    let lines: Vec<(String, &E)> = seen.map(|(_, event)| (event.to_string(), event)).collect();
    granted("event-serialises", serde_json::to_string(&lines), || "the events do not become JSON".into())
}

/// The next noticed step of a world, after its secret ones.
enum Next<G: Playable> {
    Step(StepOf<G>),
    Over,
    /// Too many secret steps in a row.
    Stuck,
}

/// Result of comparing two worlds from the viewer's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compared {
    Alike,
    /// The rules have revealed the difference.
    Apart,
}

/// Two worlds that a viewer cannot distinguish.
pub(crate) struct Twins<'a, G: Playable> {
    one: World<'a, G>,
    two: World<'a, G>,
    viewer: Viewer,
    rng: Stream,
    /// Number of steps of the first world before its latest secret steps.
    secrets_from: usize,
    /// Moments of the first world minus moments of the second, when both phases were equal for the first
    /// time.
    ahead: Option<isize>,
    pub(crate) pairs: Pairs,
}

impl<'a, G: Playable> Twins<'a, G> {
    /// The true world and a determinization for the viewer.
    pub(crate) fn determinized(game: &'a G, state: &G::State, viewer: Viewer, mut rng: Stream) -> Self {
        let mut other = game.initial_state();
        game.determinize(&game.observe(state, viewer), &mut rng, &mut other);
        Self::of(game, state.clone(), other, viewer, rng)
    }

    /// The same world twice: secret steps will make the worlds differ.
    pub(crate) fn copied(game: &'a G, state: &G::State, viewer: Viewer, rng: Stream) -> Self {
        Self::of(game, state.clone(), state.clone(), viewer, rng)
    }

    fn of(game: &'a G, one: G::State, two: G::State, viewer: Viewer, rng: Stream) -> Self {
        Self {
            one: World::new(game, one, viewer),
            two: World::new(game, two, viewer),
            viewer,
            rng,
            secrets_from: 0,
            ahead: None,
            pairs: Pairs::default(),
        }
    }

    /// Plays both worlds on until the rules reveal the difference, no common step is left, or [`LIFE`]
    /// noticed steps are played.
    pub(crate) fn live(&mut self) -> Held {
        let mut apart = false;
        for step in 0..LIFE {
            let next = self.secrets_of_one()?;
            let followed = match &next {
                Next::Step(step) => self.follow(Some(step))?,
                Next::Over => self.follow(None)?,
                Next::Stuck => false,
            };
            if !followed || self.compare()? == Compared::Apart {
                break;
            }
            if self.one.state != self.two.state {
                self.pairs.compared += 1;
                self.pairs.uneven += u64::from(self.one.steps.len() != self.two.steps.len());
                apart = true;
                let is_over = matches!(next, Next::Over);
                if step == LASTED || is_over && step < LASTED {
                    self.pairs.lasted += 1;
                }
            }
            let Next::Step(step) = next else { break };
            if !self.two.allows(&step) || !self.take(step)? {
                break;
            }
        }
        self.pairs.parted += u64::from(apart);
        Ok(())
    }

    /// Plays random secret steps in the first world, up to a step that the viewer notices.
    fn secrets_of_one(&mut self) -> Result<Next<G>, Fault> {
        self.secrets_from = self.one.steps.len();
        for _ in 0..SECRETS {
            let Some(step) = self.one.sample(&mut self.rng) else { return Ok(Next::Over) };
            if !self.one.is_secret(&step)? {
                return Ok(Next::Step(step));
            }
            self.one.take(step);
        }
        Ok(Next::Stuck)
    }

    /// Plays secret steps in the second world, some of them those of the first, until the noticed step is
    /// possible or the end is reached. Returns false if neither is reached.
    fn follow(&mut self, next: Option<&StepOf<G>>) -> Result<bool, Fault> {
        let done: Vec<StepOf<G>> = self.one.steps[self.secrets_from..].to_vec();
        let mut left: Vec<StepOf<G>> = Vec::new();
        for step in done {
            let same = self.rng.chance(0.6) && self.two.allows(&step) && self.two.is_secret(&step)?;
            if same {
                self.two.take(step)
            } else {
                left.push(step)
            }
            if self.rng.chance(0.2) {
                self.another_secret()?;
            }
        }
        if self.rng.chance(0.3) {
            self.another_secret()?;
        }
        for _ in 0..SECRETS {
            let there = match next {
                // If the viewer decides, the question is compared with the other world's before the answer.
                Some(Step::Action(seat, _)) if self.viewer.sees(*seat) => self.two.phase().owes(*seat),
                Some(step) => self.two.allows(step),
                None => self.two.phase() == Phase::Over,
            };
            if there {
                return Ok(true);
            }
            // The secret steps of the first world are the likeliest way to a position that allows the noticed
            // step.
            let mut taken = false;
            while let Some(step) = left.pop() {
                if self.two.allows(&step) && self.two.is_secret(&step)? {
                    self.two.take(step);
                    taken = true;
                    break;
                }
            }
            if !taken && !self.another_secret()? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    fn another_secret(&mut self) -> Result<bool, Fault> {
        for _ in 0..4 {
            let Some(step) = self.two.sample(&mut self.rng) else { return Ok(false) };
            if self.two.is_secret(&step)? {
                self.two.take(step);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the step in both worlds. Chance may draw another outcome in the second one, if the viewer cannot
    /// distinguish the two outcomes. Returns false if the second world is over.
    fn take(&mut self, step: StepOf<G>) -> Result<bool, Fault> {
        let mut other = step.clone();
        if matches!(step, Step::Chance(_)) && self.rng.chance(0.5) {
            let Some(drawn) = self.two.sample(&mut self.rng) else { return Ok(false) };
            if drawn != step && self.two.after(&drawn)? == self.one.after(&step)? {
                other = drawn;
            }
        }
        self.one.take(step);
        self.two.take(other);
        Ok(true)
    }

    /// Compares the worlds as the viewer receives them.
    fn compare(&mut self) -> Result<Compared, Fault> {
        let heard = [self.one.events_from(self.one.compared)?, self.two.events_from(self.two.compared)?];
        let sights = [self.one.sight()?, self.two.sight()?];
        let same_events = heard[0] == heard[1];
        let same_sight = sights[0].observation == sights[1].observation && sights[0].key == sights[1].key;
        let why = || {
            format!(
                "{} cannot tell two worlds apart by {}:\n  one: {}\n  two: {}\n",
                viewer_text(self.viewer),
                if same_events { "what it hears" } else { "what it sees" },
                texts(&self.one.steps),
                texts(&self.two.steps),
            )
        };
        if !same_events && !same_sight {
            return Ok(Compared::Apart);
        }
        hold!(
            "twins-hear-alike",
            same_events,
            "{}but the events differ {}",
            why(),
            difference(&heard[0], &heard[1])
        );
        sights[0].hold_equal("twins-see-alike", &sights[1], &why())?;
        let (here, there) = (self.one.phase(), self.two.phase());
        if here == there {
            let ahead = self.one.moments as isize - self.two.moments as isize;
            let before = *self.ahead.get_or_insert(ahead);
            hold!(
                "twins-have-equal-moments",
                ahead == before,
                "{}but it is shown {} moments more of one of them; hint: `decision_audience`",
                why(),
                (ahead - before).abs()
            );
        }
        if self.one.state != self.two.state && self.rng.chance(0.3) {
            let pages = [page(&self.one)?, page(&self.two)?];
            for ((what, left), (_, right)) in pages[0].iter().zip(&pages[1]) {
                hold!(
                    "twins-have-equal-pages",
                    left == right,
                    "{}but the {what} differs {}",
                    why(),
                    difference(left, right)
                );
            }
        }
        self.one.compared = self.one.log.len();
        self.two.compared = self.two.log.len();
        Ok(Compared::Alike)
    }
}

/// The last steps of a world, as text.
fn texts<C: std::fmt::Display, A: std::fmt::Display>(steps: &[Step<C, A>]) -> String {
    let last: Vec<String> = steps.iter().rev().take(20).rev().map(Step::to_string).collect();
    format!("{} steps, the last: {}", steps.len(), last.join("; "))
}

/// The parts of a viewer's page, with their names.
fn page<G: Playable>(world: &World<'_, G>) -> Result<[(&'static str, String); 3], Fault> {
    let game = world.game;
    let mut legal = Vec::new();
    if let Viewer::Seat(seat) = world.viewer
        && world.phase().owes(seat)
    {
        game.legal_actions(&world.state, seat, &mut legal);
    }
    let events: Vec<&G::Event> = world.log.seen_by(world.viewer).collect();
    let players: Vec<PlayerLabel> = (0..game.seats()).map(|seat| format!("player {seat}").into()).collect();
    let view = View {
        viewer: world.viewer,
        observation: game.observe(&world.state, world.viewer),
        legal: &legal,
        events: &events,
        players: &players,
    };
    let svg = game.draw(&view).to_svg(&SvgOptions { interactive: true, ..SvgOptions::default() });
    let screen = game.screen(&view).to_ansi(ColorMode::TrueColor);
    let parts: Vec<_> = legal.iter().map(|action| game.action_parts(&view, action)).collect();
    let offered = format!("{parts:?} {:?}", game.compose(&view, ""));
    Ok([("drawing", svg), ("screen", screen), ("parts of actions", offered)])
}

/// Twin pairs at random positions of one random episode.
pub(crate) fn pairs<G: Playable>(
    game: &G,
    seed: EpisodeSeed,
    count: usize,
    longest: usize,
) -> Result<Pairs, Fault> {
    let mut pairs = Pairs::default();
    if game.info().information == Information::Perfect {
        return Ok(pairs);
    }
    let mut rng = Stream::from_seed(seed.bits() ^ 0x7713);
    let length = random_episode(game, seed, longest, |_, _| Ok(()))?;
    let mut places: Vec<usize> = (0..count).map(|_| rng.index(length.max(1))).collect();
    places.sort_unstable();
    random_episode(game, seed, longest, |step, state| {
        while places.first() == Some(&step) {
            places.remove(0);
            let seat = rng.index(game.seats() + 1);
            let viewer = if seat < game.seats() { Viewer::Seat(Seat::new(seat)) } else { Viewer::Public };
            let own = Stream::from_seed(rng.bits());
            let mut twins = if places.len().is_multiple_of(3) {
                Twins::copied(game, state, viewer, own)
            } else {
                Twins::determinized(game, state, viewer, own)
            };
            twins.live().map_err(|fault| Fault {
                what: format!(
                    "{}\nthe twins parted after {step} steps of episode {:016x}",
                    fault.what,
                    seed.bits()
                ),
                ..fault
            })?;
            pairs.add(twins.pairs);
        }
        Ok(())
    })?;
    Ok(pairs)
}

/// Plays a random episode and visits every position, with the number of steps before it. Returns the total
/// number of steps.
fn random_episode<G: Playable>(
    game: &G,
    seed: EpisodeSeed,
    longest: usize,
    mut visit: impl FnMut(usize, &G::State) -> Held,
) -> Result<usize, Fault> {
    let mut world = World::new(game, game.initial_state(), Viewer::Public);
    let mut rng = Stream::from_seed(seed.bits());
    for step in 0..longest {
        visit(step, &world.state)?;
        match world.sample(&mut rng) {
            Some(step) => world.take(step),
            None => return Ok(step),
        }
    }
    Ok(longest)
}
