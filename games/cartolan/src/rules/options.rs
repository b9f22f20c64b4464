//! The options of an Adventurer on its tile, as a mask: one bit per option, in the order of the script.

use crate::action::Action;
use crate::cards::Effect;
use crate::game::Cartolan;
use crate::map::{AgentId, Cell, CellId, Ground, NO_AGENT};
use crate::state::{Adventurer, State};
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_SEATS, Trading};

pub const TRADE: u8 = 0;
pub const COLLECT: u8 = 1;
pub const REST: u8 = 2;
pub const ATTACK_AGENT: u8 = 3;
pub const RESTORE: u8 = 4;
/// The first of 16 attack options: `MAX_ADVENTURERS * seat + number`.
pub const ATTACK: u8 = 5;
pub const COURT: u8 = ATTACK + (MAX_SEATS * MAX_ADVENTURERS) as u8;
pub const PLACE: u8 = COURT + 1;
/// The first of 8 courier options, by number of the Agent.
pub const COURIER: u8 = PLACE + 1;

const ATTACKS: u32 = (1 << COURT) - (1 << ATTACK);

const _: () = assert!(COURIER as usize + MAX_AGENTS <= 32, "options fit into a word");

#[inline]
pub const fn attack(seat: u8, adventurer: u8) -> u8 {
    ATTACK + seat * MAX_ADVENTURERS as u8 + adventurer
}

/// The seat and number of the Adventurer that an option attacks.
#[inline]
pub const fn attacked(option: u8) -> (u8, u8) {
    ((option - ATTACK) / MAX_ADVENTURERS as u8, (option - ATTACK) % MAX_ADVENTURERS as u8)
}

pub const fn action(option: u8) -> Action {
    match option {
        TRADE => Action::Trade,
        COLLECT => Action::Collect,
        REST => Action::Rest,
        ATTACK_AGENT => Action::AttackAgent,
        RESTORE => Action::Restore,
        COURT => Action::Court,
        PLACE => Action::Place,
        COURIER.. => Action::Courier(option - COURIER),
        _ => {
            let (seat, adventurer) = attacked(option);
            Action::Attack { seat, adventurer }
        }
    }
}

/// Returns true if an Adventurer may trade at the wonder of this cell.
#[inline]
pub(crate) fn can_trade(hero: &Adventurer, cell: &Cell) -> bool {
    !hero.pirate && !hero.has_used(cell)
}

impl Cartolan {
    /// Returns true if the acting Adventurer certainly has no option on its tile, by a quick test.
    #[inline(always)]
    fn is_quiet(&self, state: &State) -> bool {
        let cell = state.map.cell(state.here());
        let alone = cell.ships <= 1 && cell.agent == NO_AGENT;
        alone
            && !state.turn.done.new_tile
            && !self.variant.cards
            && match cell.ground {
                Ground::Plain | Ground::City => true,
                Ground::Wonder => {
                    self.variant.trading == Trading::Automatic || !can_trade(state.hero(), cell)
                }
                _ => false,
            }
    }

    /// Mask of the options to attack Adventurers of other players on this tile.
    #[inline]
    fn targets(&self, state: &State, here: CellId) -> u32 {
        let mut mask = 0;
        for (other, player) in state.players[..self.seats].iter().enumerate() {
            for (number, cell) in player.at.iter().enumerate() {
                if *cell == here && other != usize::from(state.turn.seat) {
                    let target = &player.adventurer[number];
                    // R20: Adventurers without wealth may be attacked.
                    if self.variant.attack_poor || target.chest > 0 || target.pirate {
                        mask |= 1 << attack(other as u8, number as u8);
                    }
                }
            }
        }
        mask
    }

