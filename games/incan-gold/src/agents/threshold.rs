//! One number decides: the simple strategies, and the strategies of the original.

use meeple_core::{Agent, Odds, params};

use crate::action::Action;
use crate::game::IncanGold;

type Decision<'a> = meeple_core::Turn<'a, IncanGold>;

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

const fn leave_if(leave: bool) -> Action {
    if leave { Action::Leave } else { Action::Stay }
}

/// Leaves after a number of turns.
pub(crate) struct Turn {
    turns: u32,
}

impl Turn {
    pub(crate) fn new(params: TurnParams) -> Self {
        Self { turns: params.turns }
    }
}

impl Agent<IncanGold> for Turn {
    fn act(&mut self, turn: Decision<'_>) -> Action {
        leave_if(turn.observe().turn() >= self.turns)
    }
}

/// Leaves once the backpack is full enough.
pub(crate) struct Backpack {
    gems: u32,
}

impl Backpack {
    pub(crate) fn new(params: BackpackParams) -> Self {
        Self { gems: params.gems }
    }
}

impl Agent<IncanGold> for Backpack {
    fn act(&mut self, turn: Decision<'_>) -> Action {
        leave_if(turn.observe().backpack() >= self.gems)
    }
}

/// Leaves with a fixed probability.
pub(crate) struct Random {
    odds: Odds,
}

impl Random {
    pub(crate) fn new(params: RandomParams) -> Self {
        Self { odds: Odds::new(params.probability) }
    }
}

impl Agent<IncanGold> for Random {
    fn act(&mut self, mut turn: Decision<'_>) -> Action {
        leave_if(turn.rng().hits(self.odds))
    }
}

/// Leaves once enough hazards threaten.
pub(crate) struct Hazards {
    hazards: u32,
}

impl Hazards {
    pub(crate) fn new(params: HazardsParams) -> Self {
        Self { hazards: params.hazards }
    }
}

impl Agent<IncanGold> for Hazards {
    fn act(&mut self, turn: Decision<'_>) -> Action {
        leave_if(turn.observe().hazards() >= self.hazards)
    }
}

/// Leaves with an artifact when nobody else can take it, or once the backpack is full enough.
pub(crate) struct Collector {
    gems: u32,
}

impl Collector {
    pub(crate) fn new(params: CollectorParams) -> Self {
        Self { gems: params.gems }
    }
}

impl Agent<IncanGold> for Collector {
    fn act(&mut self, turn: Decision<'_>) -> Action {
        let seen = turn.observe();
        leave_if(seen.explorers() == 1 && seen.artifacts() > 0 || seen.backpack() >= self.gems)
    }
}

/// Never leaves.
pub(crate) struct Never;

impl Agent<IncanGold> for Never {
    fn act(&mut self, _turn: Decision<'_>) -> Action {
        Action::Stay
    }
}
