//! The hunter: makes all certain captures first, then marches the other pieces towards the border.

use meeple_core::{Agent, Turn};

use super::planner::{Habits, Planner};
use crate::action::Action;
use crate::game::Game17;

#[derive(Default)]
pub(crate) struct Hunter(Planner);

impl Agent<Game17> for Hunter {
    fn act(&mut self, mut turn: Turn<'_, Game17>) -> Action {
        let mut action = turn.recycled_action();
        self.0.plan(&turn.observe(), turn.seat(), Habits::HUNTER, &mut action);
        action
    }
}
