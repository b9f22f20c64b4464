//! Agents that know the rules. They see an observation, never the state.

mod random;

use meeple_core::AgentInfo;

use crate::rules::Privateers;

/// All of them, in the order of help.
pub(crate) fn all() -> Vec<AgentInfo<Privateers>> {
    vec![AgentInfo::new(
        "random",
        "takes any legal action, attacks rarely",
        |_, params: random::RandomParams| Ok(random::Random::new(params)),
    )]
}
