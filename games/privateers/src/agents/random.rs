//! Anything legal.

use meeple_core::{Agent, Turn, params};

use crate::action::Action;
use crate::game::Privateers;

params! {
    /// Settings of `random`.
    pub struct RandomParams {
        /// Weight of an attack; every other action has 1.
        pub attack: f64 = 0.2 => "attack", real(0.0, 100.0);
    }
}

/// Draws among the legal actions.
pub(crate) struct Random(pub RandomParams);

impl Agent<Privateers> for Random {
    fn act(&mut self, mut turn: Turn<'_, Privateers>) -> Action {
        let (legal, rng) = turn.legal_actions_and_rng();
        // Attacks come last in the list.
        let attacks = legal.iter().rev().take_while(|action| matches!(action, Action::Attack(_))).count();
        let others = legal.len() - attacks;
        let mut left = rng.unit() * (others as f64 + attacks as f64 * self.0.attack);
        if left < others as f64 {
            return legal[left as usize];
        }
        left -= others as f64;
        let pick = if self.0.attack > 0.0 { (left / self.0.attack) as usize } else { 0 };
        legal[others + pick.min(attacks.saturating_sub(1))]
    }
}
