//! How a self-organising network decides, and how its readout learns.
//!
//! Every action leads to a position; the units that this position excites, on top of those that fired at the decision before,
//! are summed up by the readout. An action is drawn with odds of e to these sums. While it learns, three factors change a
//! weight: that its unit fired (more than it would have by the odds), that this is not long ago (a trace that fades by λ),
//! and that a reward came that was not expected: Δw = η (r − r̄) e, e ← λ e + (x − E x).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meeple_core::{Agent, Encoding, NoEvents, Outcome, Playable, Seat, Turn, Viewer};

use crate::goal::Goal;
use crate::mind::Mind;
use crate::reservoir::{Reservoir, SornPlan};

/// Decides by a self-organising network. It remembers which units fired at the decisions of its seat since the episode
/// began; asked again where nothing has changed, it decides from the same memory again.
pub(crate) struct Organised<G: Playable> {
    mind: Arc<Mind>,
    encoding: Encoding<G>,
    samples: u32,
    imagined: G::State,
    state: G::State,
    actions: Vec<G::Action>,
    /// The units that fired at the last decision, what was known there, and those that had fired before it.
    memory: Vec<u16>,
    known: Vec<f32>,
    before: Vec<u16>,
    /// By action: the units that it makes fire, and their sum.
    fired: Vec<u16>,
    sums: Vec<f32>,
    /// By action: how likely it is, against the likeliest.
    odds: Vec<f64>,
    drive: Vec<f32>,
    driven: Vec<f32>,
    order: Vec<u16>,
    numbers: Vec<f32>,
    now: Vec<f32>,
}

impl<G: Playable> Organised<G> {
    /// With a mind that has units, for an encoding of so many numbers.
    pub(crate) fn new(game: &G, mind: Arc<Mind>, encoding: Encoding<G>, inputs: usize, samples: u32) -> Self {
        Self {
            mind,
            encoding,
            samples,
            imagined: game.initial_state(),
            state: game.initial_state(),
            actions: Vec::new(),
            memory: Vec::new(),
            known: Vec::new(),
            before: Vec::new(),
            fired: Vec::new(),
            sums: Vec::new(),
            odds: Vec::new(),
            drive: Vec::new(),
            driven: Vec::new(),
            order: Vec::new(),
            numbers: vec![0.0; inputs],
            now: vec![0.0; inputs],
        }
    }

    /// Looks at all actions of a turn with these units. False if there is no choice.
    fn look(&mut self, turn: &mut Turn<'_, G>, reservoir: &Reservoir) -> bool {
        let (game, seat) = (turn.game(), turn.seat());
        self.actions.clear();
        turn.candidates(self.samples, &mut self.actions);
        if self.actions.len() == 1 {
            return false;
        }
        let seen = turn.observe();
        game.determinize(&seen, turn.rng(), &mut self.imagined);
        (self.encoding.write)(game, &seen, seat, &mut self.numbers);
        if self.numbers == self.known {
            self.memory.clone_from(&self.before);
        } else {
            self.known.clone_from(&self.numbers);
            self.before.clone_from(&self.memory);
        }
        reservoir.recall(&self.memory, &mut self.drive);
        self.fired.clear();
        self.sums.clear();
        for action in &self.actions {
            self.state.clone_from(&self.imagined);
            game.apply_unchecked(&mut self.state, seat, action, &mut NoEvents);
            let seen = game.observe(&self.state, Viewer::Seat(seat));
            (self.encoding.write)(game, &seen, seat, &mut self.now);
            self.driven.clone_from(&self.drive);
            reservoir.hear(&self.numbers, &self.now, &mut self.driven);
            let begin = self.fired.len();
            reservoir.fire(&self.driven, &mut self.order, &mut self.fired);
            let weights = &self.mind.network.weights;
            self.sums.push(self.fired[begin..].iter().map(|unit| weights[usize::from(*unit)]).sum());
        }
        let best = self.sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        self.odds.clear();
        self.odds.extend(self.sums.iter().map(|sum| odds(f64::from((sum - best) / reservoir.temperature))));
        true
    }

    /// An action that was looked at, by their odds.
    fn draw(&self, turn: &mut Turn<'_, G>) -> usize {
        turn.rng().weighted(&self.odds).expect("the best has odds of 1")
    }

    /// The units that an action makes fire which was looked at.
    fn fired_by(&self, action: usize) -> &[u16] {
        let winners = self.fired.len() / self.sums.len();
        &self.fired[action * winners..][..winners]
    }

    /// Takes an action that was looked at.
    fn take(&mut self, action: usize) -> G::Action {
        let mut memory = std::mem::take(&mut self.memory);
        memory.clear();
        memory.extend_from_slice(self.fired_by(action));
        self.memory = memory;
        self.actions.swap_remove(action)
    }
}

impl<G: Playable> Agent<G> for Organised<G> {
    fn begin_episode(&mut self, _: &G, _: Seat) {
        self.memory.clear();
        self.known.clear();
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let mind = Arc::clone(&self.mind);
        if !self.look(&mut turn, mind.units()) {
            return self.actions.swap_remove(0);
        }
        let action = self.draw(&mut turn);
        self.take(action)
    }
}

/// What a readout and its units have learned from some episodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Changes {
    /// What the readout's weights ask for, in sum.
    pub(crate) readout: Vec<f32>,
    /// How links and thresholds have changed.
    pub(crate) units: Vec<f32>,
    /// Rewards, and their squares, in sum.
    pub(crate) rewards: [f64; 2],
    /// Rewards that came.
    pub(crate) count: usize,
}

