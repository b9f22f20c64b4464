//! A quick estimate of placements without laying the tile. It selects placements for the full evaluation.

use super::memo::Memo;
use crate::action::Action;
use crate::board::{Board, Content, MAX_FRONTIER, MAX_MONASTERIES, MAX_NODES, Node, node_of};
use crate::geometry::{Cell, Side};
use crate::observe::Observation;
use crate::survey::{Look, Survey};

/// Points per adjacent tile: filling a gap is seldom harmful.
const NEIGHBOUR: f64 = 0.2;
/// Points for completing a feature, in addition to half of its size if it is occupied.
const COMPLETE: f64 = 3.0;
/// Points for extending an occupied feature, and again for each open side that it loses.
const CLOSER: f64 = 0.7;
/// Points per tile in the ring of a monastery.
const RING: f64 = 0.8;
/// Weight of a rival's feature relative to the agent's own.
const RIVAL: f64 = 0.6;

/// Points by the number of adjacent tiles.
const NEIGHBOURS: [f64; 5] = {
    let mut sums = [0.0; 5];
    let mut tiles = 1;
    while tiles < sums.len() {
        sums[tiles] = sums[tiles - 1] + NEIGHBOUR;
        tiles += 1;
    }
    sums
};

pub(super) struct Glance {
    /// The agent's signed stake in each feature of the table, by root.
    stakes: Memo,
    me: usize,
    /// The surroundings of frontier cells, by slot. Only entries of the present round are valid.
    places: Box<[Place]>,
    round: u64,
    /// The last cell inspected, and its slot. Consecutive actions often have the same cell.
    last: (Cell, usize),
    /// Cells of monasteries with monks, and the points of a tile beside them.
    monasteries: [(Cell, f64); MAX_MONASTERIES],
    monks: usize,
}

#[derive(Clone, Copy, Default)]
struct Place {
    /// The round in which the cell was inspected.
    round: u64,
    /// Bits of the sides where a road or city enters.
    sides: u8,
    /// The feature that enters at each side.
    coming: [Coming; 4],
    /// Bits of earlier sides with the same feature, by side.
    same: [u8; 4],
    /// Points for the surrounding tiles, independent of the tile laid.
    neighbours: f64,
    monasteries: f64,
}

#[derive(Clone, Copy, Default)]
struct Coming {
    root: Node,
    manned: bool,
    open: i32,
    /// The agent's signed stake.
    stake: f64,
}

/// The points of a monastery on a cell. It is kept out of line because few tiles have one.
#[inline(never)]
fn ring_of(table: &Board, cell: Cell) -> f64 {
    RING * table.tiles_around(cell) as f64
}

impl Glance {
    pub(super) fn new() -> Self {
        Self {
            stakes: Memo::new(MAX_NODES),
            me: 0,
            places: vec![Place::default(); MAX_FRONTIER].into(),
            round: 0,
            last: (Cell::default(), MAX_FRONTIER),
            monasteries: [(Cell::default(), 0.0); MAX_MONASTERIES],
            monks: 0,
        }
    }

    pub(super) fn begin(&mut self, look: &mut Look<'_>, me: usize) {
        self.stakes.forget();
        self.me = me;
        self.round += 1;
        self.last.1 = MAX_FRONTIER;
        self.monks = 0;
        let table = look.table();
        for (place, tile) in table.monasteries().iter().enumerate() {
            let monastery = table.monastery(place);
            if table.meeples_on(monastery) > 0 {
                let promise = if self.stake(look, monastery) >= 0.0 { RING } else { -RIVAL * RING };
                self.monasteries[self.monks] = (table.tiles()[usize::from(*tile)].cell, promise);
                self.monks += 1;
            }
        }
    }

