//! Episodes to learn from.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use meeple_core::{
    Agent, AgentError, AgentInfo, AgentSpec, AnyGame, Encoding, EpisodeSeed, Params, Playable, Playouts,
    Seat, Seating, Stream, Turn, find_agent,
};

use crate::agent::about;
use crate::chooser::{Chooser, Judged};
use crate::error::LearnError;
use crate::learned::About;
use crate::mind::Mind;
use crate::plan::{Plan, Positions};
use crate::sorn::{Changes, Manner, Report, apprentice};

/// Positions with what they should have been foretold to bring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lessons {
    /// By position, its numbers.
    pub(crate) numbers: Vec<f32>,
    /// By position, in units of the goal.
    pub(crate) targets: Vec<f32>,
    /// What self-organising networks have learned on their own, one after the other.
    pub(crate) changes: Vec<Changes>,
}

/// Where a player learns, of whatever game.
pub trait School: Send + Sync {
    /// What a network must be of that learns here.
    fn about(&self) -> About;
    /// Whether the plan's opponents can play.
    ///
    /// # Errors
    /// The first that cannot.
    fn check(&self, plan: &Plan) -> Result<(), LearnError>;
    /// Plays episodes of a round and tells what is to be learned from them. `episodes` are counted from the plan's
    /// beginning; all of them have the same players.
    ///
    /// # Panics
    /// If the plan was not checked.
    fn play(&self, plan: &Plan, round: u32, mind: &Arc<Mind>, episodes: Range<u64>) -> Lessons;
}

/// The school of a game.
///
/// # Errors
/// If its observations have no numbers.
pub fn school<G: Playable>(
    game: &dyn AnyGame,
    agents: Vec<AgentInfo<G>>,
) -> Result<Box<dyn School>, LearnError> {
    let encoding = G::encoding().ok_or(LearnError::NoEncoding(G::INFO.id))?;
    let wrong = |error: &dyn ToString| LearnError::Plan(error.to_string());
    let variant = G::Variant::from_json(&game.variant()).map_err(|error| wrong(&error))?;
    let game = G::new(variant, game.seats()).map_err(|error| wrong(&error))?;
    Ok(Box::new(Classroom { game: Arc::new(game), agents, encoding }))
}

struct Classroom<G: Playable> {
    game: Arc<G>,
    agents: Vec<AgentInfo<G>>,
    encoding: Encoding<G>,
}

/// What a learner did in an episode.
#[derive(Default)]
struct Deeds {
    seat: usize,
    numbers: Vec<f32>,
    values: Vec<f32>,
}

impl Deeds {
    /// Forgets, and begins an episode.
    fn begin(&mut self, seat: Seat) {
        self.seat = seat.index();
        self.numbers.clear();
        self.values.clear();
    }

    fn add(&mut self, judged: Judged<'_>) {
        self.numbers.extend_from_slice(judged.numbers);
        self.values.push(judged.value);
    }
}

/// Plays by a network, not always the best, and remembers.
struct Learner<G: Playable> {
    chooser: Chooser<G>,
    positions: Positions,
    explore: f64,
    deeds: Arc<Mutex<Deeds>>,
}

impl<G: Playable> Agent<G> for Learner<G> {
    fn begin_episode(&mut self, _: &G, seat: Seat) {
        self.deeds.lock().unwrap_or_else(PoisonError::into_inner).begin(seat);
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        if self.positions != Positions::After {
            let judged = self.chooser.judge_before(turn.game(), turn.seat(), &turn.observe());
            self.deeds.lock().unwrap_or_else(PoisonError::into_inner).add(judged);
        }
        let (action, judged) = self.chooser.choose(&mut turn, self.explore);
        if let Some(judged) = judged.filter(|_| self.positions != Positions::Before) {
            self.deeds.lock().unwrap_or_else(PoisonError::into_inner).add(judged);
        }
        action
    }
}

/// Somebody else, whose deeds are remembered.
struct Watched<G: Playable> {
    agent: Box<dyn Agent<G>>,
    chooser: Chooser<G>,
    positions: Positions,
    draws: Stream,
    deeds: Arc<Mutex<Deeds>>,
}

