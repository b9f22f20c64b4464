//! Policies: a softmax over the scores of afterstates, and the gradient of their loss.
//!
//! Only legal actions are scored, so no mask is needed.

use std::sync::Arc;

use meeple_core::{ActionKind, Encoding, Game, NoEvents, Playable, Seat, Stream, Turn, Viewer};

use crate::advice::Advice;
use crate::batch::PolicyTarget;
use crate::model::LearnedModel;
use crate::network::{Network, Scratch};
use crate::play_settings::PlaySettings;
use crate::softmax::softmax;

pub(crate) struct Decision<'a, 'o, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) seat: Seat,
    pub(crate) seen: &'a G::Observation<'o>,
}

impl<G: Game> Clone for Decision<'_, '_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Decision<'_, '_, G> {}

/// Scores a seat's actions by their afterstates. Action probabilities are the softmax of the scores.
pub(crate) struct Policy<G: Playable> {
    model: Arc<LearnedModel>,
    encoding: Encoding<G>,
    samples: u32,
    temperature: f32,
    advice: Option<Advice<G>>,
    determinization: G::State,
    state: G::State,
    scratch: Scratch,
    action_buffer: Vec<G::Action>,
    actions: Vec<G::Action>,
    /// Afterstates, `[n_actions, features]`.
    features: Vec<f32>,
    /// `[n_actions]`.
    scores: Vec<f32>,
    /// `[n_actions]`.
    probabilities: Vec<f64>,
    /// Features of the position in which the seat decides, for the critic.
    state_features: Vec<f32>,
}

impl<G: Playable> Policy<G> {
    pub(crate) fn new(
        game: &G,
        model: Arc<LearnedModel>,
        encoding: Encoding<G>,
        settings: PlaySettings,
    ) -> Self {
        let inputs = model.inputs();
        let PlaySettings { samples, doubt, temperature, .. } = settings;
        Self {
            model,
            encoding,
            samples,
            temperature,
            advice: doubt.map(|_| Advice::new(game)),
            determinization: game.initial_state(),
            state: game.initial_state(),
            scratch: Scratch::default(),
            action_buffer: Vec::new(),
            actions: Vec::new(),
            features: Vec::new(),
            scores: Vec::new(),
            probabilities: Vec::new(),
            state_features: vec![0.0; inputs],
        }
    }

    /// Begins an episode: hints may remember what the seat has seen in it.
    pub(crate) fn begin_episode(&mut self, game: &G, seat: Seat) {
        if let Some(advice) = &mut self.advice {
            advice.hints.begin_episode(game, seat);
        }
    }

    /// Lists the candidates, with `extra` at the end if it is not among them, and returns their number.
    pub(crate) fn list(
        &mut self,
        Decision { game, seat, seen }: Decision<'_, '_, G>,
        rng: &mut Stream,
        extra: Option<&G::Action>,
    ) -> usize {
        let Self { actions, determinization, samples, .. } = self;
        actions.clear();
        game.determinize(seen, rng, determinization);
        if game.info().actions == ActionKind::Listed {
            game.legal_actions(determinization, seat, actions);
        }
        if let Some(advice) = self.advice.as_mut().filter(|_| actions.len() != 1) {
            advice.filter((game, seat, seen), determinization, *samples, rng, actions);
        }
        if actions.is_empty() {
            for _ in 0..*samples {
                self.action_buffer.clear();
                let action = game.sample_action(determinization, seat, rng, &mut self.action_buffer);
                if !actions.contains(&action) {
                    actions.push(action);
                }
            }
        }
        if let Some(extra) = extra.filter(|extra| !actions.contains(extra)) {
            actions.push(extra.clone());
        }
        actions.len()
    }

