//! How a policy decides: by scores of the positions that its actions lead to.
//!
//! What cannot be done has no score: the legal actions themselves are the mask.

use std::sync::Arc;

use meeple_core::{ActionKind, Encoding, NoEvents, Playable, Seat, Stream, Turn, Viewer};

use crate::advice::Advice;
use crate::choosing::Choosing;
use crate::lessons::Options;
use crate::mind::Mind;
use crate::network::{Network, Scratch};
use crate::odds::softmax;

/// What a decision is about: the game, who decides, and what that seat has seen.
pub(crate) type Decision<'a, 'o, G> = (&'a G, Seat, &'a <G as meeple_core::Game>::Observation<'o>);

/// Scores the actions of a seat, by what each leads to before chance draws and before others decide, in an imagined state that
/// agrees with the observation. How likely it takes one is e to its score, over the sum of all.
pub(crate) struct Policy<G: Playable> {
    mind: Arc<Mind>,
    encoding: Encoding<G>,
    samples: u32,
    temperature: f32,
    advice: Option<Advice<G>>,
    imagined: G::State,
    state: G::State,
    scratch: Scratch,
    spare: Vec<G::Action>,
    actions: Vec<G::Action>,
    /// By action, the numbers of the position that it leads to.
    numbers: Vec<f32>,
    scores: Vec<f32>,
    chances: Vec<f64>,
    /// The position in which it decides.
    before: Vec<f32>,
}

impl<G: Playable> Policy<G> {
    pub(crate) fn new(game: &G, mind: Arc<Mind>, encoding: Encoding<G>, choosing: Choosing) -> Self {
        let inputs = mind.inputs();
        let Choosing { samples, doubt, temperature, .. } = choosing;
        Self {
            mind,
            encoding,
            samples,
            temperature,
            advice: doubt.map(|_| Advice::new(game)),
            imagined: game.initial_state(),
            state: game.initial_state(),
            scratch: Scratch::default(),
            spare: Vec::new(),
            actions: Vec::new(),
            numbers: Vec::new(),
            scores: Vec::new(),
            chances: Vec::new(),
            before: vec![0.0; inputs],
        }
    }

    /// Another episode begins: what the game advises may hang on what the seat has seen in it.
    pub(crate) fn begin_episode(&mut self, game: &G, seat: Seat) {
        if let Some(advice) = &mut self.advice {
            advice.hints.begin_episode(game, seat);
        }
    }

    /// Finds the actions to choose from, and `wanted`, if that is not among them. How many there are.
    pub(crate) fn find(
        &mut self,
        (game, seat, seen): Decision<'_, '_, G>,
        rng: &mut Stream,
        wanted: Option<&G::Action>,
    ) -> usize {
        let Self { actions, imagined, samples, .. } = self;
        actions.clear();
        game.determinize(seen, rng, imagined);
        if game.info().actions == ActionKind::Listed {
            game.legal_actions(imagined, seat, actions);
        }
        if let Some(advice) = self.advice.as_mut().filter(|_| actions.len() != 1) {
            advice.take((game, seat, seen), imagined, *samples, rng, actions);
        }
        if actions.is_empty() {
            for _ in 0..*samples {
                self.spare.clear();
                let action = game.sample_action(imagined, seat, rng, &mut self.spare);
                if !actions.contains(&action) {
                    actions.push(action);
                }
            }
        }
        if let Some(wanted) = wanted.filter(|wanted| !actions.contains(wanted)) {
            actions.push(wanted.clone());
        }
        actions.len()
    }

    /// Takes these actions instead of finding some.
    pub(crate) fn set<'a>(
        &mut self,
        (game, _, seen): Decision<'_, '_, G>,
        rng: &mut Stream,
        actions: impl Iterator<Item = &'a G::Action>,
    ) {
        game.determinize(seen, rng, &mut self.imagined);
        self.actions.clear();
        self.actions.extend(actions.cloned());
    }

    /// Scores the actions that were found, and says how likely each is.
    pub(crate) fn weigh(&mut self, game: &G, seat: Seat) {
        let inputs = self.before.len();
        self.numbers.resize(self.actions.len() * inputs, 0.0);
        self.scores.clear();
        for (action, numbers) in self.actions.iter().zip(self.numbers.chunks_exact_mut(inputs)) {
            self.state.clone_from(&self.imagined);
            game.apply_unchecked(&mut self.state, seat, action, &mut NoEvents);
            let seen = game.observe(&self.state, Viewer::Seat(seat));
            (self.encoding.write)(game, &seen, seat, numbers);
            self.scores.push(self.mind.network.value(numbers, &mut self.scratch));
        }
        let temperature = if self.temperature > 0.0 { self.temperature } else { 1.0 };
        softmax(&self.scores, temperature, &mut self.chances);
    }

    /// Decides: by chance, or without a temperature the likeliest, the first of equal ones.
    pub(crate) fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (game, seat, seen) = (turn.game(), turn.seat(), turn.observe());
        if self.find((game, seat, &seen), turn.rng(), None) == 1 {
            return self.actions.swap_remove(0);
        }
        self.weigh(game, seat);
        let taken = if self.temperature > 0.0 { self.draw(turn.rng()) } else { self.likeliest() };
        self.actions.swap_remove(taken)
    }

    /// An action that was weighed, by how likely it is.
    pub(crate) fn draw(&self, rng: &mut Stream) -> usize {
        rng.weighted(&self.chances).expect("the likeliest has a chance")
    }

    fn likeliest(&self) -> usize {
        let mut best = 0;
        for (index, score) in self.scores.iter().enumerate() {
            if *score > self.scores[best] {
                best = index;
            }
        }
        best
    }

    /// The actions that were found.
    pub(crate) fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// Takes one of them.
    pub(crate) fn take(&mut self, action: usize) -> G::Action {
        self.actions.swap_remove(action)
    }

    /// How likely each is.
    pub(crate) fn chances(&self) -> &[f64] {
        &self.chances
    }

    /// What each leads to.
    pub(crate) fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// What is to be expected where the seat decides, and what was seen of it.
    pub(crate) fn expect(&mut self, (game, seat, seen): Decision<'_, '_, G>) -> (f32, &[f32]) {
        (self.encoding.write)(game, seen, seat, &mut self.before);
        let critic = self.mind.critic.as_ref().expect("who learns a policy has a critic");
        (critic.value(&self.before, &mut self.scratch), &self.before)
    }
}

