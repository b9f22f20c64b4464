//! The agent that plays the equilibrium of two players.

use std::sync::Arc;

use meeple_core::{Agent, Turn};

use crate::action::Action;
use crate::exact::Nash;
use crate::game::IncanGold;

use super::position::with_position;
use super::threshold::leave_if;

/// Plays so that nobody gains on it: two players who want more gems than the other.
pub(crate) struct NashAgent {
    nash: Arc<Nash>,
}

impl NashAgent {
    /// The equilibrium of this game. Starts of rounds are solved when the game comes to them.
    ///
    /// # Errors
    /// If there are not two players, or the rules have too many positions.
    pub(crate) fn new(game: &IncanGold) -> Result<Self, String> {
        if game.seats != 2 {
            let seats = game.seats;
            return Err(format!(
                "expected two players, found {seats}\nhint: for yourself alone there is optimal-solo"
            ));
        }
        Ok(Self { nash: game.nash().map_err(|error| error.to_string())? })
    }
}

impl Agent<IncanGold> for NashAgent {
    fn act(&mut self, turn: Turn<'_, IncanGold>) -> Action {
        let observation = turn.observe();
        let leave = with_position(&observation, |position, gems| {
            self.nash.leave(position, observation.explorers(), gems)
        });
        leave_if(leave.expect("the equilibrium knows every position of two players"))
    }
}
