use std::sync::Arc;

use meeple_core::{
    ActionKind, ActionValue, Analysis, Encoding, Foreseen, NoEvents, Outcome, Phase, Playable, Seat, Stream,
    Turn, Viewer,
};

use crate::advice::Advice;
use crate::goal::Goal;
use crate::model::LearnedModel;
use crate::network::Scratch;
use crate::play_settings::PlaySettings;

/// Takes the action with the best afterstate: the position before chance draws and before others decide.
///
/// Afterstates are reached from a determinization of the seat's observation, so no hidden information leaks.
pub(crate) struct AfterstateAgent<G: Playable> {
    model: Arc<LearnedModel>,
    encoding: Encoding<G>,
    goal: Goal,
    samples: u32,
    advice: Option<Advice<G>>,
    doubt: f32,
    determinization: G::State,
    state: G::State,
    outcome: Outcome,
    scratch: Scratch,
    actions: Vec<G::Action>,
    /// `[n_actions]`
    values: Vec<f32>,
    /// Features of the last evaluated position, and of the best afterstate.
    features: Vec<f32>,
    best_features: Vec<f32>,
}

pub(crate) struct Evaluation<'a> {
    /// Value of the position, in units of the goal.
    pub(crate) value: f32,
    pub(crate) features: &'a [f32],
}

impl<G: Playable> AfterstateAgent<G> {
    pub(crate) fn new(
        game: &G,
        model: Arc<LearnedModel>,
        encoding: Encoding<G>,
        settings: PlaySettings,
    ) -> Self {
        let inputs = model.inputs();
        let PlaySettings { goal, samples, doubt, .. } = settings;
        let advice = doubt.map(|_| Advice::new(game));
        let doubt = doubt.unwrap_or(0.0);
        Self {
            model,
            encoding,
            goal,
            samples,
            advice,
            doubt,
            determinization: game.initial_state(),
            state: game.initial_state(),
            outcome: Outcome::default(),
            scratch: Scratch::default(),
            actions: Vec::new(),
            values: Vec::new(),
            features: vec![0.0; inputs],
            best_features: vec![0.0; inputs],
        }
    }

    /// Begins an episode: hints may remember what the seat has seen in it.
    pub(crate) fn begin_episode(&mut self, game: &G, seat: Seat) {
        if let Some(advice) = &mut self.advice {
            advice.hints.begin_episode(game, seat);
        }
    }

    /// Takes the best action, the first among equals; with probability `explore` a uniformly random one. With
    /// advice, the values of all actions but the first are reduced by `doubt`. A forced action has no
    /// evaluation, unless the turn is analysed.
    pub(crate) fn choose(
        &mut self,
        turn: &mut Turn<'_, G>,
        explore: f64,
    ) -> (G::Action, Option<Evaluation<'_>>) {
        let (game, seat) = (turn.game(), turn.seat());
        self.actions.clear();
        let advised = self.advice.is_some() && game.info().actions == ActionKind::Structured;
        if !advised {
            turn.candidates(self.samples, &mut self.actions);
            if self.actions.len() == 1 && !turn.is_analysed() {
                return (self.actions.pop().expect("there is one"), None);
            }
        }
        game.determinize(&turn.observe(), turn.rng(), &mut self.determinization);
        if let Some(advice) = &mut self.advice {
            let decision = (game, seat, &turn.observe());
            advice.filter(decision, &self.determinization, self.samples, turn.rng(), &mut self.actions);
            if self.actions.is_empty() {
                turn.candidates(self.samples, &mut self.actions);
            }
            if self.actions.len() == 1 && !turn.is_analysed() {
                return (self.actions.pop().expect("there is one"), None);
            }
        }
        if explore > 0.0 && turn.rng().chance(explore) {
            let random = turn.rng().index(self.actions.len());
            let action = self.actions.swap_remove(random);
            let value = self.evaluate_afterstate(game, seat, &action);
            return (action, Some(Evaluation { value, features: &self.features }));
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let (mut best, mut at) = (f32::NEG_INFINITY, 0);
        for index in 0..self.actions.len() {
            let action = std::mem::take(&mut self.actions[index]);
            let value = self.evaluate_afterstate(game, seat, &action);
            self.actions[index] = action;
            values.push(value);
            let value = if index > 0 { value - self.doubt } else { value };
            if value > best {
                (best, at) = (value, index);
                std::mem::swap(&mut self.features, &mut self.best_features);
            }
        }
        let best = values[at];
        self.values = values;
        if turn.is_analysed() {
            self.report(turn, at);
        }
        let action = self.actions.swap_remove(at);
        (action, Some(Evaluation { value: best, features: &self.best_features }))
    }

    fn report(&mut self, turn: &mut Turn<'_, G>, best: usize) {
        let valued = |action: &G::Action, value: f32| ActionValue {
            action: action.clone(),
            visits: 1,
            value: value.into(),
            error: None,
        };
        let values = self.actions.iter().zip(&self.values);
        let mut actions: Vec<_> = values.map(|(action, value)| valued(action, *value)).collect();
        let (game, seat) = (turn.game(), turn.seat());
        if let Some(about) = turn.asked_about().filter(|about| !self.actions.contains(about)).cloned() {
            let value = self.evaluate_afterstate(game, seat, &about);
            actions.push(valued(&about, value));
        }
        let line = vec![Foreseen { seat, action: self.actions[best].clone() }];
        turn.tell(Analysis { iterations: 0, unit: self.goal.unit(), actions, line });
    }

    /// Evaluates the position in which a seat has yet to decide.
    pub(crate) fn evaluate_state(
        &mut self,
        game: &G,
        seat: Seat,
        seen: &G::Observation<'_>,
    ) -> Evaluation<'_> {
        (self.encoding.write)(game, seen, seat, &mut self.features);
        let value = self.model.network.value(&self.features, &mut self.scratch);
        Evaluation { value, features: &self.features }
    }

    pub(crate) fn evaluate_action(
        &mut self,
        game: &G,
        seat: Seat,
        seen: &G::Observation<'_>,
        action: &G::Action,
        rng: &mut Stream,
    ) -> Evaluation<'_> {
        game.determinize(seen, rng, &mut self.determinization);
        let value = self.evaluate_afterstate(game, seat, action);
        Evaluation { value, features: &self.features }
    }

    /// Value of the afterstate in the determinization; the features go to `features`.
    fn evaluate_afterstate(&mut self, game: &G, seat: Seat, action: &G::Action) -> f32 {
        self.state.clone_from(&self.determinization);
        game.apply_unchecked(&mut self.state, seat, action, &mut NoEvents);
        let seen = game.observe(&self.state, Viewer::Seat(seat));
        (self.encoding.write)(game, &seen, seat, &mut self.features);
        if game.phase(&self.state) == Phase::Over {
            self.outcome.clear();
            game.outcome(&self.state, &mut self.outcome);
            self.goal.of(&self.outcome, seat)
        } else {
            self.model.network.value(&self.features, &mut self.scratch)
        }
    }
}
