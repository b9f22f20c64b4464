//! The greedy agent: maximises its own score, as if the game ended now.

use meeple_core::params;

use super::lookahead::Evaluator;
use crate::board::Node;
use crate::feature::Feature;
use crate::observe::Observation;
use crate::survey::Look;
use crate::tiles::SegmentKind;
use crate::variant::{MAX_SEATS, Variant};

params! {
    /// Settings of `greedy`. With `rivals=on,meeple=0.5` it is the usual benchmark of other programs: one ply
    /// of the score difference, half a point per meeple.
    pub(crate) struct GreedyParams {
        /// Subtracts the mean score of the other seats from its own.
        pub(crate) rivals: bool = false => "rivals", switch();
        /// Cost of a meeple on the board, in points.
        pub(crate) meeple: f64 = 0.0 => "meeple", real(0.0, 100.0);
    }
}

pub(crate) struct Greedy {
    variant: Variant,
    params: GreedyParams,
    me: usize,
    /// The factor of each other seat's points: 1 / number of rivals, or 0.
    rivalry: f64,
}

impl Greedy {
    pub(crate) fn new(variant: Variant, seats: usize, params: GreedyParams) -> Self {
        let rivalry = if params.rivals && seats > 1 { 1.0 / (seats - 1) as f64 } else { 0.0 };
        Self { variant, params, me: 0, rivalry }
    }
}

impl Evaluator for Greedy {
    fn prepare(&mut self, _observation: &Observation<'_>, me: usize) {
        self.me = me;
    }

    fn feature(&mut self, look: &mut Look<'_>, root: Node, kind: SegmentKind, feature: &Feature) -> f64 {
        let leads = feature.leads(self.me);
        let rivals = (0..MAX_SEATS).filter(|seat| *seat != self.me && feature.leads(*seat)).count();
        let share = f64::from(u8::from(leads)) - self.rivalry * rivals as f64;
        if share == 0.0 { 0.0 } else { share * f64::from(look.worth(&self.variant, root, kind, feature)) }
    }

    fn commitment(&self, _kind: SegmentKind) -> f64 {
        self.params.meeple
    }

    fn capture(&self, _owner: usize) -> f64 {
        0.0
    }

    fn floor(&self) -> f64 {
        0.0
    }

    fn ransom(&self) -> f64 {
        -f64::from(self.variant.ransom)
    }
}
