//! Agents that know the rules. They see an observation, never the state.

mod lookahead;
mod optimal_solo;
mod threshold;

use meeple_core::{AgentInfo, NoParams, Odds};

use crate::game::IncanGold;
use crate::observe::Observation;

use threshold::{BackpackParams, CollectorParams, HazardsParams, LeavesIf, Random, RandomParams, TurnParams};

/// All of them, in the order of help.
pub(crate) fn all() -> Vec<AgentInfo<IncanGold>> {
    vec![
        AgentInfo::new("turn", "leaves after a fixed number of turns", |_, params: TurnParams| {
            leaves_if(move |seen| seen.turn() >= params.turns)
        }),
        AgentInfo::new("backpack", "leaves once the backpack holds enough", |_, params: BackpackParams| {
            leaves_if(move |seen| seen.backpack() >= params.gems)
        }),
        AgentInfo::new("random", "leaves with a fixed probability every turn", |_, params: RandomParams| {
            Ok(Random(Odds::new(params.probability)))
        }),
        AgentInfo::new(
            "hazards",
            "leaves once enough different hazards lie on the path",
            |_, params: HazardsParams| leaves_if(move |seen| seen.hazards() >= params.hazards),
        ),
        AgentInfo::new(
            "collector",
            "leaves when alone with an artifact on the path, or once the backpack holds enough",
            |_, params: CollectorParams| {
                leaves_if(move |seen| {
                    seen.explorers() == 1 && seen.artifacts() > 0 || seen.backpack() >= params.gems
                })
            },
        ),
        AgentInfo::new("never", "never leaves by itself", |_, _: NoParams| leaves_if(|_| false)),
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

/// An agent that leaves as soon as what it sees says so.
fn leaves_if<F: Fn(&Observation<'_>) -> bool + Send>(condition: F) -> Result<LeavesIf<F>, String> {
    Ok(LeavesIf(condition))
}
