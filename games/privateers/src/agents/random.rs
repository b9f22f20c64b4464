//! The random agent: draws a legal action, with a weight for attacks.

use meeple_core::{Agent, Turn, params};

use crate::action::Action;
use crate::game::Privateers;

params! {
    pub struct RandomParams {
        /// Weight of an attack; every other action has weight 1.
        pub attack: f64 = 0.2 => "attack", real(0.0, 100.0);
    }
}

pub(crate) struct Random(pub RandomParams);

impl Agent<Privateers> for Random {
    fn act(&mut self, mut turn: Turn<'_, Privateers>) -> Action {
        let menu = turn.observe().menu();
        // Attacks have the highest ids.
        let attacks = menu.attacks();
        let others = menu.len() - attacks;
        let mut left = turn.rng().unit() * (others as f64 + attacks as f64 * self.0.attack);
        if left < others as f64 {
            return menu.nth(left as usize);
        }
        left -= others as f64;
        let pick = if self.0.attack > 0.0 { (left / self.0.attack) as usize } else { 0 };
        menu.nth(others + pick.min(attacks.saturating_sub(1)))
    }
}
