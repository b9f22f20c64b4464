//! The own score, were the game to end now.

use super::lookahead::Evaluator;
use crate::board::{Board, Node};
use crate::feature::Feature;
use crate::observe::Observation;
use crate::tiles::SegmentKind;
use crate::variant::{Progress, Variant};

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

/// Points of a feature if it were counted now.
pub(crate) fn worth_now(
    variant: &Variant,
    board: &Board,
    root: Node,
    kind: SegmentKind,
    feature: &Feature,
) -> i32 {
    let progress = if board.open(root) == 0 { Progress::Complete } else { Progress::Incomplete };
    match kind {
        SegmentKind::City => variant.city_value(feature.tiles, feature.banners, progress),
        SegmentKind::Road => variant.road_value(feature.tiles, progress),
        SegmentKind::Monastery => variant.monastery_value(board.open(root)),
        SegmentKind::Field => variant.farm_value(board.farm_cities(root)),
    }
}

impl Evaluator for Greedy {
    fn prepare(&mut self, _observation: &Observation<'_>, me: usize) {
        self.me = me;
    }

    fn feature(&mut self, board: &Board, root: Node, kind: SegmentKind, feature: &Feature) -> f64 {
        if feature.leads(self.me) {
            f64::from(worth_now(&self.variant, board, root, kind, feature))
        } else {
            0.0
        }
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
