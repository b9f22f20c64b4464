//! The game's own agents. They see an observation and the legal actions, never the state.

mod builder;
mod chances;
mod finish;
mod greedy;
mod lookahead;
mod memo;

use meeple_core::{AgentInfo, Game};

use crate::game::Carcassonne;

pub(crate) use builder::{Builder, Weights};
pub(crate) use lookahead::{Evaluator, Player};

pub(crate) fn all() -> Vec<AgentInfo<Carcassonne>> {
    vec![
        AgentInfo::new(
            "greedy",
            "takes what raises its own score most, were the game to end right after",
            |game: &Carcassonne, params| {
                let greedy = greedy::Greedy::new(game.variant.clone(), game.seats(), params);
                Ok(lookahead::Player::new(greedy))
            },
        ),
        AgentInfo::new(
            "builder",
            "weighs completion chances from the unseen tiles, rivals, free meeples and farms",
            |game: &Carcassonne, weights| {
                Ok(lookahead::Player::new(builder::Builder::new(game.variant.clone(), weights)))
            },
        ),
    ]
}
