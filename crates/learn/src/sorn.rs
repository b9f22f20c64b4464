//! Decisions of a self-organising network, and reinforcement learning of its readout.
//!
//! The readout sums the units excited by an action's afterstate and by those that fired at the last decision.
//! Action probabilities are the softmax of the sums. The readout learns by a three-factor rule with
//! eligibility traces: Δw = η (r − r̄) e, e ← λ e + (x − E x). Here x are the units that fired, and r is the
//! reward.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meeple_core::{Agent, Encoding, NoEvents, Outcome, Playable, Seat, Turn, Viewer};

use crate::goal::Goal;
use crate::model::LearnedModel;
use crate::reservoir::{Reservoir, SornPlan};

/// Plays a self-organising network. Its memory is the units that fired at the last decision of the episode.
/// If asked again in the same position, the agent decides from the same memory.
pub(crate) struct SornAgent<G: Playable> {
    model: Arc<LearnedModel>,
    encoding: Encoding<G>,
    samples: u32,
    determinization: G::State,
    state: G::State,
    actions: Vec<G::Action>,
    /// Units that fired at the last decision, its features, and the units that had fired before it.
    memory: Vec<u16>,
    last_features: Vec<f32>,
    previous_memory: Vec<u16>,
    /// Units that fire, `[n_actions, winners]`, and the readout's sums, `[n_actions]`.
    fired: Vec<u16>,
    sums: Vec<f32>,
    /// Probabilities, not normalised: 1 for the likeliest action.
    odds: Vec<f64>,
    drive: Vec<f32>,
    driven: Vec<f32>,
    order: Vec<u16>,
    features: Vec<f32>,
    afterstate: Vec<f32>,
}

impl<G: Playable> SornAgent<G> {
    pub(crate) fn new(
        game: &G,
        model: Arc<LearnedModel>,
        encoding: Encoding<G>,
        inputs: usize,
        samples: u32,
    ) -> Self {
        Self {
            model,
            encoding,
            samples,
            determinization: game.initial_state(),
            state: game.initial_state(),
            actions: Vec::new(),
            memory: Vec::new(),
            last_features: Vec::new(),
            previous_memory: Vec::new(),
            fired: Vec::new(),
            sums: Vec::new(),
            odds: Vec::new(),
            drive: Vec::new(),
            driven: Vec::new(),
            order: Vec::new(),
            features: vec![0.0; inputs],
            afterstate: vec![0.0; inputs],
        }
    }

    /// Evaluates all actions; false if there is no choice.
    fn evaluate(&mut self, turn: &mut Turn<'_, G>, reservoir: &Reservoir) -> bool {
        let (game, seat) = (turn.game(), turn.seat());
        self.actions.clear();
        turn.candidates(self.samples, &mut self.actions);
        if self.actions.len() == 1 {
            return false;
        }
        let seen = turn.observe();
        game.determinize(&seen, turn.rng(), &mut self.determinization);
        (self.encoding.write)(game, &seen, seat, &mut self.features);
        if self.features == self.last_features {
            self.memory.clone_from(&self.previous_memory);
        } else {
            self.last_features.clone_from(&self.features);
            self.previous_memory.clone_from(&self.memory);
        }
        reservoir.recurrent_drive(&self.memory, &mut self.drive);
        self.fired.clear();
        self.sums.clear();
        for action in &self.actions {
            self.state.clone_from(&self.determinization);
            game.apply_unchecked(&mut self.state, seat, action, &mut NoEvents);
            let seen = game.observe(&self.state, Viewer::Seat(seat));
            (self.encoding.write)(game, &seen, seat, &mut self.afterstate);
            self.driven.clone_from(&self.drive);
            reservoir.add_input_drive(&self.features, &self.afterstate, &mut self.driven);
            let begin = self.fired.len();
            reservoir.fire(&self.driven, &mut self.order, &mut self.fired);
            let weights = &self.model.network.weights;
            self.sums.push(self.fired[begin..].iter().map(|unit| weights[usize::from(*unit)]).sum());
        }
        let best = self.sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        self.odds.clear();
        self.odds.extend(
            self.sums.iter().map(|sum| approximate_exp(f64::from((sum - best) / reservoir.temperature))),
        );
        true
    }

    fn sample(&self, turn: &mut Turn<'_, G>) -> usize {
        turn.rng().weighted(&self.odds).expect("the best has odds of 1")
    }

    fn fired_by(&self, action: usize) -> &[u16] {
        let winners = self.fired.len() / self.sums.len();
        &self.fired[action * winners..][..winners]
    }

    fn take(&mut self, action: usize) -> G::Action {
        let mut memory = std::mem::take(&mut self.memory);
        memory.clear();
        memory.extend_from_slice(self.fired_by(action));
        self.memory = memory;
        self.actions.swap_remove(action)
    }
}

