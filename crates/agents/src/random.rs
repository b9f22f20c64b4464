use meeple_core::{Agent, Game, Turn};

/// Plays any legal action, drawn by [`Game::sample_action`].
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    #[inline]
    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        turn.sample_action()
    }
}
