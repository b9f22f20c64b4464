//! The agent that never moves.

use meeple_core::{Agent, Turn};

use crate::action::Action;
use crate::game::Game17;

pub(crate) struct Still;

impl Agent<Game17> for Still {
    fn act(&mut self, mut turn: Turn<'_, Game17>) -> Action {
        let mut action = turn.recycled_action();
        action.0.clear();
        action
    }
}
