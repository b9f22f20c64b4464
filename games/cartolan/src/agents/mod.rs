//! Agents.
use meeple_core::AgentInfo;
use crate::rules::Cartolan;
pub(crate) fn all() -> Vec<AgentInfo<Cartolan>> { Vec::new() }
