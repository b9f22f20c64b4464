//! The own score, were the game to end now.

use super::lookahead::Evaluator;
use crate::board::{Board, Node};
use crate::feature::Feature;
use crate::observe::Observation;
use crate::tiles::SegmentKind;
use crate::variant::Variant;

/// Likes points, and knows nothing of tomorrow.
pub(crate) struct Greedy {
    variant: Variant,
    me: usize,
}

impl Greedy {
    pub(crate) fn new(variant: Variant) -> Self {
        Self { variant, me: 0 }
    }
}

impl Evaluator for Greedy {
    fn prepare(&mut self, _observation: &Observation<'_>, me: usize) {
        self.me = me;
    }

    fn feature(&mut self, board: &Board, root: Node, kind: SegmentKind, feature: &Feature) -> f64 {
        if feature.leads(self.me) { f64::from(board.worth(&self.variant, root, kind, feature)) } else { 0.0 }
    }

    fn commitment(&self, _kind: SegmentKind) -> f64 {
        0.0
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