impl<G: Playable> Agent<G> for Watched<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.deeds.lock().unwrap_or_else(PoisonError::into_inner).begin(seat);
        self.agent.begin_episode(game, seat);
    }

    fn act(&mut self, turn: Turn<'_, G>) -> G::Action {
        let (game, seat, seen) = (turn.game(), turn.seat(), turn.observe());
        let action = self.agent.act(turn);
        let mut deeds = self.deeds.lock().unwrap_or_else(PoisonError::into_inner);
        if self.positions != Positions::After {
            deeds.add(self.chooser.judge_before(game, seat, &seen));
        }
        if self.positions != Positions::Before {
            deeds.add(self.chooser.judge(game, seat, &seen, &action, &mut self.draws));
        }
        drop(deeds);
        action
    }
}

impl<G: Playable> Classroom<G> {
    fn opponent(&self, spec: &str) -> Result<Box<dyn Agent<G>>, AgentError> {
        let spec = AgentSpec::parse(spec);
        find_agent(&self.agents, &spec)?.build(&self.game, &spec)
    }
}

impl<G: Playable> School for Classroom<G> {
    fn about(&self) -> About {
        about(&*self.game, &self.encoding)
    }

    fn check(&self, plan: &Plan) -> Result<(), LearnError> {
        Ok(plan.opponents.iter().try_for_each(|spec| self.opponent(spec).map(drop))?)
    }

    fn play(&self, plan: &Plan, round: u32, mind: &Arc<Mind>, episodes: Range<u64>) -> Lessons {
        let seats = self.game.seats();
        // Draws beside those of the episodes.
        let seed = EpisodeSeed::new(!plan.seed, episodes.start);
        let mut draws = seed.agent(Seat::new(0));
        let watches = draws.chance(plan.watch_at(round));
        let alone = !draws.chance(plan.self_play);
        let (positions, explore) = (plan.positions, plan.explore_at(round));
        // How it ended is all that the first round is told: nothing has been foretold yet.
        let lambda = if round == 0 { 1.0 } else { plan.lambda as f32 };
        let mut deeds = Vec::new();
        let mut reports = Vec::new();
        let mut players: Vec<Box<dyn Agent<G>>> = Vec::new();
        for player in 0..seats {
            let learns = !watches && (player == 0 || !alone);
            if let Some(sorn) = plan.sorn.as_ref().filter(|_| learns) {
                let manner = Manner { plan: sorn, goal: plan.goal, lambda: plan.lambda as f32, explore };
                let (agent, report) = apprentice(&*self.game, mind, self.encoding, plan.samples, manner);
                players.push(agent);
                reports.push(report);
                continue;
            }
            let own = Arc::new(Mutex::new(Deeds::default()));
            let chooser = Chooser::new(&*self.game, Arc::clone(mind), self.encoding, plan.goal, plan.samples);
            if learns {
                players.push(Box::new(Learner { chooser, positions, explore, deeds: Arc::clone(&own) }));
                deeds.push(own);
                continue;
            }
            let agent = self.opponent(&plan.opponents[draws.index(plan.opponents.len())]);
            let agent = agent.expect("the plan was checked");
            if watches {
                let draws = seed.agent(Seat::new(player + 1));
                players.push(Box::new(Watched { agent, chooser, positions, draws, deeds: Arc::clone(&own) }));
                deeds.push(own);
            } else {
                players.push(agent);
            }
        }
        let mut playouts = Playouts::new(Arc::clone(&self.game), players);
        let mut lessons = Lessons::default();
        for episode in episodes {
            let outcome = playouts.play(plan.seed, Seating::Rotate, episode).outcome;
            reports.iter().for_each(|report| report.end(outcome));
            for deeds in &deeds {
                let deeds = deeds.lock().unwrap_or_else(PoisonError::into_inner);
                let end = plan.goal.of(outcome, Seat::new(deeds.seat));
                let backwards = deeds.numbers.chunks_exact(mind.inputs()).rev();
                for (numbers, target) in backwards.zip(returns(&deeds.values, end, lambda)) {
                    if draws.chance(plan.keep) {
                        lessons.numbers.extend_from_slice(numbers);
                        lessons.targets.push(target);
                    }
                }
            }
        }
        drop(playouts);
        lessons.changes = reports.into_iter().map(Report::changes).collect();
        lessons
    }
}

/// From the last to the first: what should have been foretold. The λ-return of Sutton (1988): how it ended, mixed with what
/// was foretold on the way.
fn returns(values: &[f32], end: f32, lambda: f32) -> impl Iterator<Item = f32> {
    let mut target = end;
    (0..values.len()).rev().map(move |at| {
        if let Some(next) = values.get(at + 1) {
            target = lambda * target + (1.0 - lambda) * next;
        }
        target
    })
}
