//! The evaluation of moves that end the game.

use crate::board::{MAX_NODES, Node};
use crate::feature::Feature;
use crate::observe::Observation;
use crate::survey::Look;
use crate::tiles::SegmentKind;
use crate::variant::{MAX_SEATS, Variant};

/// Value of winning at once, greater than the value of any feature.
const WIN: f64 = 1000.0;

pub(crate) struct Finish {
    points: [i32; MAX_SEATS],
    seats: usize,
    me: usize,
    limit: i32,
    /// True if the leader has half of the point limit, so that one turn may end the game.
    near: bool,
}

impl Finish {
    pub(crate) fn new() -> Self {
        Self { points: [0; MAX_SEATS], seats: 2, me: 0, limit: 0, near: false }
    }

    pub(crate) fn prepare(&mut self, observation: &Observation<'_>, me: usize) {
        self.seats = observation.seats();
        self.me = me;
        self.limit = observation.variant().point_limit;
        for seat in 0..self.seats {
            self.points[seat] = observation.points(seat);
        }
        self.near = self.limit > 0 && 2 * self.leader() >= self.limit;
    }

    pub(crate) fn leader(&self) -> i32 {
        self.points[..self.seats].iter().max().copied().unwrap_or(0)
    }

    /// The scores of all seats if this table is scored now; `None` while the leader has less than half of the
    /// limit.
    pub(crate) fn scores(&self, variant: &Variant, look: &mut Look<'_>) -> Option<Scores> {
        if !self.near {
            return None;
        }
        let mut scores = Scores { scored: self.points, last: [0; MAX_SEATS] };
        let mut seen = [0u64; MAX_NODES.div_ceil(64)];
        for (node, _) in look.table().meeples() {
            let root = look.root(node);
            let (word, bit) = (usize::from(root) / 64, 1u64 << (root % 64));
            if seen[word] & bit == 0 {
                seen[word] |= bit;
                scores.gain(variant, look, root);
            }
        }
        Some(scores)
    }

    /// The value of these scores if they reach the point limit; `None` otherwise.
    pub(crate) fn value(&self, scores: &Scores) -> Option<f64> {
        let Scores { scored, last } = scores;
        if scored[..self.seats].iter().all(|points| *points < self.limit) {
            return None;
        }
        let end = |seat: usize| scored[seat] + last[seat];
        let rivals = (0..self.seats).filter(|seat| *seat != self.me).map(end);
        let margin = end(self.me) - rivals.max().unwrap_or(0);
        Some(WIN * f64::from(margin.signum()) + f64::from(margin))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Scores {
    /// Points so far, with the features that are complete on this table.
    scored: [i32; MAX_SEATS],
    /// Points that incomplete features and fields add in the final scoring.
    last: [i32; MAX_SEATS],
}

impl Scores {
    /// Adds an uncounted feature.
    pub(crate) fn gain(&mut self, variant: &Variant, look: &mut Look<'_>, root: Node) {
        self.count_root(variant, look, root, 1);
    }

    /// Removes a counted feature.
    pub(crate) fn lose(&mut self, variant: &Variant, look: &mut Look<'_>, root: Node) {
        self.count_root(variant, look, root, -1);
    }

    fn count_root(&mut self, variant: &Variant, look: &mut Look<'_>, root: Node, times: i32) {
        if look.meeples_on(root) > 0 {
            let feature = look.feature(root);
            self.count(variant, look, root, look.segment_kind(root), &feature, times);
        }
    }

    pub(crate) fn count(
        &mut self,
        variant: &Variant,
        look: &mut Look<'_>,
        root: Node,
        kind: SegmentKind,
        feature: &Feature,
        times: i32,
    ) {
        let points = look.worth(variant, root, kind, feature);
        let done = kind != SegmentKind::Field && look.open(root) == 0;
        let into = if done { &mut self.scored } else { &mut self.last };
        for (seat, into) in into.iter_mut().enumerate() {
            *into += if feature.leads(seat) { times * points } else { 0 };
        }
    }
}
