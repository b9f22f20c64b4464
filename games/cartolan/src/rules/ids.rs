//! Dense ids of actions. An id means the same in every state, except for the hire of an Agent. There the
//! tiles on the map are numbered by place, from west to east and within a column from south to north. Amounts
//! of wealth have one range of ids for banking and sending, which never occur together.
//!
//! The map has at most two cities with four tiles around each, and the dealt tiles. A Chest holds at most
//! [`MAX_CHEST`], so all ids fit below 4096.

use crate::action::Action;
use crate::cards::{EFFECTS, MAX_CHARTS};
use crate::game::Cartolan;
use crate::map::Cell;
use crate::state::State;
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_CHEST, MAX_DEALT, MAX_SEATS};

/// The actions without a number, in the order of their ids.
const PLAIN: [Action; 15] = [
    Action::Wait,
    Action::End,
    Action::Draw,
    Action::Wealth,
    Action::Card,
    Action::Trade,
    Action::Collect,
    Action::Rest,
    Action::AttackAgent,
    Action::Restore,
    Action::Court,
    Action::Place,
    Action::Done,
    Action::HireAdventurer,
    Action::Keep,
];

const PICK: u32 = PLAIN.len() as u32;
const GO: u32 = PICK + MAX_ADVENTURERS as u32;
const GUST: u32 = GO + 4;
const CHART: u32 = GUST + 4;
const ATTACK: u32 = CHART + MAX_CHARTS as u32;
const COURIER: u32 = ATTACK + (MAX_SEATS * MAX_ADVENTURERS) as u32;
const RELOCATE: u32 = COURIER + MAX_AGENTS as u32;
const EQUIP: u32 = RELOCATE + MAX_AGENTS as u32;
const DROP: u32 = EQUIP + EFFECTS as u32;
const NAME: u32 = DROP + MAX_CHARTS as u32;
const HIRE_AGENT: u32 = NAME + EFFECTS as u32;
/// The first id of an amount of wealth. Before it, the hire of an Agent has an id for every tile of the map:
/// two cities with four tiles around each, and all dealt tiles.
const WEALTH: u32 = HIRE_AGENT + 2 * 5 + MAX_DEALT as u32;
pub(super) const BOUND: u32 = WEALTH + MAX_CHEST as u32 + 1;

const _: () = assert!(BOUND <= meeple_core::MAX_IDS, "a policy vector stays short");

impl Cartolan {
    pub(crate) fn id_of(&self, state: &State, action: Action) -> u32 {
        match action {
            Action::Pick(adventurer) => PICK + u32::from(adventurer),
            Action::Go(dir) => GO + dir as u32,
            Action::Gust(dir) => GUST + dir as u32,
            Action::Chart(chart) => CHART + u32::from(chart),
            Action::Attack { seat, adventurer } => {
                ATTACK + u32::from(seat) * MAX_ADVENTURERS as u32 + u32::from(adventurer)
            }
            Action::Courier(agent) => COURIER + u32::from(agent),
            Action::Relocate(agent) => RELOCATE + u32::from(agent),
            Action::Equip(effect) => EQUIP + effect as u32,
            Action::Drop(chart) => DROP + u32::from(chart),
            Action::Name(effect) => NAME + effect as u32,
            Action::HireAgent { x, y } => {
                let before = |cell: &&Cell| cell.is_placed() && (cell.x, cell.y) < (x, y);
                HIRE_AGENT + state.map.cells().iter().filter(before).count() as u32
            }
            Action::Bank(wealth) | Action::Send(wealth) => WEALTH + u32::from(wealth),
            plain => PLAIN.iter().position(|known| *known == plain).map_or(BOUND, |place| place as u32),
        }
    }
}