/// A decision that a policy learns from.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Its actions, and which was wanted.
    pub options: Options<'a>,
    /// How much better than expected it came if it was tried, in spreads of all that were; of no account if it was taught.
    pub better: f32,
    /// How much it is worth to stay undecided.
    pub entropy: f32,
}

/// How far from 1 the chance of what was tried may go, against when it was tried, before there is nothing more to learn from it
/// (Schulman et al. 2017).
const CLIP: f64 = 0.2;

/// Memory that learning a policy needs.
#[derive(Default)]
pub struct Desk {
    scratch: Scratch,
    scores: Vec<f32>,
    chances: Vec<f64>,
}

/// Adds to `slope` how what a decision has to teach grows with every weight, and returns how unlikely what was wanted is, from
/// 0 to 1.
///
/// Of what was taught: the cross entropy of what was wanted. Of what was tried: how much worse than expected it came, by the
/// ratio of its chance now to that when it was tried. Less `entropy` times the entropy of the policy.
pub fn add_slope(network: &Network, asked: &Asked<'_>, slope: &mut [f32], desk: &mut Desk) -> f64 {
    let Options { numbers, wanted, chance } = asked.options;
    let inputs = network.inputs();
    let rows = || numbers.chunks_exact(inputs);
    desk.scores.clear();
    desk.scores.extend(rows().map(|row| network.value(row, &mut desk.scratch)));
    softmax(&desk.scores, 1.0, &mut desk.chances);
    let likely: f64 =
        wanted.iter().zip(&desk.chances).map(|(wanted, chance)| f64::from(*wanted) * chance).sum();
    let pull = match chance {
        None => 1.0,
        Some(chance) => {
            let (ratio, better) = (likely / f64::from(chance), f64::from(asked.better));
            let has_gone_far = if better > 0.0 { ratio > 1.0 + CLIP } else { ratio < 1.0 - CLIP };
            if has_gone_far { 0.0 } else { ratio * better }
        }
    };
    let mean: f64 =
        desk.scores.iter().zip(&desk.chances).map(|(score, chance)| f64::from(*score) * chance).sum();
    let entropy = f64::from(asked.entropy);
    for (((row, score), chance), wanted) in rows().zip(&desk.scores).zip(&desk.chances).zip(wanted) {
        let own = pull * (chance - f64::from(*wanted)) + entropy * chance * (f64::from(*score) - mean);
        if own != 0.0 {
            network.add_slope_of(row, own as f32, slope, &mut desk.scratch);
        }
    }
    1.0 - likely
}
