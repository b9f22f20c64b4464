//! The game's agents. They receive an observation, never the state.

mod nash;
mod nash_share;
mod optimal_solo;
mod position;
mod threshold;

use meeple_core::{AgentError, AgentInfo, AgentSpec, NoParams, Odds, Params};

use crate::exact::{AtRandom, Decides, ExactError};
use crate::game::IncanGold;
use crate::sight::{Lookahead, Never, Rule};

use nash::{NashGoal, NashParams};
use nash_share::ShareParams;
use threshold::{BackpackParams, CollectorParams, HazardsParams, LeavesIf, Random, RandomParams, TurnParams};

/// The enumerable strategy of an agent; `None` if the agent has none.
pub(crate) fn strategy(game: &IncanGold, spec: &AgentSpec) -> Option<Result<Box<dyn Decides>, AgentError>> {
    type Found = Result<Box<dyn Decides>, AgentError>;
    fn rule<R: Params + Default + Rule>(spec: &AgentSpec) -> Found {
        Ok(Box::new(spec.params::<R>()?))
    }
    let table = |table: Result<Box<dyn Decides>, ExactError>| -> Found {
        spec.params::<NoParams>()?;
        table.map_err(|error| AgentError::Refused { spec: spec.to_string(), reason: error.to_string() })
    };
    Some(match spec.name.as_str() {
        "turn" => rule::<TurnParams>(spec),
        "backpack" => rule::<BackpackParams>(spec),
        "random" => spec.params::<RandomParams>().map(|params| Box::new(AtRandom(params.probability)) as _),
        "hazards" => rule::<HazardsParams>(spec),
        "collector" => rule::<CollectorParams>(spec),
        "never" => table(Ok(Box::new(Never))),
        "lookahead" => table(Ok(Box::new(Lookahead))),
        "optimal-solo" => table(game.best_policy().map(|policy| Box::new(policy) as _)),
        "nash" => spec.params::<NashParams>().and_then(|params| {
            let refused = |reason| AgentError::Refused { spec: spec.to_string(), reason };
            if params.goal == NashGoal::Win {
                let reason = "what it does in the last round depends on the tents, not on the round alone";
                return Err(refused(reason.to_owned()));
            }
            game.nash().map(|nash| Box::new(nash) as _).map_err(|error| refused(error.to_string()))
        }),
        "nash-share" => spec.params::<ShareParams>().and_then(|params| {
            let share = game.share(2, &params.values).map_err(|error| nash_share::refusal(2, &error));
            let refused = |reason| AgentError::Refused { spec: spec.name.clone(), reason };
            share.map(|share| Box::new(share) as _).map_err(refused)
        }),
        _ => return None,
    })
}

/// All agents, as registered in the game's definition.
pub(crate) fn all() -> Vec<AgentInfo<IncanGold>> {
    vec![
        AgentInfo::new("turn", "leaves after a fixed number of turns", |_, params: TurnParams| {
            Ok(LeavesIf(params))
        }),
        AgentInfo::new("backpack", "leaves once the backpack holds enough", |_, params: BackpackParams| {
            Ok(LeavesIf(params))
        }),
        AgentInfo::new("random", "leaves with a fixed probability every turn", |_, params: RandomParams| {
            Ok(Random(Odds::new(params.probability)))
        }),
        AgentInfo::new(
            "hazards",
            "leaves once enough different hazards lie on the path",
            |_, params: HazardsParams| Ok(LeavesIf(params)),
        ),
        AgentInfo::new(
            "collector",
            "leaves when alone with an artifact on the path, or once the backpack holds enough",
            |_, params: CollectorParams| Ok(LeavesIf(params)),
        ),
        AgentInfo::new("never", "never leaves by itself", |_, _: NoParams| Ok(LeavesIf(Never))),
        AgentInfo::new(
            "lookahead",
            "leaves if one more card has no higher expected gain, assuming that it leaves alone either way",
            |_, _: NoParams| Ok(LeavesIf(Lookahead)),
        ),
        AgentInfo::new(
            "optimal-solo",
            "maximises the mean score of a lone player, counting cards and looking ahead over all rounds",
            |game: &IncanGold, _: NoParams| {
                optimal_solo::OptimalSolo::new(game).map_err(|error| error.to_string())
            },
        ),
        AgentInfo::new(
            "nash",
            "a two-player equilibrium for having more gems than the opponent: no strategy beats it on average",
            |game: &IncanGold, params: NashParams| nash::NashAgent::new(game, &params),
        ),
        AgentInfo::new(
            "nash-share",
            "an equilibrium for the number of gems, whatever the others have: no player gains by deviating",
            |game: &IncanGold, params: ShareParams| nash_share::NashShareAgent::new(game, &params),
        ),
    ]
}
