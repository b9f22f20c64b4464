//! The game's agents. They receive an observation and the legal actions, never the state.

mod builder;
mod chances;
mod finish;
mod glance;
mod greedy;
mod lookahead;
mod memo;

use meeple_core::{AgentInfo, Game};

use crate::game::Carcassonne;

pub(crate) use builder::{Builder, Quickness, Weights};
pub(crate) use lookahead::{Evaluator, Player};

pub(crate) fn all() -> Vec<AgentInfo<Carcassonne>> {
    vec![
        AgentInfo::new(
            "greedy",
            "takes what raises its own score most, were the game to end right after",
            |game: &Carcassonne, params| {
                let greedy = greedy::Greedy::new(game.variant.clone(), game.seats(), params);
                Ok(Player::new(greedy))
            },
        ),
        AgentInfo::new(
            "builder",
            "weighs completion chances from the unseen tiles, rivals, free meeples and farms",
            |game: &Carcassonne, weights| Ok(builder(game, weights)),
        ),
        AgentInfo::new(
            "quick-builder",
            "the builder, but it tries only what promises most at a glance: for rollouts",
            |game: &Carcassonne, quickness| Ok(quick_builder(game, &quickness)),
        ),
    ]
}

pub(crate) fn builder(game: &Carcassonne, weights: Weights) -> Player<Builder> {
    Player::new(Builder::new(game.variant.clone(), weights))
}

pub(crate) fn quick_builder(game: &Carcassonne, quickness: &Quickness) -> Player<Builder> {
    builder(game, Weights::default()).trying(quickness.looks)
}
