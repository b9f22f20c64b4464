//! A tile laid to look what it does, and taken back: for who tries many placements on one board.

use crate::board::{Board, CELLS, EMPTY, FRONTIER, Fields, Log, Node, STEP, index, node_of};
use crate::geometry::{Cell, Side};
use crate::tiles::{Kind, MAX_SEGMENTS, NONE, Tables};

/// Most nodes that laying a tile changes: two in each join across a side (one of its feature, two of fields), and the
/// monasteries around it.
const MOST: usize = 4 * 3 * 2 + 8;

/// What a node was.
#[derive(Clone, Copy, Default)]
struct Was {
    node: Node,
    parent: Node,
    ring: Node,
    open: u8,
    manned: u8,
}

/// What [`Board::take_back`] needs. One may be used again and again.
#[derive(Default)]
pub struct Undo {
    /// The slot of the frontier that was filled, and what its sides ask for.
    slot: usize,
    code: u8,
    nodes: [Was; MOST],
    len: usize,
}

impl Log for Undo {
    const STAYS: bool = false;

    #[inline]
    fn changes(&mut self, board: &Board, node: Node) {
        // What is new is gone afterwards as a whole.
        if node >= node_of(board.len() - 1, 0) {
            return;
        }
        let at = usize::from(node);
        let (parent, ring) = (board.parent[at], board.ring[at]);
        self.nodes[self.len] = Was { node, parent, ring, open: board.open[at], manned: board.manned[at] };
        self.len += 1;
    }
}

impl Undo {
    /// What has changed of what was on the board before: the roots of features that the tile joins, and monasteries around
    /// it. Some come more than once.
    #[inline]
    pub(crate) fn changed(&self) -> impl Iterator<Item = Node> + '_ {
        self.nodes[..self.len].iter().map(|was| was.node)
    }
}

impl Board {
    /// Lays a tile on a cell of the frontier, to be [taken back](Self::take_back) before anything else changes. What
    /// `undo` held before is gone.
    ///
    /// # Panics
    /// If the cell is not on the frontier.
    pub fn try_place(
        &mut self,
        tables: &Tables,
        (kind, cell, turns): (Kind, Cell, u8),
        fields: Fields,
        undo: &mut Undo,
    ) {
        undo.slot = usize::from(self.grid[index(cell)] & !FRONTIER);
        undo.code = self.codes().get(undo.slot).copied().unwrap_or_default();
        undo.len = 0;
        self.place_with(tables, kind, cell, turns, fields, undo);
    }

    /// Makes the board what it was before [`try_place`](Self::try_place), to the last bit.
    pub fn take_back(&mut self, undo: &Undo) {
        for was in undo.nodes[..undo.len].iter().rev() {
            let at = usize::from(was.node);
            (self.parent[at], self.ring[at]) = (was.parent, was.ring);
            (self.open[at], self.manned[at]) = (was.open, was.manned);
        }
        let tile = self.len() - 1;
        let placed = self.tiles[tile];
        let piece = placed.piece();
        if piece.foundation {
            self.tower_count -= 1;
            self.towers[usize::from(self.tower_count)] = Default::default();
        }
        if piece.monastery != NONE {
            self.monastery_count -= 1;
            self.monasteries[usize::from(self.monastery_count)] = 0;
        }
        let nodes = usize::from(node_of(tile, 0))..usize::from(node_of(tile, 0)) + MAX_SEGMENTS;
        self.parent[nodes.clone()].fill(0);
        self.ring[nodes.clone()].fill(0);
        self.open[nodes.clone()].fill(0);
        self.manned[nodes].fill(0);
        self.tiles[tile] = Default::default();
        self.tile_count -= 1;
        // Cells next to it that are next to no other tile were new: the last ones, in the order of its sides.
        let at = index(placed.cell);
        for side in Side::ALL.into_iter().rev() {
            let near = (at + STEP[side.index()]) & (CELLS - 1);
            let found = self.grid[near];
            if found & FRONTIER == 0 {
                continue;
            }
            let slot = usize::from(found & !FRONTIER);
            self.frontier_code[slot] &= !(3 << (2 * side.opposite().index()));
            if self.frontier_code[slot] == 0 {
                self.frontier_len -= 1;
                self.frontier_cell[slot] = Cell::default();
                self.grid[near] = EMPTY;
            }
        }
        // The last cell of the frontier had moved into the slot that was filled.
        let (slot, last) = (undo.slot, usize::from(self.frontier_len));
        let moved = self.frontier_cell[slot];
        self.frontier_cell[last] = moved;
        self.frontier_code[last] = self.frontier_code[slot];
        if slot != last {
            self.grid[index(moved)] = FRONTIER | last as u16;
        }
        self.frontier_cell[slot] = placed.cell;
        self.frontier_code[slot] = undo.code;
        self.grid[at] = FRONTIER | slot as u16;
        self.frontier_len += 1;
    }
}
