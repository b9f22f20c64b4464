//! What a placement promises at a glance, without laying it: enough to tell which ones are worth a closer look.

use super::memo::Memo;
use crate::action::Action;
use crate::board::{Board, Content, MAX_NODES, Node, node_of};
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
    /// The cell that was looked at last: most actions differ from the one before by their turns only.
    place: Place,
}

/// A cell of the frontier and what lies around it.
#[derive(Default)]
struct Place {
    /// Which one; none before anything was looked at.
    cell: Option<Cell>,
    /// The roads and cities that come in, by side, and the sides before it, as bits, where the same one comes in.
    coming: [Option<Coming>; 4],
    same: [u8; 4],
    /// What tiles around it bring, whatever is laid.
    neighbours: f64,
    monasteries: f64,
}

/// A road or city that comes into a cell.
#[derive(Clone, Copy)]
struct Coming {
    root: Node,
    open: i32,
    /// How the agent stands there; none if nobody stands there.
    stake: Option<f64>,
}

impl Glance {
    pub(super) fn new() -> Self {
        Self { stakes: Memo::new(MAX_NODES), me: 0, place: Place::default() }
    }

    /// A decision of this seat begins.
    pub(super) fn begin(&mut self, me: usize) {
        self.stakes.forget();
        self.me = me;
        self.place.cell = None;
    }

    /// What an action promises, in points: more than anything if nothing can be said without trying it.
    pub(super) fn promise(&mut self, observation: &Observation<'_>, action: Action) -> f64 {
        let Action::Place { tile: kind, cell, turns } = action else { return f64::INFINITY };
        let (table, piece) = (observation.board(), observation.tables().piece(kind, turns));
        if self.place.cell != Some(cell) {
            self.place = self.look_at(table, cell);
        }
        let place = &self.place;
        let mut open = piece.open.map(i32::from);
        let mut opened = [0; MAX_SEGMENTS];
        // How the agent stands in the features that each segment joins, and whether anybody is there.
        let mut stake = [0.0; MAX_SEGMENTS];
        let mut manned = 0u8;
        for (side, coming) in place.coming.iter().enumerate() {
            let Some(coming) = coming else { continue };
            let segment = usize::from(piece.at_side[side]);
            let same = place.same[side];
            let joined = |other: usize| same >> other & 1 == 1 && piece.at_side[other] == piece.at_side[side];
            if same == 0 || !(0..side).any(joined) {
                open[segment] += coming.open;
                opened[segment] += coming.open;
                if let Some(more) = coming.stake {
                    manned |= 1 << segment;
                    stake[segment] += more;
                }
            }
            open[segment] -= 2;
        }
        let mut promise = place.neighbours;
        let mut segments = piece.buildings;
        while segments != 0 {
            let segment = segments.trailing_zeros() as usize;
            segments &= segments - 1;
            let gain = if segment == usize::from(piece.monastery) {
                RING * table.tiles_around(cell) as f64
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
        promise + place.monasteries
    }

    fn look_at(&mut self, table: &Board, cell: Cell) -> Place {
        let mut place = Place { cell: Some(cell), ..Place::default() };
        for side in Side::ALL {
            let Content::Tile(near) = table.beside(cell, side) else { continue };
            place.neighbours += NEIGHBOUR;
            let segment = table.tiles()[near].piece().at_side[side.opposite().index()];
            if segment != NONE {
                let root = table.root(node_of(near, usize::from(segment)));
                let stake = (table.meeples_on(root) > 0).then(|| self.stake(table, root));
                for (other, known) in place.coming.iter().enumerate() {
                    place.same[side.index()] |=
                        u8::from(known.is_some_and(|known| known.root == root)) << other;
                }
                place.coming[side.index()] = Some(Coming { root, open: table.open(root) as i32, stake });
            }
        }
        let mut near = table.monasteries_near(cell);
        while near != 0 {
            let monastery = table.monastery(near.trailing_zeros() as usize);
            near &= near - 1;
            if table.meeples_on(monastery) > 0 {
                place.monasteries += if self.stake(table, monastery) >= 0.0 { RING } else { -RIVAL * RING };
            }
        }
        place
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
}
