//! The pirate: arms in ports, hunts ships that it can beat, and trades while there are none.

use meeple_core::{Agent, Seat, Turn, params};

use crate::action::Action;
use crate::agents::merchant::{Merchant, after_fight, sail_towards};
use crate::game::Privateers;
use crate::goods::GOODS;
use crate::map::Cell;
use crate::observe::Observation;

params! {
    pub struct PirateParams {
        /// Minimal probability of winning a fight for an attack.
        pub nerve: f64 = 0.6 => "nerve", real(0.0, 1.0);
        /// Assumed cannons of a schooner, a galleon and a frigate, until they are seen.
        pub assumed: Vec<u16> = vec![2, 6, 10] => "assumed", int_list(0, 60, 3, 3);
        /// Money that must be left after buying a ship.
        pub reserve: i64 = 200 => "reserve", int(0, 1_000_000);
    }
}

/// Assumed number of mounted cannons: of a fresh ship, as last seen, or by class.
#[inline]
pub(crate) fn assumed_cannons(obs: &Observation<'_>, other: Seat, by_class: &[u16; 3]) -> u16 {
    let class = obs.class(other);
    let mounts = obs.game().build(class).mounts;
    if obs.is_fresh(other) {
        obs.variant().start_cannons.min(mounts)
    } else if let Some(sighting) = obs.sighting(other) {
        sighting.mounted
    } else {
        by_class[class.index()].min(mounts)
    }
}

pub(crate) struct Pirate {
    nerve: f64,
    assumed: [u16; 3],
    merchant: Merchant,
    /// The prey, chosen when the turn begins and after a fight.
    prey: Option<Seat>,
    /// Turn and number of attacks when the prey was chosen.
    chosen: (u32, u32),
}

impl Pirate {
    pub(crate) fn new(params: PirateParams) -> Result<Self, String> {
        let assumed = params.assumed.try_into().map_err(|_| "assumed: expected three numbers")?;
        let merchant = Merchant::new(params.reserve, 1.0);
        Ok(Self { nerve: params.nerve, assumed, merchant, prey: None, chosen: (0, 0) })
    }

    fn chance(&self, obs: &Observation<'_>, seat: Seat, other: Seat) -> f64 {
        let distance = match obs.game().attack_distance(obs.cell(seat), obs.cell(other)) {
            Some(distance) => distance.min(obs.game().build(obs.class(seat)).range),
            None => obs.game().build(obs.class(seat)).range,
        };
        obs.win_probability(other, assumed_cannons(obs, other, &self.assumed), distance)
    }

    fn prey(&self, obs: &Observation<'_>, seat: Seat) -> Option<Seat> {
        let way = obs.map().distances_from(obs.cell(seat));
        let mut nearest = (u16::MAX, None);
        for other in obs.living() {
            if other == seat || obs.fought(other) {
                continue;
            }
            let distance = way.to(obs.cell(other));
            if distance < nearest.0 && self.chance(obs, seat, other) >= self.nerve {
                nearest = (distance, Some(other));
            }
        }
        nearest.1
    }

    /// The prey, chosen once a turn and after every fight; `None` while the hold is more than half full of
    /// goods.
    fn prey_of_this_turn(&mut self, obs: &Observation<'_>, seat: Seat) -> Option<Seat> {
        let moment = (obs.turns(), u32::from(obs.tally(seat).attacks));
        if self.chosen != moment {
            self.chosen = moment;
            let cargo = obs.cargo(seat)?;
            let goods: u16 = cargo.units[..GOODS].iter().sum();
            let laden = 2 * goods > obs.game().build(obs.class(seat)).hold;
            self.prey = if laden { None } else { self.prey(obs, seat) };
        }
        self.prey
    }

    fn is_guarded(obs: &Observation<'_>, seat: Seat, cell: Cell) -> bool {
        obs.map().port_at(cell).is_some()
            && obs
                .living()
                .any(|other| other != seat && obs.cell(other) == cell && obs.class(other) > obs.class(seat))
    }

    fn turn(&mut self, obs: &Observation<'_>, seat: Seat) -> Action {
        if let Some(action) = self.merchant.trade(obs, seat) {
            return action;
        }
        let target = obs.targets().find(|other| self.chance(obs, seat, *other) >= self.nerve);
        if let Some(other) = target {
            return Action::Attack(other);
        }
        let open = |cell: Cell| !Self::is_guarded(obs, seat, cell);
        let step = match self.prey_of_this_turn(obs, seat) {
            Some(prey) => {
                let way = obs.map().distances_from(obs.cell(prey));
                sail_towards(obs, seat, |cell| way.to(cell), open)
            }
            None => self
                .merchant
                .target(obs, seat)
                .and_then(|port| sail_towards(obs, seat, |cell| obs.map().port_distance(port, cell), open)),
        };
        step.unwrap_or(Action::EndTurn)
    }
}

impl Agent<Privateers> for Pirate {
    fn begin_episode(&mut self, game: &Privateers, _seat: Seat) {
        self.merchant.begin(game);
        self.chosen = (0, 0);
        self.prey = None;
    }

    fn act(&mut self, turn: Turn<'_, Privateers>) -> Action {
        let (obs, seat) = (turn.observe(), turn.seat());
        after_fight(&obs, seat).unwrap_or_else(|| self.turn(&obs, seat))
    }
}
