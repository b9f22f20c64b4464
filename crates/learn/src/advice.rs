//! The actions that a game's hints advise.

use meeple_core::{ActionKind, Hints, Playable, Position, Seat, Stream};

/// What the game advises.
pub(crate) struct Advice<G: Playable> {
    pub(crate) hints: Box<dyn Hints<G>>,
    weights: Vec<f64>,
}

impl<G: Playable> Advice<G> {
    pub(crate) fn new(game: &G) -> Self {
        Self { hints: game.hints(), weights: Vec::new() }
    }

    /// Replaces the legal actions of a decision, none if they cannot be listed, by those that are advised, the most promising
    /// one first. None, if there is no advice and they cannot be listed. What is seen has been imagined as `imagined`.
    pub(crate) fn take(
        &mut self,
        (game, seat, seen): (&G, Seat, &G::Observation<'_>),
        imagined: &G::State,
        most: u32,
        rng: &mut Stream,
        actions: &mut Vec<G::Action>,
    ) {
        self.hints.begin(game, seen, seat);
        self.hints.imagine(game);
        let position = Position::new(game, imagined);
        if game.info().actions == ActionKind::Structured {
            self.hints.candidates(&position, seat, most as usize, rng, actions);
            return;
        }
        self.weights.clear();
        self.hints.prior(&position, seat, actions, &mut self.weights);
        let mut weights = self.weights.iter();
        actions.retain(|_| weights.next().is_some_and(|weight| *weight > 0.0));
        self.weights.retain(|weight| *weight > 0.0);
        let mut first = 0;
        for (index, weight) in self.weights.iter().enumerate() {
            if *weight > self.weights[first] {
                first = index;
            }
        }
        actions[..=first].rotate_right(1);
    }
}
