//! The agent that plays anything.

use meeple_core::{Agent, Game, Turn};

/// Plays any legal action; see [`Game::sample_action`] for how it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    #[inline]
    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        turn.sample_action()
    }
}
