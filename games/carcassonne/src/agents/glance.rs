//! What a placement promises at a glance, without laying it: enough to tell which ones are worth a closer look.

use super::memo::Memo;
use crate::action::Action;
use crate::board::{Board, MAX_NODES, Node, around, node_of};
use crate::geometry::{Cell, Side};
use crate::observe::Observation;
use crate::tiles::{MAX_SEGMENTS, NONE};

/// Points for each tile that it touches: what fills a gap seldom hurts.
const NEIGHBOUR: f64 = 0.2;
/// Points for completing a feature, beside half of its size if somebody stands there.
const COMPLETE: f64 = 3.0;
/// Points for the tile that a feature gains, and for each open side that it gets less.
const CLOSER: f64 = 0.7;
/// Points that each tile in the ring of a monastery brings.
const RING: f64 = 0.8;
/// How much a rival's feature counts beside an own one.
const RIVAL: f64 = 0.6;

/// Looks at actions of one decision.
pub(super) struct Glance {
    /// How the agent, of this seat, stands in features of the table, by root.
    stakes: Memo,
    me: usize,
}

impl Glance {
    pub(super) fn new() -> Self {
        Self { stakes: Memo::new(MAX_NODES), me: 0 }
    }

    /// A decision of this seat begins.
    pub(super) fn begin(&mut self, me: usize) {
        self.stakes.forget();
        self.me = me;
    }

    /// What an action promises, in points: more than anything if nothing can be said without trying it.
    pub(super) fn promise(&mut self, observation: &Observation<'_>, action: Action) -> f64 {
        let Action::Place { tile: kind, cell, turns } = action else { return f64::INFINITY };
        let (table, tables) = (observation.board(), observation.tables());
        let piece = tables.piece(kind, turns);
        let mut promise = 0.0;
        let mut open = piece.open.map(i32::from);
        let mut opened = [0; MAX_SEGMENTS];
        // How the agent stands in the features that each segment joins, and whether anybody is there.
        let mut stake = [0.0; MAX_SEGMENTS];
        let mut manned = 0u8;
        let mut joined = [None; 4];
        for side in Side::ALL {
            let Some(near) = table.tile_at(cell.step(side)) else { continue };
            promise += NEIGHBOUR;
            let segment = usize::from(piece.at_side[side.index()]);
            if segment == usize::from(NONE) {
                continue;
            }
            let across = table.tiles()[near].piece();
            let root = table.root(node_of(near, usize::from(across.at_side[side.opposite().index()])));
            if !joined.contains(&Some((segment, root))) {
                joined[side.index()] = Some((segment, root));
                open[segment] += table.open(root) as i32;
                opened[segment] += table.open(root) as i32;
                if table.meeples_on(root) > 0 {
                    manned |= 1 << segment;
                    stake[segment] += self.stake(table, root);
                }
            }
            open[segment] -= 2;
        }
        let mut segments = piece.buildings;
        while segments != 0 {
            let segment = segments.trailing_zeros() as usize;
            segments &= segments - 1;
            let gain = if segment == usize::from(piece.monastery) {
                RING * around(cell).filter(|near| table.tile_at(*near).is_some()).count() as f64
            } else if manned >> segment & 1 == 0 {
                // It may be claimed.
                if open[segment] == 0 { COMPLETE } else { 1.0 / f64::from(open[segment]) }
            } else {
                let better = if open[segment] == 0 {
                    COMPLETE + 0.5 * stake[segment].abs()
                } else {
                    CLOSER * (1.0 - f64::from(open[segment] - opened[segment]))
                };
                if stake[segment] >= 0.0 { better } else { -RIVAL * better }
            };
            promise += gain;
        }
        promise + self.near_monasteries(table, cell)
    }

    /// How large a feature is, given its root: above 0 if the agent leads there, and below if only others do.
    fn stake(&mut self, table: &Board, root: Node) -> f64 {
        let at = usize::from(root);
        self.stakes.find(at).unwrap_or_else(|| {
            let feature = table.feature(root);
            let size = f64::from(feature.tiles + feature.banners);
            self.stakes.keep(at, if feature.leads(self.me) { size } else { -size })
        })
    }

    /// What filling a cell brings to monasteries next to it.
    fn near_monasteries(&mut self, table: &Board, cell: Cell) -> f64 {
        let mut gain = 0.0;
        for tile in table.monasteries() {
            let monk = table.tiles()[usize::from(*tile)];
            let near = monk.cell.x.abs_diff(cell.x) <= 1 && monk.cell.y.abs_diff(cell.y) <= 1;
            let root: Node = node_of(usize::from(*tile), usize::from(monk.piece().monastery));
            if near && table.meeples_on(root) > 0 {
                gain += if self.stake(table, root) >= 0.0 { RING } else { -RIVAL * RING };
            }
        }
        gain
    }
}
