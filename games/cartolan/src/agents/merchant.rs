//! A player of our own.
use crate::agents::captain::{Captain, Generation, Role};
use crate::rules::Cartolan;
use meeple_core::{AgentInfo, NoParams};

pub(crate) fn info() -> AgentInfo<Cartolan> {
    AgentInfo::new("merchant", "todo", |_: &Cartolan, _: NoParams| Ok(Captain::new(Role::Trader, Generation::First)))
}
