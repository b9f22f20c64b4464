//! The game's agents. They receive an observation, never the state.

pub(crate) mod admiral;
mod coward;
mod merchant;
mod mixed;
mod pirate;
mod random;
mod trader;

use meeple_core::{AgentInfo, NoParams};

use crate::game::Privateers;

pub(crate) fn all() -> Vec<AgentInfo<Privateers>> {
    vec![
        AgentInfo::new(
            "random",
            "takes any legal action, attacks rarely",
            |_, params: random::RandomParams| Ok(random::Random(params)),
        ),
        AgentInfo::new(
            "trader",
            "buys at low and sells at high prices, explores while no known trade pays, buys ships, never attacks",
            |_, params: trader::TraderParams| Ok(merchant::Merchant::new(params.reserve, 0.0)),
        ),
        AgentInfo::new(
            "pirate",
            "fills its mounts, hunts the nearest ship it should beat, trades while there is none",
            |game: &Privateers, params: pirate::PirateParams| {
                // The table of distances is computed here, before the first episode.
                game.map().distance(game.map().port_cell(0), game.map().port_cell(1));
                pirate::Pirate::new(params)
            },
        ),
        AgentInfo::new(
            "mixed",
            "trader that attacks when the loot it expects outweighs its own value at risk",
            |_, params: mixed::MixedParams| mixed::Mixed::new(params),
        ),
        AgentInfo::new(
            "coward",
            "trader that keeps out of reach of stronger ships",
            |_, params: coward::CowardParams| Ok(coward::Coward::new(params)),
        ),
        AgentInfo::new(
            "admiral",
            "trades for the best rate, arms, keeps away from who may rob it, and robs who is worth it",
            |_, params: admiral::AdmiralParams| Ok(admiral::Admiral::new(params)),
        ),
        AgentInfo::new(
            "admiral-tuned",
            "the admiral, with numbers that were tuned against it for the mode and for two or more seats",
            |game, _: NoParams| Ok(admiral::Admiral::new(admiral::AdmiralParams::tuned(game))),
        ),
    ]
}
