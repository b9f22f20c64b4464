//! Agents that compare one number with a threshold: the simple strategies, and those of the original.

use meeple_core::{Agent, Odds, Turn, params};

use crate::action::Action;
use crate::game::IncanGold;
use crate::sight::{Rule, Sight};

params! {
    /// Settings of `turn`.
    pub(crate) struct TurnParams {
        /// Leaves after this many cards of a round.
        pub turns: u32 = 7 => "turns", int(1, 64);
    }
}

params! {
    /// Settings of `backpack`.
    pub(crate) struct BackpackParams {
        /// Leaves once the backpack holds this many gems.
        pub gems: u32 = 20 => "gems", int(0, 10_000);
    }
}

params! {
    /// Settings of `random`.
    pub(crate) struct RandomParams {
        /// Probability of leaving, every turn.
        pub probability: f64 = 0.2 => "probability", real(0.0, 1.0);
    }
}

params! {
    /// Settings of `hazards`.
    pub(crate) struct HazardsParams {
        /// Leaves once this many different hazards lie on the path.
        pub hazards: u32 = 2 => "hazards", int(1, 8);
    }
}

params! {
    /// Settings of `collector`.
    pub(crate) struct CollectorParams {
        /// Leaves once the backpack holds this many gems, whatever lies on the path.
        pub gems: u32 = 20 => "gems", int(0, 10_000);
    }
}

impl Rule for TurnParams {
    #[inline]
    fn leaves(&self, seen: &impl Sight) -> bool {
        seen.turn() >= self.turns
    }

    fn counts_turns(&self) -> bool {
        true
    }
}

impl Rule for BackpackParams {
    #[inline]
    fn leaves(&self, seen: &impl Sight) -> bool {
        seen.backpack() >= self.gems
    }
}

impl Rule for HazardsParams {
    #[inline]
    fn leaves(&self, seen: &impl Sight) -> bool {
        seen.hazards() >= self.hazards
    }
}

impl Rule for CollectorParams {
    #[inline]
    fn leaves(&self, seen: &impl Sight) -> bool {
        seen.explorers() == 1 && seen.artifacts() > 0 || seen.backpack() >= self.gems
    }
}

/// Leaves as soon as its rule is satisfied.
pub(crate) struct LeavesIf<R>(pub(crate) R);

impl<R: Rule + Send> Agent<IncanGold> for LeavesIf<R> {
    fn act(&mut self, turn: Turn<'_, IncanGold>) -> Action {
        leave_if(self.0.leaves(&turn.observe()))
    }
}

/// Leaves with a fixed probability.
pub(crate) struct Random(pub(crate) Odds);

impl Agent<IncanGold> for Random {
    fn act(&mut self, mut turn: Turn<'_, IncanGold>) -> Action {
        leave_if(turn.rng().hits(self.0))
    }
}

pub(crate) const fn leave_if(leave: bool) -> Action {
    if leave { Action::Leave } else { Action::Stay }
}