    /// The estimated points of a placement. Other actions get infinity, so they are always tried.
    #[inline(always)]
    pub(super) fn promise(
        &mut self,
        survey: &mut Survey,
        observation: &Observation<'_>,
        action: Action,
    ) -> f64 {
        let Action::Place { tile: kind, cell, turns } = action else { return f64::INFINITY };
        let (table, piece) = (observation.board(), observation.tables().piece(kind, turns));
        if self.last.1 == MAX_FRONTIER || self.last.0 != cell {
            // Every placement is on the frontier.
            let Content::Frontier(slot) = table.at(cell) else { return f64::INFINITY };
            self.last = (cell, slot);
            if self.places[slot].round != self.round {
                // At the river's end the edge code has no requirement for the water side.
                let water = observation.river_end().is_some_and(|end| end.cell == cell);
                self.look_at(&mut Look::at(survey, table), cell, slot, usize::from(water));
            }
        }
        let place = &self.places[self.last.1];
        let mut promise = place.neighbours;
        let mut segments = piece.buildings;
        while segments != 0 {
            let segment = segments.trailing_zeros() as usize;
            segments &= segments - 1;
            if segment == usize::from(piece.monastery) {
                promise += ring_of(table, cell);
                continue;
            }
            let sides = piece.sides[segment];
            let mut joined = sides & place.sides;
            let (mut open, mut opened) = (i32::from(piece.open[segment]), 0);
            // The agent's stake in the features that the segment joins, and true if one of them is occupied.
            let (mut stake, mut manned) = (0.0, false);
            while joined != 0 {
                let side = joined.trailing_zeros() as usize & 3;
                joined &= joined - 1;
                open -= 2;
                if place.same[side] & sides != 0 {
                    continue;
                }
                let coming = &place.coming[side];
                open += coming.open;
                opened += coming.open;
                manned |= coming.manned;
                stake += coming.stake;
            }
            promise += if !manned {
                // The feature may be claimed.
                if open == 0 { COMPLETE } else { 1.0 / f64::from(open) }
            } else {
                let better = if open == 0 {
                    COMPLETE + 0.5 * f64::abs(stake)
                } else {
                    CLOSER * (1.0 - f64::from(open - opened))
                };
                if stake >= 0.0 { better } else { -RIVAL * better }
            };
        }
        promise + place.monasteries
    }

    /// Inspects a frontier cell with `water` sides of water.
    #[inline(never)]
    fn look_at(&mut self, look: &mut Look<'_>, cell: Cell, slot: usize, water: usize) {
        let table = look.table();
        // The code has two bits per side: zero without a requirement, the upper bit for cities and roads.
        let code = table.codes()[slot];
        let tiles = ((code | code >> 1) & 0b0101_0101).count_ones() as usize;
        let (mut sides, mut left) = (0u8, code & 0b1010_1010);
        while left != 0 {
            let side = Side::from_index(left.trailing_zeros() as usize / 2);
            left &= left - 1;
            let Content::Tile(near) = table.beside(cell, side) else { continue };
            let placed = table.tiles()[near];
            let segment = look.tables().piece(placed.kind(), placed.turns()).at_side[side.opposite().index()];
            let root = table.root(node_of(near, usize::from(segment)));
            let manned = table.meeples_on(root) > 0;
            let stake = if manned { self.stake(look, root) } else { 0.0 };
            let place = &mut self.places[slot];
            let (mut same, mut earlier) = (0, sides);
            while earlier != 0 {
                let other = earlier.trailing_zeros() as usize & 3;
                earlier &= earlier - 1;
                same |= u8::from(place.coming[other].root == root) << other;
            }
            sides |= 1 << side.index();
            place.same[side.index()] = same;
            place.coming[side.index()] = Coming { root, manned, open: table.open(root) as i32, stake };
        }
        let mut monasteries = 0.0;
        for (monastery, promise) in &self.monasteries[..self.monks] {
            if cell.x.abs_diff(monastery.x) <= 1 && cell.y.abs_diff(monastery.y) <= 1 {
                monasteries += promise;
            }
        }
        let place = &mut self.places[slot];
        (place.round, place.sides) = (self.round, sides);
        (place.neighbours, place.monasteries) = (NEIGHBOURS[tiles + water], monasteries);
    }

    /// The size of a feature, given its root: positive if the agent leads there, otherwise negative.
    fn stake(&mut self, look: &mut Look<'_>, root: Node) -> f64 {
        let at = usize::from(root);
        self.stakes.find(at).unwrap_or_else(|| {
            let feature = look.feature(root);
            let size = f64::from(feature.tiles + feature.banners);
            self.stakes.keep(at, if feature.leads(self.me) { size } else { -size })
        })
    }
}
