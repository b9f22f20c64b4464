//! A trader that attacks if the expected loot outweighs its own value at risk.

use meeple_core::{Agent, Seat, Turn, params};

use crate::action::Action;
use crate::agents::merchant::{Merchant, after_fight};
use crate::agents::pirate::assumed_cannons;
use crate::game::Privateers;
use crate::observe::Observation;

params! {
    pub struct MixedParams {
        /// Assumed value of the money and cargo of a schooner, a galleon and a frigate, without cannons.
        pub loot: Vec<i64> = vec![100, 500, 2000] => "loot", int_list(0, 1_000_000, 3, 3);
        /// Assumed cannons of a schooner, a galleon and a frigate, until they are seen.
        pub assumed: Vec<u16> = vec![2, 6, 10] => "assumed", int_list(0, 60, 3, 3);
        /// Share of the mounts that the agent keeps filled with cannons.
        pub arm: f64 = 0.5 => "arm", real(0.0, 1.0);
        /// Money that must be left after buying a ship.
        pub reserve: i64 = 200 => "reserve", int(0, 1_000_000);
    }
}

pub(crate) struct Mixed {
    loot: [i64; 3],
    assumed: [u16; 3],
    merchant: Merchant,
}

impl Mixed {
    pub(crate) fn new(params: MixedParams) -> Result<Self, String> {
        Ok(Self {
            loot: params.loot.try_into().map_err(|_| "loot: expected three numbers")?,
            assumed: params.assumed.try_into().map_err(|_| "assumed: expected three numbers")?,
            merchant: Merchant::new(params.reserve, params.arm),
        })
    }

    fn pays(&self, obs: &Observation<'_>, seat: Seat, other: Seat) -> bool {
        let Some(distance) = obs.game().attack_distance(obs.cell(seat), obs.cell(other)) else {
            return false;
        };
        let cannons = assumed_cannons(obs, other, &self.assumed);
        let win = obs.win_probability(other, cannons, distance);
        let loot = if obs.mounted(seat).unwrap_or(0) == 0 {
            0
        } else if obs.is_fresh(other) {
            i64::from(obs.variant().start_money) + 100 * i64::from(cannons)
        } else {
            self.loot[obs.class(other).index()] + 100 * i64::from(cannons)
        };
        win * loot as f64 > (1.0 - win) * obs.value(seat).unwrap_or(0) as f64
    }
}

impl Agent<Privateers> for Mixed {
    fn begin_episode(&mut self, game: &Privateers, _seat: Seat) {
        self.merchant.begin(game);
    }

    fn act(&mut self, turn: Turn<'_, Privateers>) -> Action {
        let (obs, seat) = (turn.observe(), turn.seat());
        let turn = || match obs.targets().find(|other| self.pays(&obs, seat, *other)) {
            Some(other) => Action::Attack(other),
            None => self.merchant.sail_or_trade(&obs, seat),
        };
        after_fight(&obs, seat).unwrap_or_else(turn)
    }
}