    pub(crate) fn set_actions<'a>(
        &mut self,
        Decision { game, seen, .. }: Decision<'_, '_, G>,
        rng: &mut Stream,
        actions: impl Iterator<Item = &'a G::Action>,
    ) {
        game.determinize(seen, rng, &mut self.determinization);
        self.actions.clear();
        self.actions.extend(actions.cloned());
    }

    pub(crate) fn score(&mut self, game: &G, seat: Seat) {
        let inputs = self.state_features.len();
        self.features.resize(self.actions.len() * inputs, 0.0);
        self.scores.clear();
        for (action, features) in self.actions.iter().zip(self.features.chunks_exact_mut(inputs)) {
            self.state.clone_from(&self.determinization);
            game.apply_unchecked(&mut self.state, seat, action, &mut NoEvents);
            let seen = game.observe(&self.state, Viewer::Seat(seat));
            (self.encoding.write)(game, &seen, seat, features);
            self.scores.push(self.model.network.value(features, &mut self.scratch));
        }
        let temperature = if self.temperature > 0.0 { self.temperature } else { 1.0 };
        softmax(&self.scores, temperature, &mut self.probabilities);
    }

    /// Samples an action; at temperature 0 takes the highest score, the first among equals.
    pub(crate) fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (game, seat, seen) = (turn.game(), turn.seat(), turn.observe());
        if self.list(Decision { game, seat, seen: &seen }, turn.rng(), None) == 1 {
            return self.actions.swap_remove(0);
        }
        self.score(game, seat);
        let action = if self.temperature > 0.0 { self.sample(turn.rng()) } else { self.argmax() };
        self.actions.swap_remove(action)
    }

    pub(crate) fn sample(&self, rng: &mut Stream) -> usize {
        rng.weighted(&self.probabilities).expect("the likeliest has a probability above 0")
    }

    fn argmax(&self) -> usize {
        let mut best = 0;
        for (index, score) in self.scores.iter().enumerate() {
            if *score > self.scores[best] {
                best = index;
            }
        }
        best
    }

    pub(crate) fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    pub(crate) fn take(&mut self, action: usize) -> G::Action {
        self.actions.swap_remove(action)
    }

    /// `[n_actions]`.
    pub(crate) fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Afterstates, `[n_actions, features]`.
    pub(crate) fn features(&self) -> &[f32] {
        &self.features
    }

    /// The critic's value of the position, and its features.
    pub(crate) fn evaluate(&mut self, Decision { game, seat, seen }: Decision<'_, '_, G>) -> (f32, &[f32]) {
        (self.encoding.write)(game, seen, seat, &mut self.state_features);
        let critic = self.model.critic.as_ref().expect("a policy in training has a critic");
        (critic.value(&self.state_features, &mut self.scratch), &self.state_features)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PolicyExample<'a> {
    pub target: PolicyTarget<'a>,
    /// Normalised advantage of the sampled action; unused if an expert set the target.
    pub advantage: f32,
    pub entropy: f32,
}

/// Clipping range of the probability ratio (PPO; Schulman et al. 2017).
const CLIP: f64 = 0.2;

#[derive(Default)]
pub struct PolicyScratch {
    scratch: Scratch,
    scores: Vec<f32>,
    probabilities: Vec<f64>,
}

/// Accumulates the gradient of a decision's loss, `[n_weights]`, and returns 1 − p(target), in `0..=1`.
///
/// The loss is the cross entropy to an expert's target, or the clipped PPO loss of a sampled action, less the
/// entropy bonus.
pub fn accumulate_policy_gradient(
    network: &Network,
    example: &PolicyExample<'_>,
    gradient: &mut [f32],
    scratch: &mut PolicyScratch,
) -> f64 {
    let PolicyTarget { features, probabilities: targets, behaviour } = example.target;
    let inputs = network.inputs();
    let rows = || features.chunks_exact(inputs);
    scratch.scores.clear();
    scratch.scores.extend(rows().map(|row| network.value(row, &mut scratch.scratch)));
    softmax(&scratch.scores, 1.0, &mut scratch.probabilities);
    let of_target: f64 = targets
        .iter()
        .zip(&scratch.probabilities)
        .map(|(target, probability)| f64::from(*target) * probability)
        .sum();
    let weight = match behaviour {
        None => 1.0,
        Some(behaviour) => {
            let (ratio, advantage) = (of_target / f64::from(behaviour), f64::from(example.advantage));
            let is_clipped = if advantage > 0.0 { ratio > 1.0 + CLIP } else { ratio < 1.0 - CLIP };
            if is_clipped { 0.0 } else { ratio * advantage }
        }
    };
    let mean_score: f64 = scratch
        .scores
        .iter()
        .zip(&scratch.probabilities)
        .map(|(score, probability)| f64::from(*score) * probability)
        .sum();
    let entropy = f64::from(example.entropy);
    let actions = rows().zip(&scratch.scores).zip(&scratch.probabilities).zip(targets);
    for (((row, score), probability), target) in actions {
        let of_score = weight * (probability - f64::from(*target))
            + entropy * probability * (f64::from(*score) - mean_score);
        if of_score != 0.0 {
            network.accumulate_output_gradient(row, of_score as f32, gradient, &mut scratch.scratch);
        }
    }
    1.0 - of_target
}
