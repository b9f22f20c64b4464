//! The agent that plays an equilibrium of players who maximise gems.

use std::sync::Arc;

use meeple_core::{Agent, Odds, Turn, params};

use crate::action::Action;
use crate::exact::{Share, ShareError};
use crate::game::IncanGold;

use super::position::with_position;
use super::threshold::leave_if;

params! {
    /// Settings of `nash-share`.
    pub(crate) struct ShareParams {
        /// Values of the starts of all rounds: the file that `exact incan-gold equilibrium --goal gems
        /// --output FILE` writes. Small rules and those of presets do without it.
        pub values: String = String::new() => "values", text();
    }
}

/// The agent. It solves a round when the game reaches the round's start.
pub(crate) struct NashShareAgent {
    share: Arc<Share>,
}

impl NashShareAgent {
    /// Fails for a single player, for too many players and for rules that are too large. Also fails if values
    /// are needed but absent, or belong to other rules.
    pub(crate) fn new(game: &IncanGold, params: &ShareParams) -> Result<Self, String> {
        if game.seats == 1 {
            let hint = "for yourself alone there is optimal-solo";
            return Err(format!("expected two or more players, found one\nhint: {hint}"));
        }
        let share = game.share(game.seats, &params.values).map_err(|error| refusal(game.seats, &error))?;
        Ok(Self { share })
    }
}

pub(super) fn refusal(seats: usize, error: &ShareError) -> String {
    let hint = match error {
        ShareError::Exact(_) => return error.to_string(),
        ShareError::Values(_) => "the file is for one number of seats and one variant",
        ShareError::NoValues(_) => "then 'nash-share:values='\"$(cat FILE)\" plays",
    };
    format!(
        "{error}\nhint: meeple exact incan-gold equilibrium --seats {seats} --goal gems --output FILE; {hint}"
    )
}

impl Agent<IncanGold> for NashShareAgent {
    fn act(&mut self, mut turn: Turn<'_, IncanGold>) -> Action {
        let observation = turn.observe();
        let odds = with_position(&observation, |position, gems| {
            self.share.odds(position, observation.explorers(), observation.spare(), gems)
        });
        let odds = odds.expect("the equilibrium knows every position of its players");
        leave_if(odds >= 1.0 || odds > 0.0 && turn.rng().hits(Odds::new(odds)))
    }
}