    /// Mask of all options of the acting Adventurer on its tile, before the order of the script applies.
    #[inline]
    pub(crate) fn options(&self, state: &State) -> u32 {
        let v = &self.variant;
        let turn = &state.turn;
        let seat = usize::from(turn.seat);
        let here = state.here();
        let cell = state.map.cell(here);
        let hero = state.hero();
        let mut mask = 0u32;
        // R11: there are no attacks in cities, unless the variant allows them.
        if cell.ships > 1 && v.inland && (cell.ground != Ground::City || v.city_attacks) {
            mask = self.targets(state, here);
        }
        match cell.ground {
            Ground::City => return mask & !turn.done.options,
            // R37: automatic trades happen on arrival.
            Ground::Wonder if v.trading == Trading::Decision && can_trade(hero, cell) => mask |= 1 << TRADE,
            Ground::Disaster if hero.pirate => mask |= 1 << COURT,
            _ => {}
        }
        if cell.agent != NO_AGENT {
            let owner = usize::from(cell.agent.seat());
            let agent = state.players[owner & (MAX_SEATS - 1)].agent_numbered(cell.agent.number());
            if owner == seat && agent.wealth > 0 {
                mask |= 1 << COLLECT;
            }
            if agent.dispossessed {
                // R22: only the owner restores an Agent.
                if owner == seat && hero.chest >= v.price_restore {
                    mask |= 1 << RESTORE;
                }
            } else {
                let may_rest = !turn.rested.contains(cell.agent) && !turn.just_placed.contains(cell.agent);
                if owner == seat {
                    if may_rest {
                        mask |= 1 << REST;
                    }
                } else {
                    if may_rest && !hero.pirate && hero.chest >= self.rest_price(state) {
                        mask |= 1 << REST;
                    }
                    if v.inland && (agent.wealth > 0 || v.attack_poor) {
                        mask |= 1 << ATTACK_AGENT;
                    }
                }
            }
            if v.cards && hero.chest > 0 && hero.count(Effect::Bank) > 0 {
                for number in state.players[seat].placed_agents() {
                    mask |= 1 << (COURIER + number);
                }
            }
        }
        if (turn.done.new_tile || v.cards) && self.place_price(state).is_some() {
            mask |= 1 << PLACE;
        }
        mask & !turn.done.options
    }

    /// Mask of the options that may be chosen now: all options, or the next one of the script.
    #[inline(always)]
    pub(crate) fn offered(&self, state: &State) -> u32 {
        if self.is_quiet(state) { 0 } else { self.offered_here(state) }
    }

    fn offered_here(&self, state: &State) -> u32 {
        let mask = self.options(state);
        if self.is_scripted() {
            let ahead = mask & (u32::MAX.checked_shl(u32::from(state.turn.done.cursor)).unwrap_or(0));
            let first = ahead & ahead.wrapping_neg();
            let mut targets = ahead & ATTACKS;
            if first & ATTACKS == 0 || first == targets {
                return first;
            }
            // The original attacks in the order in which the targets came to the tile.
            let mut earliest = (u32::MAX, first);
            while targets != 0 {
                let when = state.adventurer(attacked(targets.trailing_zeros() as u8)).arrived;
                earliest = earliest.min((when, targets & targets.wrapping_neg()));
                targets &= targets - 1;
            }
            return earliest.1;
        }
        mask
    }

    /// Price of a rest at another player's Agent.
    #[inline]
    pub(crate) fn rest_price(&self, state: &State) -> u16 {
        let free =
            self.variant.cards && !state.turn.free_rest_used && state.hero().count(Effect::FreeRests) > 0;
        if free { 0 } else { self.variant.price_rest }
    }

    /// Price of an Agent on the acting Adventurer's tile; `None` if it cannot be placed there.
    #[inline]
    pub(crate) fn place_price(&self, state: &State) -> Option<u16> {
        let v = &self.variant;
        let settler = v.cards && state.hero().count(Effect::Agents) > 0;
        let price = match state.turn.done.new_tile {
            true => v.price_place,
            false if settler => v.price_hire,
            false => return None,
        };
        let cell = state.map.cell(state.here());
        let hero = state.hero();
        // The original also lets a pirate place an Agent at a disaster where it stays.
        let free = (matches!(cell.ground, Ground::Plain | Ground::Wonder)
            || (cell.ground == Ground::Disaster && self.is_scripted()))
            && !cell.in_domain
            && !self.has_active_agent(state, cell.agent);
        (free && hero.chest >= price && v.agents > 0).then_some(price)
    }

    #[inline]
    pub(crate) fn has_active_agent(&self, state: &State, agent: AgentId) -> bool {
        agent != NO_AGENT && !state.agent(agent).dispossessed
    }
}
