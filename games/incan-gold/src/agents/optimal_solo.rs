//! The agent that plays the best a lone player can do.

use std::sync::Arc;

use meeple_core::{Agent, Turn};

use crate::action::Action;
use crate::card::Card;
use crate::exact::{ExactError, Hazard, Policy, Position};
use crate::game::IncanGold;
use crate::variant::MAX_HAZARD_KINDS;

/// Maximises the mean score of a player who is alone in the temple, looking ahead over all rounds.
///
/// In company it plays as if it were alone from now on: with what it would carry out if it left alone now.
pub(crate) struct OptimalSolo {
    policy: Arc<Policy>,
}

impl OptimalSolo {
    /// The policy for this game.
    ///
    /// # Errors
    /// If the rules have too many positions.
    pub(crate) fn new(game: &IncanGold) -> Result<Self, ExactError> {
        Ok(Self { policy: game.best_policy()? })
    }
}

impl Agent<IncanGold> for OptimalSolo {
    fn act(&mut self, turn: Turn<'_, IncanGold>) -> Action {
        let observation = turn.observe();
        // One pass over the deck: what is not there lies on the path.
        let mut artifacts = observation.artifacts();
        let mut hazards = std::array::from_fn::<_, MAX_HAZARD_KINDS, _>(|kind| {
            let seen = observation.hazard_seen(kind as u8);
            Hazard { copies: u32::from(seen), seen }
        });
        for (card, count) in observation.deck() {
            match card {
                Card::Hazard(kind) => hazards[usize::from(kind)].copies += count,
                Card::Artifact => artifacts += count,
                Card::Gem(_) => {}
            }
        }
        let position = Position {
            round: observation.round(),
            hazards: &hazards,
            artifacts,
            artifacts_on_path: observation.artifacts(),
            claimed: observation.artifacts_claimed(),
            backpack: observation.backpack() + observation.spare(),
        };
        let gems = observation.path().iter().filter_map(|card| match card {
            Card::Gem(value) => Some(u32::from(*value)),
            _ => None,
        });
        match self.policy.leave(&position, gems).expect("the policy knows every position of its rules") {
            true => Action::Leave,
            false => Action::Stay,
        }
    }
}
