//! The game's own agents. They see an observation and the legal actions, never the state.

use meeple_core::AgentInfo;

use crate::rules::Carcassonne;

pub(crate) fn all() -> Vec<AgentInfo<Carcassonne>> {
    Vec::new()
}
