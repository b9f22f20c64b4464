//! The game's agents. They receive an observation, never the state.

mod hunter;
mod planner;
mod still;
mod t800;
mod zombie;

use meeple_core::{AgentInfo, NoParams};

use crate::game::Game17;

pub(crate) use planner::{Habits, Planner};
pub(crate) use zombie::split;

pub(crate) fn all() -> Vec<AgentInfo<Game17>> {
    vec![
        AgentInfo::new("zombie", "moves every piece in a random direction", |_, _: NoParams| {
            Ok(zombie::Zombie)
        }),
        AgentInfo::new(
            "t800",
            "sends the pieces of a square where the expected arrivals match what stands there",
            |_, params| Ok(t800::T800::new(params)),
        ),
        AgentInfo::new("still", "never moves", |_, _: NoParams| Ok(still::Still)),
        AgentInfo::new(
            "hunter",
            "takes every square it surely can, strongest first, and marches its reserves to the border",
            |_, _: NoParams| Ok(hunter::Hunter::default()),
        ),
    ]
}
