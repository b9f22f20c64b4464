//! The game's own agents. They see an observation and the legal actions, never the state.

mod random;

use meeple_core::{AgentInfo, NoParams};

use crate::rules::Carcassonne;

pub(crate) fn all() -> Vec<AgentInfo<Carcassonne>> {
    vec![AgentInfo::new(
        "random",
        "Lays a tile uniformly among all placements and acts uniformly among what it may do.",
        |_, _: NoParams| Ok(random::Random),
    )]
}
