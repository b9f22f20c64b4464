//! What happens if the game ends with this move: who then wins.

use crate::board::{Board, MAX_NODES, Node, node_of, tile_of};
use crate::observe::Observation;
use crate::tiles::{MAX_SEGMENTS, SegmentKind};
use crate::variant::{MAX_SEATS, Variant};

/// Worth of winning at once; more than a feature can ever be worth.
const WIN: f64 = 1000.0;

/// Knows the point limit and the standings.
pub(crate) struct Finish {
    points: [i32; MAX_SEATS],
    seats: usize,
    me: usize,
    limit: i32,
    /// Whether somebody is so far that one move may end the game.
    near: bool,
}

impl Finish {
    pub(crate) fn new() -> Self {
        Self { points: [0; MAX_SEATS], seats: 2, me: 0, limit: 0, near: false }
    }

    /// Takes the standings.
    pub(crate) fn prepare(&mut self, observation: &Observation<'_>, me: usize) {
        self.seats = observation.seats();
        self.me = me;
        self.limit = observation.variant().point_limit;
        for seat in 0..self.seats {
            self.points[seat] = observation.points(seat);
        }
        self.near = self.limit > 0 && 2 * self.leader() >= self.limit;
    }

    /// Most points of anybody.
    pub(crate) fn leader(&self) -> i32 {
        self.points[..self.seats].iter().max().copied().unwrap_or(0)
    }

    /// If this board, with a claim of the agent on a node, is scored now and ends the game: how good that is.
    pub(crate) fn value(&self, variant: &Variant, board: &Board, claim: Option<Node>) -> Option<f64> {
        if !self.near {
            return None;
        }
        let mut scored = self.points;
        let mut last = [0; MAX_SEATS];
        let mut seen = [0u64; MAX_NODES.div_ceil(64)];
        for tile in 0..board.len() {
            let claimed = claim.is_some_and(|node| tile_of(node) == tile);
            if !board.is_manned(tile) && !claimed {
                continue;
            }
            for segment in 0..MAX_SEGMENTS {
                let node = node_of(tile, segment);
                let mine = claim == Some(node);
                if board.owner(node).is_none() && !mine {
                    continue;
                }
                let root = board.root(node);
                let (word, bit) = (usize::from(root) / 64, 1u64 << (root % 64));
                if seen[word] & bit != 0 {
                    continue;
                }
                seen[word] |= bit;
                let kind = board.segment_kind(node);
                let mut feature = board.feature(root);
                feature.meeples[self.me] += u8::from(mine);
                let points = board.worth(variant, root, kind, &feature);
                let done = kind != SegmentKind::Field && board.open(root) == 0;
                let into = if done { &mut scored } else { &mut last };
                for seat in (0..self.seats).filter(|seat| feature.leads(*seat)) {
                    into[seat] += points;
                }
            }
        }
        if scored[..self.seats].iter().all(|points| *points < self.limit) {
            return None;
        }
        let end = |seat: usize| scored[seat] + last[seat];
        let rivals = (0..self.seats).filter(|seat| *seat != self.me).map(end);
        let margin = end(self.me) - rivals.max().unwrap_or(0);
        Some(WIN * f64::from(margin.signum()) + f64::from(margin))
    }
}
