//! Buys cheap, sells dear, never fights.

use meeple_core::{Agent, Seat, Turn, params};

use crate::action::Action;
use crate::agents::merchant::{Merchant, Spending, after_fight};
use crate::game::Privateers;

params! {
    /// Settings of `trader`.
    pub struct TraderParams {
        /// Money that must be left after buying a ship.
        pub reserve: i64 = 200 => "reserve", int(0, 1_000_000);
    }
}

/// The trader.
pub(crate) struct Trader {
    merchant: Merchant,
}

impl Trader {
    pub(crate) fn new(params: TraderParams) -> Self {
        let spending = Spending { upgrade_reserve: Some(params.reserve), arm: 0.0 };
        Self { merchant: Merchant::new(spending) }
    }
}

impl Agent<Privateers> for Trader {
    fn begin_episode(&mut self, game: &Privateers, _seat: Seat) {
        self.merchant.begin(game);
    }

    fn act(&mut self, turn: Turn<'_, Privateers>) -> Action {
        let (obs, seat) = (turn.observe(), turn.seat());
        after_fight(&obs, seat).unwrap_or_else(|| self.merchant.act(&obs, seat))
    }
}
