//! Anything legal.

use meeple_core::{Agent, Turn};

use crate::action::Action;
use crate::rules::Carcassonne;

/// Plays at random.
pub(crate) struct Random;

impl Agent<Carcassonne> for Random {
    #[inline]
    fn act(&mut self, mut turn: Turn<'_, Carcassonne>) -> Action {
        turn.sample_action()
    }
}
