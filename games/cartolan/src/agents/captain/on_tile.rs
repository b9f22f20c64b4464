//! Decisions of the heuristic players on a tile: attacks, acts, purchases.

use super::{Captain, Generation, Role, Situation};
use crate::action::Action;
use crate::map::{CellId, Ground};
use crate::observe::Observation;
use crate::rules::options;
use crate::state::{Adventurer, half_taken};

impl Captain {
    /// Returns true if the tile holds an Adventurer worth an attack.
    #[inline(always)]
    pub(super) fn sees_prey(&self, situation: &Situation<'_, '_>) -> bool {
        situation.cell.ships > 1 && self.picks_prey(situation.observation)
    }

    fn picks_prey(&self, observation: &Observation<'_>) -> bool {
        let here = observation.here();
        observation.others(self.seat).any(|player| {
            let mut crew = player.at.iter().zip(&player.adventurer);
            crew.any(|(cell, other)| *cell == here && self.would_attack(observation, other))
        })
    }

    #[inline]
    fn would_attack(&self, observation: &Observation<'_>, other: &Adventurer) -> bool {
        let chest = observation.hero().chest;
        match self.role {
            Role::Pirate => chest < half_taken(other.chest),
            _ => other.pirate && chest < observation.variant().arrest_reward,
        }
    }

    /// The cell of the largest prize on the map: at an Adventurer, an Agent or a disaster.
    pub(super) fn prey(&self, observation: &Observation<'_>) -> Option<CellId> {
        if !observation.variant().inland {
            return None;
        }
        let mut best = (0, None);
        let mut offer = |prize: u16, cell: CellId| {
            if prize > best.0 {
                best = (prize, Some(cell));
            }
        };
        for player in observation.others(self.seat) {
            for (adventurer, cell) in player.crew() {
                offer(half_taken(adventurer.chest), cell);
            }
        }
        for player in observation.others(self.seat) {
            for (_, agent) in player.agents_on_map() {
                offer(agent.wealth + observation.variant().agent_loot, agent.cell);
            }
        }
        for cell in observation.map().disaster_cells() {
            offer(half_taken(observation.map().cell(*cell).dropped), *cell);
        }
        best.1
    }

    #[inline]
    pub(super) fn wants(&self, observation: &Observation<'_>, option: u8) -> bool {
        let hero = observation.hero();
        let cell = observation.map().cell(observation.here());
        match option {
            options::TRADE | options::COLLECT | options::RESTORE => true,
            options::REST => match (self.role, self.generation) {
                (Role::Trader | Role::Router, _) => true,
                (_, Generation::First) => usize::from(cell.agent.seat()) == self.seat,
                (_, Generation::Second) => hero.chest >= 1,
            },
            options::ATTACK_AGENT => self.role == Role::Pirate,
            options::COURT => self.role == Role::Pirate && hero.chest < half_taken(cell.dropped),
            options::PLACE => {
                let player = &observation.players()[self.seat];
                let spare = player.agents_placed < observation.variant().agents;
                spare
                    && observation.turn().done.new_tile
                    && match self.role {
                        Role::Trader => cell.ground == Ground::Wonder,
                        Role::Router => observation.allowed().sides(cell) == 0,
                        Role::Explorer | Role::Pirate => false,
                    }
            }
            options::COURIER.. => false,
            _ => self.would_attack(observation, observation.attacked(option)),
        }
    }

    /// The next purchase, or [`Action::Done`].
    pub(super) fn shop(&self, observation: &Observation<'_>) -> Action {
        let variant = observation.variant();
        let players = observation.players();
        let own = &players[self.seat];
        let price = u32::from(variant.price_adventurer);
        let margin = u32::from(variant.margin);
        if !observation.can_hire_adventurer() || own.vault <= price {
            return Action::Done;
        }
        let wise = match self.generation {
            Generation::First => {
                let limit = margin.saturating_sub(observation.lead());
                players.iter().all(|player| player.vault + player.chests() <= limit)
            }
            Generation::Second => {
                let mut others = observation.others(self.seat);
                observation.lead_of(self.seat) <= i64::from(margin)
                    && others.all(|player| player.vault + player.chests() <= margin + own.vault - price)
            }
        };
        if wise { Action::HireAdventurer } else { Action::Done }
    }
}
