//! One-step lookahead.

use meeple_core::{Agent, Game, Stream, Turn, params};

use crate::candidates::Candidates;
use crate::world::World;

params! {
    pub struct GreedyParams {
        /// Number of imagined states (determinizations) in which every action is tried.
        pub worlds: u32 = 8 => "worlds", int(1, 1_000);
        /// Random actions to choose from, in games whose actions cannot be listed.
        pub samples: u32 = 30 => "samples", int(1, 10_000);
    }
}

/// One-step lookahead: plays the action with the best mean own score at the next decision. Until then, others
/// who decide at the same moment act at random, and chance draws. Ties are broken at random.
pub struct Greedy<G: Game> {
    params: GreedyParams,
    imagined: G::State,
    world: World<G>,
    candidates: Candidates<G>,
}

impl<G: Game> Greedy<G> {
    pub fn new(game: &G, params: GreedyParams) -> Self {
        let imagined = game.initial_state();
        Self { params, imagined, world: World::new(game), candidates: Candidates::new() }
    }
}

impl<G: Game> Agent<G> for Greedy<G> {
    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (game, seat) = (turn.game(), turn.seat());
        self.candidates.collect(&mut turn, self.params.samples);
        if self.candidates.actions().len() > 1 {
            for world in 0..self.params.worlds {
                if world > 0 && turn.is_cancelled() {
                    break;
                }
                game.determinize(&turn.observe(), turn.rng(), &mut self.imagined);
                let luck = turn.rng().bits();
                // All actions get the same chance draws and the same decisions of others.
                let others = Stream::from_seed(turn.rng().bits());
                for index in 0..self.candidates.actions().len() {
                    self.world.state.clone_from(&self.imagined);
                    self.world.reseed(luck);
                    let action = &self.candidates.actions()[index];
                    self.world.step(game, seat, action, &mut others.clone());
                    self.candidates.add(index, game.score(&self.world.state, seat) as f64);
                }
            }
        }
        self.candidates.take_best(&mut turn)
    }
}
