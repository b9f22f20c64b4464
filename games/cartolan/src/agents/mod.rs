//! Agents: the heuristic players of the original in two generations, and one of our own.

pub mod captain;
mod gait;
mod merchant;
mod plan;

use meeple_core::{Agent, AgentInfo, NoParams, Seat, Turn};

use crate::action::Action;
use crate::rules::Cartolan;
use captain::{Captain, Generation, Role};

impl Agent<Cartolan> for Captain {
    fn begin_episode(&mut self, _game: &Cartolan, seat: Seat) {
        self.begin(seat.index());
    }

    #[inline]
    fn act(&mut self, mut turn: Turn<'_, Cartolan>) -> Action {
        let observation = turn.observe();
        self.decide(&observation, turn.rng())
    }
}

fn captain(name: &'static str, doc: &'static str, role: Role, generation: Generation) -> AgentInfo<Cartolan> {
    AgentInfo::new(name, doc, move |_: &Cartolan, _: NoParams| Ok(Captain::new(role, generation)))
}

/// The game's own agents.
pub(crate) fn all() -> Vec<AgentInfo<Cartolan>> {
    use Generation::{First, Second};
    vec![
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
        merchant::info(),
    ]
}