impl<G: Playable> Agent<G> for SornAgent<G> {
    fn begin_episode(&mut self, _: &G, _: Seat) {
        self.memory.clear();
        self.last_features.clear();
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let model = Arc::clone(&self.model);
        if !self.evaluate(&mut turn, model.units()) {
            return self.actions.swap_remove(0);
        }
        let action = self.sample(&mut turn);
        self.take(action)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SornUpdate {
    /// Sum over rewards of (r − r̄) e, `[units]`, with r − r̄ in units of the reward scale.
    pub(crate) readout: Vec<f32>,
    /// Change of the links and thresholds, `[units² + units]`.
    pub(crate) units: Vec<f32>,
    /// Sum of the rewards and of their squares.
    pub(crate) rewards: [f64; 2],
    pub(crate) count: usize,
}

struct RewardTrace {
    seat: Seat,
    reservoir: Reservoir,
    /// Eligibility of each weight, `[units]`.
    eligibility: Vec<f32>,
    last_value: f32,
    update: SornUpdate,
}

impl RewardTrace {
    /// Adds the change of the goal's value, as a reward, to the update.
    fn reward(&mut self, model: &LearnedModel, value: f32) {
        let reward = value - self.last_value;
        self.last_value = value;
        let surprise = (reward - model.network.offset) / model.network.scale;
        let readout = self.update.readout.iter_mut().zip(&self.eligibility);
        readout.for_each(|(sum, eligibility)| *sum += surprise * eligibility);
        self.update.rewards[0] += f64::from(reward);
        self.update.rewards[1] += f64::from(reward) * f64::from(reward);
        self.update.count += 1;
    }
}

#[derive(Clone, Copy)]
pub(crate) struct SornSettings<'a> {
    pub(crate) plan: &'a SornPlan,
    pub(crate) goal: Goal,
    pub(crate) lambda: f32,
    pub(crate) explore: f64,
}

struct SornLearner<G: Playable> {
    player: SornAgent<G>,
    plan: SornPlan,
    goal: Goal,
    lambda: f32,
    explore: f64,
    trace: Arc<Mutex<RewardTrace>>,
    outcome: Outcome,
}

/// Access to a learner's updates while it plays.
pub(crate) struct SornRecord {
    goal: Goal,
    model: Arc<LearnedModel>,
    trace: Arc<Mutex<RewardTrace>>,
}

pub(crate) fn sorn_learner<G: Playable>(
    game: &G,
    model: &Arc<LearnedModel>,
    encoding: Encoding<G>,
    samples: u32,
    settings: SornSettings<'_>,
) -> (Box<dyn Agent<G>>, SornRecord) {
    let SornSettings { plan, goal, lambda, explore } = settings;
    let reservoir = model.units().clone();
    let units = reservoir.units();
    let update = SornUpdate { readout: vec![0.0; units], ..SornUpdate::default() };
    let player = SornAgent::new(game, Arc::clone(model), encoding, reservoir.inputs, samples);
    let eligibility = vec![0.0; units];
    let trace = RewardTrace { seat: Seat::new(0), reservoir, eligibility, last_value: 0.0, update };
    let trace = Arc::new(Mutex::new(trace));
    let record = SornRecord { goal, model: Arc::clone(model), trace: Arc::clone(&trace) };
    let (plan, outcome) = (plan.clone(), Outcome::default());
    (Box::new(SornLearner { player, plan, goal, lambda, explore, trace, outcome }), record)
}

impl<G: Playable> Agent<G> for SornLearner<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.player.begin_episode(game, seat);
        let mut trace = locked(&self.trace);
        (trace.seat, trace.last_value) = (seat, 0.0);
        trace.eligibility.fill(0.0);
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (player, mut trace) = (&mut self.player, locked(&self.trace));
        let trace = &mut *trace;
        if !player.evaluate(&mut turn, &trace.reservoir) {
            return player.actions.swap_remove(0);
        }
        if self.goal != Goal::Win {
            let (game, state) = (turn.game(), &player.determinization);
            self.outcome.clear();
            self.outcome.scores.extend(Seat::all(game.seats()).map(|seat| game.score(state, seat)));
            trace.reward(&player.model, self.goal.of(&self.outcome, trace.seat));
        }
        let sum: f64 = player.odds.iter().sum();
        let action = if turn.rng().chance(self.explore) {
            turn.rng().index(player.odds.len())
        } else {
            player.sample(&mut turn)
        };
        trace.eligibility.iter_mut().for_each(|eligibility| *eligibility *= self.lambda);
        for (index, odds) in player.odds.iter().enumerate() {
            let more = f32::from(u8::from(index == action)) - (odds / sum) as f32;
            player.fired_by(index).iter().for_each(|unit| trace.eligibility[usize::from(*unit)] += more);
        }
        trace.reservoir.adapt(&self.plan, &player.memory, player.fired_by(action));
        player.take(action)
    }
}

impl SornRecord {
    pub(crate) fn end(&self, outcome: &Outcome) {
        let mut trace = locked(&self.trace);
        let value = self.goal.of(outcome, trace.seat);
        trace.reward(&self.model, value);
    }

    pub(crate) fn update(self) -> SornUpdate {
        let trace = locked(&self.trace);
        SornUpdate { units: trace.reservoir.difference(self.model.units()), ..trace.update.clone() }
    }
}

fn locked(trace: &Mutex<RewardTrace>) -> MutexGuard<'_, RewardTrace> {
    trace.lock().unwrap_or_else(PoisonError::into_inner)
}

/// (1 − x/64)⁻⁶⁴ ≈ eˣ for x ≤ 0, with the same bits on every machine. Stored players were trained with it,
/// not with the more precise function of [`crate::softmax`].
fn approximate_exp(exponent: f64) -> f64 {
    let mut power = 1.0 / (1.0 - exponent / 64.0);
    for _ in 0..6 {
        power *= power;
    }
    power
}
