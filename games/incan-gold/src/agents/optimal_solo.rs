//! The agent that plays the best policy of a lone player.

use std::sync::Arc;

use meeple_core::{Agent, Turn};

use crate::action::Action;
use crate::exact::{ExactError, Policy, Position};
use crate::game::IncanGold;

use super::position::with_position;
use super::threshold::leave_if;

/// Maximises the mean score of a lone player over all rounds.
///
/// With other explorers it plays as if it were alone from now on. Its backpack then counts the gems that it
/// would take home by leaving alone now.
pub(crate) struct OptimalSolo {
    policy: Arc<Policy>,
}

impl OptimalSolo {
    pub(crate) fn new(game: &IncanGold) -> Result<Self, ExactError> {
        Ok(Self { policy: game.best_policy()? })
    }
}

impl Agent<IncanGold> for OptimalSolo {
    fn act(&mut self, turn: Turn<'_, IncanGold>) -> Action {
        let observation = turn.observe();
        let leave = with_position(&observation, |position, gems| {
            let held = position.backpack + observation.spare();
            self.policy.leave(&Position { backpack: held, ..*position }, gems)
        });
        leave_if(leave.expect("the policy knows every position of its rules"))
    }
}
