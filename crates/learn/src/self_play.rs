//! Episodes to learn from.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use meeple_core::{
    Agent, AgentError, AgentInfo, AgentSpec, AnyGame, Definition, Encoding, EpisodeSeed, Field, Playable,
    Playouts, Seat, Seating, Stream, Turn, TypedGame, find_agent,
};

use crate::agent::about;
use crate::chooser::Chooser;
use crate::choosing::Choosing;
use crate::error::LearnError;
use crate::learned::About;
use crate::lessons::{Deeds, Lessons, Tries};
use crate::mind::Mind;
use crate::people::{Library, Reader, Recorded};
use crate::plan::{Learns, Plan, Positions};
use crate::policy::Policy;
use crate::pupil::{Pupil, Teacher};
use crate::sorn::{Manner, Report, apprentice};

/// Where a player learns, of whatever game.
pub trait School: Send + Sync {
    /// What a network must be of that learns here.
    fn about(&self) -> About;
    /// Whether the plan's opponents and its teacher can play.
    ///
    /// # Errors
    /// The first that cannot.
    fn check(&self, plan: &Plan) -> Result<(), LearnError>;
    /// Takes games of people, to be learned from beside those that are played here; others that were taken before are
    /// forgotten.
    ///
    /// # Errors
    /// The first that is none of this game and its rules, that is wrong, or that was broken off. Nothing has changed then.
    fn invite(&mut self, games: &[Recorded]) -> Result<(), LearnError>;
    /// The name of the field in which a number of a position stands.
    fn field(&self, number: usize) -> &'static str;
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
pub fn school<G: Playable>(game: &dyn AnyGame) -> Result<Box<dyn School>, LearnError> {
    let TypedGame { definition, game, agents } = game.typed::<G>().expect("the caller knows its type");
    let encoding = game.encoding().ok_or(LearnError::NoEncoding(definition.info.id))?;
    Ok(Box::new(Classroom { definition, game, agents, encoding, people: None }))
}

struct Classroom<G: Playable> {
    definition: Arc<Definition<G>>,
    game: Arc<G>,
    agents: Arc<[AgentInfo<G>]>,
    encoding: Encoding<G>,
    people: Option<Library<G>>,
}

/// Plays by a network, not always the best, and remembers.
struct Learner<G: Playable> {
    chooser: Chooser<G>,
    positions: Positions,
    explore: f64,
    deeds: Arc<Mutex<Deeds>>,
}

impl<G: Playable> Agent<G> for Learner<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.chooser.begin_episode(game, seat);
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
        find_agent(self.definition.info, &self.agents, &spec)?.build(&self.game, &spec)
    }
}

impl<G: Playable> School for Classroom<G> {
    fn about(&self) -> About {
        let people = self.people.as_ref().map(Library::told);
        About { people, ..about(&*self.game, &self.encoding) }
    }

