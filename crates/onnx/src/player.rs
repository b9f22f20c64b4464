//! An agent that plays by an ONNX network.

use meeple_core::{
    ActionValue, Agent, Analysis, Encoding, Foreseen, NoEvents, Outcome, Phase, Playable, Seat, Turn, Viewer,
};
use meeple_learn::LearnError;

use crate::model::{Model, ModelOutput, Wanted};

/// Agent that plays a network of another program: its policy, if there is one, else the action of the best
/// value.
///
/// An action's value is that of its successor, before chance draws and before others decide, in a sampled
/// state that agrees with the observation. Networks trained here are used in the same way. All actions are
/// evaluated in one batch.
pub struct OnnxPlayer<G: Playable> {
    model: Model,
    encoding: Encoding<G>,
    samples: u32,
    imagined: G::State,
    state: G::State,
    outcome: Outcome,
    actions: Vec<G::Action>,
    values: Vec<f32>,
    asked: Vec<usize>,
    rows: Vec<f32>,
    outputs: Vec<f32>,
}

impl<G: Playable> OnnxPlayer<G> {
    /// Loads a network. If actions cannot be listed, the player chooses among `samples` random ones.
    ///
    /// # Errors
    /// If there is no such file, or its network is for another game or setting.
    pub fn new(game: &G, file: &str, samples: u32) -> Result<Self, LearnError> {
        let encoding = game.encoding().ok_or(LearnError::NoEncoding(game.info().id))?;
        if file.is_empty() {
            return Err(LearnError::Network {
                what: "onnx".to_owned(),
                expected: "a file".to_owned(),
                found: "none".to_owned(),
                hint: "onnx:FILE plays a network of another program",
            });
        }
        let model = Model::read(&Wanted::by(game, &encoding), file)?;
        Ok(Self {
            model,
            encoding,
            samples,
            imagined: game.initial_state(),
            state: game.initial_state(),
            outcome: Outcome::default(),
            actions: Vec::new(),
            values: Vec::new(),
            asked: Vec::new(),
            rows: Vec::new(),
            outputs: Vec::new(),
        })
    }

    /// Evaluates the actions by the values of their successor states.
    fn look_ahead(&mut self, game: &G, seat: Seat) {
        self.rows.clear();
        self.values.clear();
        self.asked.clear();
        for (index, action) in self.actions.iter().enumerate() {
            self.state.clone_from(&self.imagined);
            game.apply_unchecked(&mut self.state, seat, action, &mut NoEvents);
            if game.phase(&self.state) == Phase::Over {
                // The result of a finished game is known, not predicted.
                self.outcome.clear();
                game.outcome(&self.state, &mut self.outcome);
                self.values.push(self.model.goal().of(&self.outcome, seat));
            } else {
                let seen = game.observe(&self.state, Viewer::Seat(seat));
                add_row(game, &self.encoding, &seen, seat, self.model.size(), &mut self.rows);
                self.values.push(f32::NEG_INFINITY);
                self.asked.push(index);
            }
        }
        if !self.asked.is_empty() {
            self.model.ask(ModelOutput::Value, &self.rows, &mut self.outputs);
            self.asked.iter().zip(&self.outputs).for_each(|(index, output)| self.values[*index] = *output);
        }
    }

    /// Evaluates the actions by the policy's scores.
    fn ask_policy(&mut self, turn: &Turn<'_, G>) {
        let (game, seat, seen) = (turn.game(), turn.seat(), turn.observe());
        self.rows.clear();
        add_row(game, &self.encoding, &seen, seat, self.model.size(), &mut self.rows);
        self.model.ask(ModelOutput::Policy, &self.rows, &mut self.outputs);
        let liked = |action: &G::Action| self.outputs[game.action_id(&self.imagined, seat, action) as usize];
        self.values.clear();
        self.values.extend(self.actions.iter().map(liked));
    }

    /// Reports the values of the actions; the player takes the action at `best`.
    fn tell(&self, turn: &mut Turn<'_, G>, best: usize) {
        let valued = self.actions.iter().zip(&self.values).filter(|(_, value)| value.is_finite());
        let actions = valued.map(|(action, value)| ActionValue {
            action: action.clone(),
            visits: 1,
            value: f64::from(*value),
            error: None,
        });
        let line = vec![Foreseen { seat: turn.seat(), action: self.actions[best].clone() }];
        turn.tell(Analysis {
            iterations: 0,
            unit: self.model.goal().unit(),
            actions: actions.collect(),
            line,
        });
    }
}

impl<G: Playable> Agent<G> for OnnxPlayer<G> {
    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        self.actions.clear();
        turn.candidates(self.samples, &mut self.actions);
        if self.actions.len() == 1 && !turn.is_analysed() {
            return self.actions.pop().expect("there is one");
        }
        turn.game().determinize(&turn.observe(), turn.rng(), &mut self.imagined);
        let by_policy = self.model.tells(ModelOutput::Policy);
        let about = turn.asked_about().filter(|about| !by_policy && !self.actions.contains(about)).cloned();
        let candidates = self.actions.len();
        self.actions.extend(about);
        if by_policy {
            self.ask_policy(&turn);
        } else {
            self.look_ahead(turn.game(), turn.seat());
        }
        // The best action, the first among equals.
        let mut best = 0;
        for index in 1..candidates {
            if self.values[index] > self.values[best] {
                best = index;
            }
        }
        // Scores of a policy are no values, and are not reported.
        if turn.is_analysed() && !by_policy {
            self.tell(&mut turn, best);
        }
        self.actions.swap_remove(best)
    }
}

/// Appends the seat's observation as a row of numbers.
fn add_row<G: Playable>(
    game: &G,
    encoding: &Encoding<G>,
    seen: &G::Observation<'_>,
    seat: Seat,
    size: usize,
    rows: &mut Vec<f32>,
) {
    let begin = rows.len();
    rows.resize(begin + size, 0.0);
    (encoding.write)(game, seen, seat, &mut rows[begin..]);
}
