//! The trader: buys at low prices, sells at high prices, and never fights.

use meeple_core::{Agent, Seat, Turn, params};

use crate::action::Action;
use crate::agents::merchant::{Merchant, after_fight};
use crate::game::Privateers;

params! {
    pub struct TraderParams {
        /// Money that must be left after buying a ship.
        pub reserve: i64 = 200 => "reserve", int(0, 1_000_000);
    }
}

impl Agent<Privateers> for Merchant {
    fn begin_episode(&mut self, game: &Privateers, _seat: Seat) {
        self.begin(game);
    }

    fn act(&mut self, turn: Turn<'_, Privateers>) -> Action {
        let (obs, seat) = (turn.observe(), turn.seat());
        after_fight(&obs, seat).unwrap_or_else(|| self.sail_or_trade(&obs, seat))
    }
}
