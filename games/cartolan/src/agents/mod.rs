//! Agents: the original's heuristic players in two generations, and the merchant.

pub mod captain;
pub(crate) mod hasty;
pub(crate) mod merchant;
mod plain;
mod plan;
mod sites;

use meeple_core::AgentInfo;

use crate::game::Cartolan;
use captain::{Captain, Generation, Role, Temper};

fn captain(name: &'static str, doc: &'static str, role: Role, generation: Generation) -> AgentInfo<Cartolan> {
    AgentInfo::new(name, doc, move |_: &Cartolan, temper: Temper| Ok(Captain::new(role, generation, &temper)))
}

pub(crate) fn all() -> Vec<AgentInfo<Cartolan>> {
    use Generation::{First, Second};
    let captains = [
        captain("explorer", "Explores away from home and banks what puts it ahead.", Role::Explorer, First),
        captain("trader", "Settles Agents at wonders and trades its way along them.", Role::Trader, First),
        captain(
            "router",
            "Builds a chain of Agents where its moves end and travels along it.",
            Role::Router,
            First,
        ),
        captain(
            "pirate",
            "Hunts whatever promises most: Adventurers, Agents, disasters.",
            Role::Pirate,
            First,
        ),
        captain("explorer-oct", "The explorer of October 2020: fills the best gaps.", Role::Explorer, Second),
        captain("trader-oct", "The trader of October 2020.", Role::Trader, Second),
        captain("router-oct", "The router of October 2020.", Role::Router, Second),
        captain("pirate-oct", "The pirate of October 2020: waits to attack again.", Role::Pirate, Second),
    ];
    captains.into_iter().chain(merchant::all()).collect()
}
