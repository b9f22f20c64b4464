//! How a network decides: by what it says of the positions that its actions lead to.

use std::sync::Arc;

use meeple_core::{
    ActionKind, ActionValue, Analysis, Encoding, Foreseen, NoEvents, Outcome, Phase, Playable, Seat, Stream,
    Turn, ValueUnit, Viewer,
};

use crate::advice::Advice;
use crate::choosing::Choosing;
use crate::goal::Goal;
use crate::mind::Mind;
use crate::network::Scratch;

/// Chooses among the actions of a seat. What an action leads to is looked at before chance draws and before others
/// decide, in an imagined state that agrees with the observation, so that nothing is known that the seat may not know.
pub(crate) struct Chooser<G: Playable> {
    mind: Arc<Mind>,
    encoding: Encoding<G>,
    goal: Goal,
    samples: u32,
    advice: Option<Advice<G>>,
    doubt: f32,
    imagined: G::State,
    state: G::State,
    outcome: Outcome,
    scratch: Scratch,
    actions: Vec<G::Action>,
    values: Vec<f32>,
    numbers: Vec<f32>,
    best: Vec<f32>,
}

/// A position that an action leads to.
pub(crate) struct Judged<'a> {
    /// What the network says of it.
    pub(crate) value: f32,
    /// What the network has seen of it.
    pub(crate) numbers: &'a [f32],
}

impl<G: Playable> Chooser<G> {
    pub(crate) fn new(game: &G, mind: Arc<Mind>, encoding: Encoding<G>, choosing: Choosing) -> Self {
        let inputs = mind.inputs();
        let Choosing { goal, samples, doubt, .. } = choosing;
        let advice = doubt.map(|_| Advice::new(game));
        let doubt = doubt.unwrap_or(0.0);
        Self {
            mind,
            encoding,
            goal,
            samples,
            advice,
            doubt,
            imagined: game.initial_state(),
            state: game.initial_state(),
            outcome: Outcome::default(),
            scratch: Scratch::default(),
            actions: Vec::new(),
            values: Vec::new(),
            numbers: vec![0.0; inputs],
            best: vec![0.0; inputs],
        }
    }

    /// Another episode begins: what the game advises may hang on what the seat has seen in it.
    pub(crate) fn begin_episode(&mut self, game: &G, seat: Seat) {
        if let Some(advice) = &mut self.advice {
            advice.hints.begin_episode(game, seat);
        }
    }

    /// Takes the action that leads to the best, the first of equal ones; one in so many, `explore` of 1, is any instead. Without
    /// a choice nothing is judged.
    pub(crate) fn choose(&mut self, turn: &mut Turn<'_, G>, explore: f64) -> (G::Action, Option<Judged<'_>>) {
        let (game, seat) = (turn.game(), turn.seat());
        self.actions.clear();
        let advised = self.advice.is_some() && game.info().actions == ActionKind::Structured;
        if !advised {
            turn.candidates(self.samples, &mut self.actions);
            if self.actions.len() == 1 && !turn.is_analysed() {
                return (self.actions.pop().expect("there is one"), None);
            }
        }
        game.determinize(&turn.observe(), turn.rng(), &mut self.imagined);
        if let Some(advice) = &mut self.advice {
            let decision = (game, seat, &turn.observe());
            advice.take(decision, &self.imagined, self.samples, turn.rng(), &mut self.actions);
            if self.actions.is_empty() {
                turn.candidates(self.samples, &mut self.actions);
            }
            if self.actions.len() == 1 && !turn.is_analysed() {
                return (self.actions.pop().expect("there is one"), None);
            }
        }
        if explore > 0.0 && turn.rng().chance(explore) {
            let any = turn.rng().index(self.actions.len());
            let action = self.actions.swap_remove(any);
            let value = self.look(game, seat, &action);
            return (action, Some(Judged { value, numbers: &self.numbers }));
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let (mut best, mut at) = (f32::NEG_INFINITY, 0);
        for index in 0..self.actions.len() {
            let action = std::mem::take(&mut self.actions[index]);
            let value = self.look(game, seat, &action);
            self.actions[index] = action;
            values.push(value);
            let value = if index > 0 { value - self.doubt } else { value };
            if value > best {
                (best, at) = (value, index);
                std::mem::swap(&mut self.numbers, &mut self.best);
            }
        }
        let best = values[at];
        self.values = values;
        if turn.is_analysed() {
            self.tell(turn, at);
        }
        let action = self.actions.swap_remove(at);
        (action, Some(Judged { value: best, numbers: &self.best }))
    }

    /// Tells what all actions lead to, of which it takes the one at `best`.
    fn tell(&mut self, turn: &mut Turn<'_, G>, best: usize) {
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
            let value = self.look(game, seat, &about);
            actions.push(valued(&about, value));
        }
        let unit = match self.goal {
            Goal::Win => ValueUnit::Utility,
            Goal::Score | Goal::Margin => ValueUnit::Points,
        };
        let line = vec![Foreseen { seat, action: self.actions[best].clone() }];
        turn.tell(Analysis { iterations: 0, unit, actions, line });
    }

    /// What is to be expected where a seat has yet to decide.
    pub(crate) fn judge_before(&mut self, game: &G, seat: Seat, seen: &G::Observation<'_>) -> Judged<'_> {
        (self.encoding.write)(game, seen, seat, &mut self.numbers);
        let value = self.mind.network.value(&self.numbers, &mut self.scratch);
        Judged { value, numbers: &self.numbers }
    }

    /// What an action of somebody who has seen this leads to.
    pub(crate) fn judge(
        &mut self,
        game: &G,
        seat: Seat,
        seen: &G::Observation<'_>,
        action: &G::Action,
        rng: &mut Stream,
    ) -> Judged<'_> {
        game.determinize(seen, rng, &mut self.imagined);
        let value = self.look(game, seat, action);
        Judged { value, numbers: &self.numbers }
    }

    /// What `action` in the imagined state leads to: its value, and its numbers in `numbers`.
    fn look(&mut self, game: &G, seat: Seat, action: &G::Action) -> f32 {
        self.state.clone_from(&self.imagined);
        game.apply_unchecked(&mut self.state, seat, action, &mut NoEvents);
        let seen = game.observe(&self.state, Viewer::Seat(seat));
        (self.encoding.write)(game, &seen, seat, &mut self.numbers);
        if game.phase(&self.state) == Phase::Over {
            self.outcome.clear();
            game.outcome(&self.state, &mut self.outcome);
            self.goal.of(&self.outcome, seat)
        } else {
            self.mind.network.value(&self.numbers, &mut self.scratch)
        }
    }
}