/// A learner's units, and what it remembers between its decisions.
struct Diary {
    seat: Seat,
    reservoir: Reservoir,
    /// How much each weight had to do with what was decided not long ago.
    trace: Vec<f32>,
    /// How much of the goal it had at its last decision.
    had: f32,
    changes: Changes,
}

impl Diary {
    /// A reward comes: how much more of the goal there is now than before.
    fn reward(&mut self, mind: &Mind, has: f32) {
        let reward = has - self.had;
        self.had = has;
        let surprise = (reward - mind.network.middle) / mind.network.scale;
        self.changes.readout.iter_mut().zip(&self.trace).for_each(|(sum, trace)| *sum += surprise * trace);
        self.changes.rewards[0] += f64::from(reward);
        self.changes.rewards[1] += f64::from(reward) * f64::from(reward);
        self.changes.count += 1;
    }
}

/// How episodes are learned from.
#[derive(Clone, Copy)]
pub(crate) struct Manner<'a> {
    pub(crate) plan: &'a SornPlan,
    pub(crate) goal: Goal,
    /// How much of a trace is left after a decision.
    pub(crate) lambda: f32,
    /// The share of actions at random.
    pub(crate) explore: f64,
}

/// A player whose episodes are learned from.
struct Apprentice<G: Playable> {
    player: Organised<G>,
    plan: SornPlan,
    goal: Goal,
    lambda: f32,
    explore: f64,
    diary: Arc<Mutex<Diary>>,
    outcome: Outcome,
}

/// What an apprentice has learned, for whoever lets it play.
pub(crate) struct Report {
    goal: Goal,
    mind: Arc<Mind>,
    diary: Arc<Mutex<Diary>>,
}

/// A player that learns in this manner, and where that is kept.
pub(crate) fn apprentice<G: Playable>(
    game: &G,
    mind: &Arc<Mind>,
    encoding: Encoding<G>,
    samples: u32,
    manner: Manner<'_>,
) -> (Box<dyn Agent<G>>, Report) {
    let Manner { plan, goal, lambda, explore } = manner;
    let reservoir = mind.units().clone();
    let units = reservoir.units();
    let changes = Changes { readout: vec![0.0; units], ..Changes::default() };
    let player = Organised::new(game, Arc::clone(mind), encoding, reservoir.inputs, samples);
    let diary = Diary { seat: Seat::new(0), reservoir, trace: vec![0.0; units], had: 0.0, changes };
    let diary = Arc::new(Mutex::new(diary));
    let report = Report { goal, mind: Arc::clone(mind), diary: Arc::clone(&diary) };
    let (plan, outcome) = (plan.clone(), Outcome::default());
    (Box::new(Apprentice { player, plan, goal, lambda, explore, diary, outcome }), report)
}

impl<G: Playable> Agent<G> for Apprentice<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.player.begin_episode(game, seat);
        let mut diary = locked(&self.diary);
        (diary.seat, diary.had) = (seat, 0.0);
        diary.trace.fill(0.0);
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (player, mut diary) = (&mut self.player, locked(&self.diary));
        let diary = &mut *diary;
        if !player.look(&mut turn, &diary.reservoir) {
            return player.actions.swap_remove(0);
        }
        if self.goal != Goal::Win {
            let (game, imagined) = (turn.game(), &player.imagined);
            self.outcome.clear();
            self.outcome.scores.extend(Seat::all(game.seats()).map(|seat| game.score(imagined, seat)));
            diary.reward(&player.mind, self.goal.of(&self.outcome, diary.seat));
        }
        let all: f64 = player.odds.iter().sum();
        let action = if turn.rng().chance(self.explore) {
            turn.rng().index(player.odds.len())
        } else {
            player.draw(&mut turn)
        };
        diary.trace.iter_mut().for_each(|trace| *trace *= self.lambda);
        for (index, odds) in player.odds.iter().enumerate() {
            let more = f32::from(u8::from(index == action)) - (odds / all) as f32;
            player.fired_by(index).iter().for_each(|unit| diary.trace[usize::from(*unit)] += more);
        }
        diary.reservoir.adapt(&self.plan, &player.memory, player.fired_by(action));
        player.take(action)
    }
}

impl Report {
    /// An episode has ended like this.
    pub(crate) fn end(&self, outcome: &Outcome) {
        let mut diary = locked(&self.diary);
        let has = self.goal.of(outcome, diary.seat);
        diary.reward(&self.mind, has);
    }

    /// What was learned in all episodes.
    pub(crate) fn changes(self) -> Changes {
        let diary = locked(&self.diary);
        Changes { units: diary.reservoir.less(self.mind.units()), ..diary.changes.clone() }
    }
}

fn locked(diary: &Mutex<Diary>) -> MutexGuard<'_, Diary> {
    diary.lock().unwrap_or_else(PoisonError::into_inner)
}

/// About e to `power`, which is 0 or below; by additions, multiplications and divisions alone, so that it is the same to the
/// last bit on every machine.
fn odds(power: f64) -> f64 {
    // (1 - x/64)^-64, with the power in six squares.
    let mut odds = 1.0 / (1.0 - power / 64.0);
    for _ in 0..6 {
        odds *= odds;
    }
    odds
}
