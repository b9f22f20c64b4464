//! The agent that plays the equilibrium of two players.

use std::sync::Arc;

use meeple_core::{Agent, Odds, Seat, Turn, choice, params};

use crate::action::Action;
use crate::exact::{LastRound, Nash};
use crate::game::IncanGold;

use super::position::with_position;
use super::threshold::leave_if;

choice! {
    /// The goal of `nash`.
    pub(crate) enum NashGoal { Margin = "margin", Win = "win" }
}

params! {
    /// Settings of `nash`.
    pub(crate) struct NashParams {
        /// Objective of both seats: more gems than the other (margin), or that until the last round and to
        /// win in it (win).
        pub goal: NashGoal = NashGoal::Margin => "goal", choice(NashGoal::WORDS);
    }
}

/// Plays the equilibrium. Starts of rounds are solved when the game reaches them.
pub(crate) struct NashAgent {
    nash: Arc<Nash>,
    /// The solver of the last round, for the goal of winning.
    last_round: Option<Arc<LastRound>>,
}

impl NashAgent {
    /// Fails unless there are two players and the rules have few enough positions.
    pub(crate) fn new(game: &IncanGold, params: &NashParams) -> Result<Self, String> {
        if game.seats != 2 {
            let seats = game.seats;
            return Err(format!(
                "expected two players, found {seats}\nhint: for yourself alone there is optimal-solo, for more players \
                nash-share"
            ));
        }
        let nash = game.nash().map_err(|error| error.to_string())?;
        let last_round = match params.goal {
            NashGoal::Margin => None,
            NashGoal::Win => Some(game.last_round().map_err(|error| error.to_string())?),
        };
        Ok(Self { nash, last_round })
    }
}

impl Agent<IncanGold> for NashAgent {
    fn act(&mut self, mut turn: Turn<'_, IncanGold>) -> Action {
        let observation = turn.observe();
        let explorers = observation.explorers();
        let is_last = observation.round() == u32::from(observation.variant().rounds);
        if let Some(last_round) = self.last_round.as_ref().filter(|_| is_last) {
            let mine = turn.seat();
            let tent = |seat| i64::from(observation.tent(seat));
            let ahead = tent(mine) - tent(Seat::new(1 - mine.index()));
            let odds = with_position(&observation, |position, gems| {
                last_round.odds(position, explorers, ahead, gems)
            });
            let odds = odds.expect("the equilibrium knows every position of two players");
            return leave_if(odds >= 1.0 || odds > 0.0 && turn.rng().hits(Odds::new(odds)));
        }
        let leave = with_position(&observation, |position, gems| self.nash.leave(position, explorers, gems));
        leave_if(leave.expect("the equilibrium knows every position of two players"))
    }
}
