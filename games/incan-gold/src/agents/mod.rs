//! Agents that know the rules. They see an observation, never the state.

mod lookahead;
mod optimal_solo;
mod threshold;

use meeple_core::{AgentInfo, NoParams};

use crate::game::IncanGold;

/// All of them, in the order of help.
pub(crate) fn all() -> Vec<AgentInfo<IncanGold>> {
    vec![
        AgentInfo::new("turn", "leaves after a fixed number of turns", |_, params| {
            Ok(threshold::Turn::new(params))
        }),
        AgentInfo::new("backpack", "leaves once the backpack holds enough", |_, params| {
            Ok(threshold::Backpack::new(params))
        }),
        AgentInfo::new("random", "leaves with a fixed probability every turn", |_, params| {
            Ok(threshold::Random::new(params))
        }),
        AgentInfo::new("hazards", "leaves once enough different hazards lie on the path", |_, params| {
            Ok(threshold::Hazards::new(params))
        }),
        AgentInfo::new(
            "collector",
            "leaves when alone with an artifact on the path, or once the backpack holds enough",
            |_, params| Ok(threshold::Collector::new(params)),
        ),
        AgentInfo::new("never", "never leaves by itself", |_, _: NoParams| Ok(threshold::Never)),
        AgentInfo::new(
            "lookahead",
            "leaves when one more card and then leaving is not better, supposing it leaves alone both times",
            |_, _: NoParams| Ok(lookahead::Lookahead),
        ),
        AgentInfo::new(
            "optimal-solo",
            "maximises the mean score of a lone player, counting cards and looking ahead over all rounds",
            |game: &IncanGold, _: NoParams| {
                optimal_solo::OptimalSolo::new(game).map_err(|error| error.to_string())
            },
        ),
    ]
}