    fn check(&self, plan: &Plan) -> Result<(), LearnError> {
        let teacher = Some(&plan.teacher).filter(|teacher| !teacher.is_empty());
        plan.opponents.iter().chain(teacher).try_for_each(|spec| self.opponent(spec).map(drop))?;
        match (plan.replays.is_empty(), &self.people) {
            (false, None) => Err(LearnError::Plan("replays: expected their games, found none".to_owned())),
            (true, Some(_)) => {
                Err(LearnError::Plan("replays: expected none, found games of people".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn invite(&mut self, games: &[Recorded]) -> Result<(), LearnError> {
        self.people = Some(Library::new(&self.definition, &*self.game, games)?);
        Ok(())
    }

    fn field(&self, number: usize) -> &'static str {
        let mut end = 0;
        let stands = |field: &Field| {
            end += field.size;
            number < end
        };
        (self.encoding.fields)(&self.game).into_iter().find(stands).map_or("none", |field| field.name)
    }

    fn play(&self, plan: &Plan, round: u32, mind: &Arc<Mind>, episodes: Range<u64>) -> Lessons {
        let seats = self.game.seats();
        // Draws beside those of the episodes.
        let seed = EpisodeSeed::new(!plan.seed, episodes.start);
        let mut draws = seed.agent(Seat::new(0));
        // How it ended is all that the first round is told: nothing has been foretold yet.
        let lambda = if round == 0 { 1.0 } else { plan.lambda as f32 };
        let positions = plan.positions;
        // Nothing is drawn where there are none, so that plans without them make what they always made.
        if let Some(people) = self.people.as_ref().filter(|_| draws.chance(plan.replay_share)) {
            let chooser = Chooser::new(&*self.game, Arc::clone(mind), self.encoding, plan.choosing());
            let imagined = seed.agent(Seat::new(1));
            let mut reader = Reader { game: &*self.game, chooser, positions, imagined };
            let mut lessons = Lessons::default();
            for _ in episodes {
                let (deeds, outcome) = reader.read(people.any(&mut draws));
                deeds.iter().for_each(|deeds| {
                    lessons.learn(deeds, (plan.goal, outcome), lambda, plan.keep, &mut draws)
                });
                lessons.people += 1;
            }
            return lessons;
        }
        let watches = draws.chance(plan.watch_at(round));
        let alone = !draws.chance(plan.self_play);
        let explore = plan.explore_at(round);
        let mut deeds = Vec::new();
        let mut tries = Vec::new();
        let mut reports = Vec::new();
        let mut players: Vec<Box<dyn Agent<G>>> = Vec::new();
        let filler = self.definition.info.filler;
        let taken = if filler.is_some() { plan.seats.min(seats) } else { seats };
        for player in 0..taken {
            let learns = !watches && (player == 0 || !alone);
            if let Some(sorn) = plan.sorn.as_ref().filter(|_| learns) {
                let manner = Manner { plan: sorn, goal: plan.goal, lambda: plan.lambda as f32, explore };
                let (agent, report) = apprentice(&*self.game, mind, self.encoding, plan.samples, manner);
                players.push(agent);
                reports.push(report);
                continue;
            }
            if plan.learns == Learns::Policy && learns {
                // It tries as likely as its scores say, however it is going to play.
                let choosing = Choosing { temperature: 1.0, ..plan.choosing() };
                let policy = Policy::new(&*self.game, Arc::clone(mind), self.encoding, choosing);
                let teacher = plan.guided_at(round).map(|guided| {
                    let agent = self.opponent(&plan.teacher).expect("the plan was checked");
                    Teacher { agent, guided, draws: seed.agent(Seat::new(player + 1)) }
                });
                let own = Arc::new(Mutex::new(Tries::default()));
                players.push(Box::new(Pupil {
                    policy,
                    teacher,
                    tries: Arc::clone(&own),
                    wanted: Vec::new(),
                }));
                tries.push(own);
                continue;
            }
            let own = Arc::new(Mutex::new(Deeds::default()));
            let chooser = Chooser::new(&*self.game, Arc::clone(mind), self.encoding, plan.choosing());
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
        // Seats that nobody takes are the filler's, whose deeds nobody learns from.
        for filler in filler.iter().flat_map(|filler| std::iter::repeat_n(filler, seats - taken)) {
            players.push(self.opponent(filler).expect("a game's filler is one of its agents"));
        }
        let mut playouts = Playouts::new(Arc::clone(&self.game), players);
        let mut lessons = Lessons::default();
        for episode in episodes {
            let outcome = playouts.play(plan.seed, Seating::Rotate, episode).outcome;
            reports.iter().for_each(|report| report.end(outcome));
            for deeds in &deeds {
                let deeds = deeds.lock().unwrap_or_else(PoisonError::into_inner);
                lessons.learn(&deeds, (plan.goal, outcome), lambda, plan.keep, &mut draws);
            }
            for tries in &tries {
                let tries = tries.lock().unwrap_or_else(PoisonError::into_inner);
                lessons.learn_choices(&tries, (plan.goal, outcome), lambda, plan.keep, &mut draws);
            }
        }
        drop(playouts);
        lessons.changes = reports.into_iter().map(Report::changes).collect();
        lessons
    }
}
