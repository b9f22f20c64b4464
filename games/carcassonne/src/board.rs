//! The board: tiles, features, meeples and towers. All of it is public.
//!
//! Cells live on a twisted torus of 8192 cells (`x + 129 y`). Two cells share an index only if they are at
//! least 128 steps apart. This never occurs, because 102 connected tiles with their surroundings are at most
//! 105 steps wide. Features are union-find classes of nodes; a node is a segment of a placed tile. Each class
//! is also a ring through its nodes, for walks around a feature.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::geometry::{Cell, Side};
use crate::tiles::{Counts, Kind, MAX_SEGMENTS, NONE, Piece, SegmentKind, Share, Tables, tables};

/// Upper bound on tiles of a board: 12 of the river, 72 of the base game, 18 with towers.
pub const MAX_TILES: usize = 102;
/// Upper bound on nodes (segments of placed tiles).
pub const MAX_NODES: usize = MAX_TILES * MAX_SEGMENTS;
/// Upper bound on empty cells next to tiles: two more than twice the tiles.
pub const MAX_FRONTIER: usize = 2 * MAX_TILES + 2;
pub const MAX_TOWERS: usize = 18;
pub const MAX_MONASTERIES: usize = 8;

const CELLS: usize = 8192;
const ROW: usize = 129;
/// Offsets to the north, east, south, west.
const STEP: [usize; 4] = [CELLS - ROW, 1, ROW, CELLS - 1];

/// Offsets to the surrounding cells, by rows.
const RING: [usize; 8] = [CELLS - ROW - 1, CELLS - ROW, CELLS - ROW + 1, CELLS - 1, 1, ROW - 1, ROW, ROW + 1];

const EMPTY: u16 = 0;
/// Encoding in the grid: placed tile t is `t + 1`, slot s of the frontier is `FRONTIER | s`.
const FRONTIER: u16 = 0x8000;
/// An empty cell that can never be filled: beyond the open end of a broken river.
const DEAD: u16 = 0x7fff;

pub type Node = u16;

/// The node of segment `segment` of placed tile `tile`.
#[inline]
pub const fn node_of(tile: usize, segment: usize) -> Node {
    (tile * MAX_SEGMENTS + segment) as Node
}

#[inline]
pub const fn tile_of(node: Node) -> usize {
    node as usize / MAX_SEGMENTS
}

#[inline]
pub const fn segment_of(node: Node) -> usize {
    node as usize % MAX_SEGMENTS
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Placed {
    /// `4 * kind + turns`.
    piece: u8,
    pub cell: Cell,
}

impl Placed {
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind::new(self.piece as usize / 4)
    }

    #[inline]
    pub const fn turns(self) -> u8 {
        self.piece & 3
    }

    /// The contribution of a segment of the tile to its feature.
    #[inline]
    pub(crate) fn share(self, tables: &Tables, segment: usize) -> Share {
        tables.shares[usize::from(self.piece)][segment]
    }

    #[inline]
    pub fn piece(self) -> &'static Piece {
        &tables().pieces[usize::from(self.piece)]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tower {
    pub tile: u8,
    pub height: u8,
    /// The seat of the guard on top; `None` if the tower is open.
    pub(crate) guard: Option<u8>,
}

impl Tower {
    pub fn guard(self) -> Option<usize> {
        self.guard.map(usize::from)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// An empty cell without an adjacent tile.
    Nothing,
    /// An empty cell next to a tile, with its slot of the frontier.
    Frontier(usize),
    /// An empty cell that can never be filled, because the river was broken off here.
    Dead,
    /// A placed tile, by index.
    Tile(usize),
}

/// The tiles laid, their features, meeples and towers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    grid: [u16; CELLS],
    parent: [Node; MAX_NODES],
    ring: [Node; MAX_NODES],
    open: [u8; MAX_NODES],
    manned: [u8; MAX_NODES],
    owner: [u8; MAX_NODES],
    frontier_cell: [Cell; MAX_FRONTIER],
    frontier_code: [u8; MAX_FRONTIER],
    placements: Counts,
    tiles: [Placed; MAX_TILES],
    towers: [Tower; MAX_TOWERS],
    monasteries: [u8; MAX_MONASTERIES],
    frontier_len: u8,
    tile_count: u8,
    tower_count: u8,
    monastery_count: u8,
    /// The cell whose content is [`DEAD`].
    buried: Option<Cell>,
}

#[inline]
pub(crate) const fn index(cell: Cell) -> usize {
    (cell.x as i32 + ROW as i32 * cell.y as i32) as usize & (CELLS - 1)
}

impl Board {
    /// The board without tiles. Only the origin can be filled.
    pub fn new() -> Self {
        let mut board = Self {
            grid: [EMPTY; CELLS],
            parent: [0; MAX_NODES],
            ring: [0; MAX_NODES],
            open: [0; MAX_NODES],
            manned: [0; MAX_NODES],
            owner: [0; MAX_NODES],
            frontier_cell: [Cell::default(); MAX_FRONTIER],
            frontier_code: [0; MAX_FRONTIER],
            placements: tables().ways[0],
            tiles: [Placed::default(); MAX_TILES],
            towers: [Tower::default(); MAX_TOWERS],
            monasteries: [0; MAX_MONASTERIES],
            frontier_len: 1,
            tile_count: 0,
            tower_count: 0,
            monastery_count: 0,
            buried: None,
        };
        board.grid[index(Cell::default())] = FRONTIER;
        board
    }

    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.tile_count)
    }

    pub fn is_empty(&self) -> bool {
        self.tile_count == 0
    }

    /// The tiles in the order they were laid.
    #[inline]
    pub fn tiles(&self) -> &[Placed] {
        &self.tiles[..self.len()]
    }

    /// The towers in the order of their tiles.
    #[inline]
    pub fn towers(&self) -> &[Tower] {
        &self.towers[..usize::from(self.tower_count)]
    }

    #[inline]
    pub fn frontier(&self) -> &[Cell] {
        &self.frontier_cell[..usize::from(self.frontier_len)]
    }

    /// The edge code of each [`frontier`](Self::frontier) cell; see [`fits`](crate::tiles::fits).
    #[inline]
    pub fn codes(&self) -> &[u8] {
        &self.frontier_code[..usize::from(self.frontier_len)]
    }

    /// The content of any cell, near or far. Cells that share an index are distinguished by their
    /// coordinates.
    #[inline]
    pub fn at(&self, cell: Cell) -> Content {
        let (content, found) = match self.grid[index(cell)] {
            EMPTY => return Content::Nothing,
            DEAD => (Content::Dead, self.buried),
            value if value & FRONTIER != 0 => {
                let slot = usize::from(value & !FRONTIER);
                (Content::Frontier(slot), Some(self.frontier_cell[slot]))
            }
            value => {
                let tile = usize::from(value) - 1;
                (Content::Tile(tile), Some(self.tiles[tile].cell))
            }
        };
        if found == Some(cell) { content } else { Content::Nothing }
    }

    #[inline]
    pub fn tile_at(&self, cell: Cell) -> Option<usize> {
        match self.at(cell) {
            Content::Tile(tile) => Some(tile),
            _ => None,
        }
    }

    pub fn tower_at(&self, cell: Cell) -> Option<usize> {
        let tile = self.tile_at(cell)?;
        self.towers().iter().position(|tower| usize::from(tower.tile) == tile)
    }

    #[inline]
    pub fn count_placements(&self, kind: Kind) -> u32 {
        u32::from(self.placements[kind.index()])
    }

    /// Adds the placements on a new frontier cell with this edge code.
    #[inline]
    fn count(&mut self, tables: &Tables, code: u8) {
        for (count, ways) in self.placements.iter_mut().zip(&tables.ways[usize::from(code)]) {
            *count += ways;
        }
    }

    /// Subtracts the placements on a cell that is gone or changes its edge code.
    #[inline]
    fn discount(&mut self, tables: &Tables, code: u8) {
        for (count, ways) in self.placements.iter_mut().zip(&tables.ways[usize::from(code)]) {
            *count -= ways;
        }
    }

    /// The root of a node's class.
    #[inline]
    pub fn root(&self, node: Node) -> Node {
        let mut node = node;
        loop {
            let parent = self.parent[usize::from(node)];
            if parent == node {
                return node;
            }
            node = parent;
        }
    }

    #[inline]
    fn root_halving(&mut self, node: Node) -> Node {
        let mut node = node;
        loop {
            let parent = self.parent[usize::from(node)];
            if parent == node {
                return node;
            }
            let grand = self.parent[usize::from(parent)];
            self.parent[usize::from(node)] = grand;
            node = grand;
        }
    }

    /// Open sides of a class, given its root. For a city or road these are the sides without a neighbour, for
    /// a monastery the empty cells around it. 0 means complete; for fields the value is meaningless.
    #[inline]
    pub fn open(&self, root: Node) -> u32 {
        u32::from(self.open[usize::from(root)])
    }

    /// Meeples of all seats on a class, given its root.
    #[inline]
    pub fn meeples_on(&self, root: Node) -> u32 {
        u32::from(self.manned[usize::from(root)])
    }

    /// Owners by node: 0 for none, otherwise seat + 1.
    #[inline]
    pub(crate) fn owners(&self) -> &[u8] {
        &self.owner
    }

    /// The seat whose meeple stands on a node.
    #[inline]
    pub fn owner(&self, node: Node) -> Option<usize> {
        match self.owner[usize::from(node)] {
            0 => None,
            owner => Some(usize::from(owner) - 1),
        }
    }

    /// Returns true if a meeple stands on a feature of this tile. Tower guards do not count.
    #[inline]
    pub(crate) fn is_manned(&self, tile: usize) -> bool {
        self.owner[tile * MAX_SEGMENTS..(tile + 1) * MAX_SEGMENTS] != [0; MAX_SEGMENTS]
    }

    /// The nodes with meeples and the meeples' seats, tile by tile in the order they were laid.
    pub fn meeples(&self) -> impl Iterator<Item = (Node, usize)> + '_ {
        let manned = (0..self.len()).filter(|tile| self.is_manned(*tile));
        let nodes = manned.flat_map(|tile| (0..MAX_SEGMENTS).map(move |segment| node_of(tile, segment)));
        nodes.filter_map(|node| Some((node, self.owner(node)?)))
    }

    /// The node after this one in the ring of its class.
    #[inline]
    pub(crate) fn next_in_ring(&self, node: Node) -> Node {
        self.ring[usize::from(node)]
    }

    #[inline]
    pub fn segment_kind(&self, node: Node) -> SegmentKind {
        let kind = self.tiles[tile_of(node)].kind();
        tables().kinds[kind.index()][segment_of(node)]
    }

    /// The placed tiles with a monastery.
    #[inline]
    pub fn monasteries(&self) -> &[u8] {
        &self.monasteries[..usize::from(self.monastery_count)]
    }

    /// Monasteries on a cell and in the eight around it, as bits of their indices in
    /// [`monasteries`](Self::monasteries).
    #[inline]
    pub fn monasteries_near(&self, cell: Cell) -> u8 {
        // Unsigned distances from the column and row before the cell: values up to 2 are near.
        let (west, north) = (cell.x.wrapping_sub(1), cell.y.wrapping_sub(1));
        let mut near = 0;
        for (place, tile) in self.monasteries().iter().enumerate() {
            let other = self.tiles[usize::from(*tile)].cell;
            let (column, row) = (other.x.wrapping_sub(west) as u8, other.y.wrapping_sub(north) as u8);
            near |= u8::from(column <= 2 && row <= 2) << place;
        }
        near
    }

    /// The node of the monastery at this index of [`monasteries`](Self::monasteries). It is a root.
    #[inline]
    pub fn monastery(&self, place: usize) -> Node {
        let tile = usize::from(self.monasteries[place]);
        node_of(tile, usize::from(self.tiles[tile].piece().monastery))
    }

    /// The content of the cell across a side. The given cell must have a tile on it or next to it.
    #[inline]
    pub(crate) fn beside(&self, cell: Cell, side: Side) -> Content {
        self.content_near(index(cell) + STEP[side.index()])
    }

    /// The contents of the eight surrounding cells, by rows. The given cell must have a tile on it or next to
    /// it.
    #[inline]
    pub(crate) fn ring(&self, cell: Cell) -> impl Iterator<Item = Content> + '_ {
        let centre = index(cell);
        RING.iter().map(move |step| self.content_near(centre + step))
    }

    /// Number of tiles around a cell that has a tile on it or next to it.
    #[inline]
    pub(crate) fn tiles_around(&self, cell: Cell) -> usize {
        self.ring(cell).filter(|content| matches!(content, Content::Tile(_))).count()
    }

    /// The content of the cell with this index. It must be near a tile, so that the index is unambiguous.
    #[inline]
    pub(crate) fn content_near(&self, index: usize) -> Content {
        match self.grid[index & (CELLS - 1)] {
            EMPTY => Content::Nothing,
            DEAD => Content::Dead,
            value if value & FRONTIER != 0 => Content::Frontier(usize::from(value & !FRONTIER)),
            value => Content::Tile(usize::from(value) - 1),
        }
    }

    /// Lays a tile on a cell of the frontier and joins its features to those around. Fields are joined only
    /// if they are played.
    ///
    /// # Panics
    /// If the cell is not on the frontier.
    #[inline]
    pub(crate) fn place(&mut self, tables: &Tables, kind: Kind, cell: Cell, turns: u8, fields: Fields) {
        let at = index(cell);
        let tile = self.len();
        let slot = self.grid[at];
        assert!(slot & FRONTIER != 0 && slot != DEAD, "a tile is laid next to another");
        let filled = self.drop_frontier(usize::from(slot & !FRONTIER));
        self.discount(tables, filled);
        self.grid[at] = tile as u16 + 1;
        self.tiles[tile] = Placed { piece: 4 * kind.index() as u8 + turns, cell };
        self.tile_count += 1;
        let piece = &tables.pieces[4 * kind.index() + usize::from(turns)];
        let first = usize::from(node_of(tile, 0));
        for segment in 0..MAX_SEGMENTS {
            let node = first + segment;
            self.parent[node] = node as Node;
            self.ring[node] = node as Node;
        }
        self.open[first..first + MAX_SEGMENTS].copy_from_slice(&piece.open);
        for side in Side::ALL {
            let near = (at + STEP[side.index()]) & (CELLS - 1);
            let found = self.grid[near];
            let asks = (piece.terrain[side.index()] as u8) << (2 * side.opposite().index());
            if found == EMPTY {
                let new = usize::from(self.frontier_len);
                self.frontier_cell[new] = cell.step(side);
                self.frontier_code[new] = asks;
                self.frontier_len += 1;
                self.grid[near] = FRONTIER | new as u16;
                self.count(tables, asks);
            } else if found & FRONTIER != 0 {
                let slot = usize::from(found & !FRONTIER);
                let code = self.frontier_code[slot];
                self.frontier_code[slot] = code | asks;
                self.discount(tables, code);
                self.count(tables, code | asks);
            } else if found != DEAD {
                let other = usize::from(found) - 1;
                self.glue(tables, piece, tile, other, side, fields);
            }
        }
        if !self.monasteries().is_empty() || piece.monastery != NONE {
            self.count_around(piece, tile, cell);
        }
        if piece.foundation {
            self.towers[usize::from(self.tower_count)] = Tower { tile: tile as u8, height: 0, guard: None };
            self.tower_count += 1;
        }
    }

    /// Makes the board equal to `start`, a board with few tiles. It skips cells that neither board uses, so
    /// it is faster than a copy.
    #[inline]
    pub(crate) fn restart(&mut self, start: &Board) {
        if self.buried.is_some() {
            *self = *start;
            return;
        }
        for number in 0..self.len() {
            self.grid[index(self.tiles[number].cell)] = EMPTY;
        }
        for slot in 0..usize::from(self.frontier_len) {
            self.grid[index(self.frontier_cell[slot])] = EMPTY;
        }
        let tiles = self.len().max(start.len());
        let cells = usize::from(self.frontier_len.max(start.frontier_len));
        let nodes = tiles * MAX_SEGMENTS;
        self.parent[..nodes].copy_from_slice(&start.parent[..nodes]);
        self.ring[..nodes].copy_from_slice(&start.ring[..nodes]);
        self.open[..nodes].copy_from_slice(&start.open[..nodes]);
        self.manned[..nodes].copy_from_slice(&start.manned[..nodes]);
        self.owner[..nodes].copy_from_slice(&start.owner[..nodes]);
        self.frontier_cell[..cells].copy_from_slice(&start.frontier_cell[..cells]);
        self.frontier_code[..cells].copy_from_slice(&start.frontier_code[..cells]);
        self.tiles[..tiles].copy_from_slice(&start.tiles[..tiles]);
        self.placements = start.placements;
        self.towers = start.towers;
        self.monasteries = start.monasteries;
        self.frontier_len = start.frontier_len;
        self.tile_count = start.tile_count;
        self.tower_count = start.tower_count;
        self.monastery_count = start.monastery_count;
        for (number, placed) in start.tiles().iter().enumerate() {
            self.grid[index(placed.cell)] = number as u16 + 1;
        }
        for (slot, cell) in start.frontier().iter().enumerate() {
            self.grid[index(*cell)] = FRONTIER | slot as u16;
        }
    }

    /// Removes a cell from the frontier, and returns its edge code.
    #[inline]
    fn drop_frontier(&mut self, slot: usize) -> u8 {
        let code = self.frontier_code[slot];
        self.frontier_len -= 1;
        let last = usize::from(self.frontier_len);
        let moved = self.frontier_cell[last];
        self.frontier_cell[slot] = moved;
        self.frontier_code[slot] = self.frontier_code[last];
        self.grid[index(moved)] = FRONTIER | slot as u16;
        // Unused entries are blank, so that equal boards are equal values.
        self.frontier_cell[last] = Cell::default();
        self.frontier_code[last] = 0;
        code
    }

    /// Marks a frontier cell as [`DEAD`].
    pub(crate) fn bury(&mut self, tables: &Tables, cell: Cell) {
        if let Content::Frontier(slot) = self.at(cell) {
            let code = self.drop_frontier(slot);
            self.discount(tables, code);
            self.grid[index(cell)] = DEAD;
            self.buried = Some(cell);
        }
    }

    #[inline]
    fn glue(
        &mut self,
        tables: &Tables,
        piece: &Piece,
        tile: usize,
        other: usize,
        side: Side,
        fields: Fields,
    ) {
        let across = &tables.pieces[usize::from(self.tiles[other].piece)];
        let (own, far) = (side.index(), side.opposite().index());
        let segment = piece.at_side[own];
        if segment != NONE {
            let theirs = node_of(other, usize::from(across.at_side[far]));
            let root = self.join(theirs, node_of(tile, usize::from(segment)));
            self.open[usize::from(root)] -= 2;
        }
        if fields == Fields::Joined {
            // Half-edges 2s and 2s + 1 of a side meet 2o + 1 and 2o of the side across.
            let segments = [piece.at_half[2 * own], piece.at_half[2 * own + 1]];
            let theirs = [across.at_half[2 * far + 1], across.at_half[2 * far]];
            if segments[0] != NONE {
                self.join(node_of(other, usize::from(theirs[0])), node_of(tile, usize::from(segments[0])));
            }
            if segments[1] != NONE && (segments[1] != segments[0] || theirs[1] != theirs[0]) {
                self.join(node_of(other, usize::from(theirs[1])), node_of(tile, usize::from(segments[1])));
            }
        }
    }

    /// Unites two classes and returns the root, that of the older tile.
    #[inline]
    fn join(&mut self, older: Node, newer: Node) -> Node {
        let (keep, gone) = (self.root_halving(older), self.root_halving(newer));
        if keep != gone {
            let (keep, gone) = (usize::from(keep), usize::from(gone));
            self.parent[gone] = keep as Node;
            self.ring.swap(keep, gone);
            self.open[keep] += self.open[gone];
            self.manned[keep] += self.manned[gone];
            self.open[gone] = 0;
            self.manned[gone] = 0;
        }
        keep
    }

    fn count_around(&mut self, piece: &Piece, tile: usize, cell: Cell) {
        let mut near = self.monasteries_near(cell);
        while near != 0 {
            let node = self.monastery(near.trailing_zeros() as usize);
            near &= near - 1;
            self.open[usize::from(node)] -= 1;
        }
        if piece.monastery != NONE {
            let around = self.tiles_around(cell);
            self.open[usize::from(node_of(tile, usize::from(piece.monastery)))] = 8 - around as u8;
            self.monasteries[usize::from(self.monastery_count)] = tile as u8;
            self.monastery_count += 1;
        }
    }

    /// Puts a meeple on a node.
    #[inline]
    pub(crate) fn man(&mut self, node: Node, seat: usize) {
        let root = self.root(node);
        self.owner[usize::from(node)] = seat as u8 + 1;
        self.manned[usize::from(root)] += 1;
    }

    /// Takes the meeple off a node and returns its seat.
    #[inline]
    pub(crate) fn unman(&mut self, node: Node) -> Option<usize> {
        let seat = self.owner(node)?;
        let root = self.root(node);
        self.owner[usize::from(node)] = 0;
        self.manned[usize::from(root)] -= 1;
        Some(seat)
    }

    /// Takes all meeples off the class with this root.
    #[inline]
    pub(crate) fn clear(&mut self, root: Node) {
        self.manned[usize::from(root)] = 0;
        let mut node = root;
        loop {
            self.owner[usize::from(node)] = 0;
            node = self.ring[usize::from(node)];
            if node == root {
                return;
            }
        }
    }

    pub(crate) fn tower_mut(&mut self, tower: usize) -> &mut Tower {
        &mut self.towers[tower]
    }

    /// Bits of the last tile's claimable segments: their whole features hold no meeple.
    #[inline]
    pub(crate) fn claimable(&self, piece: &Piece, tile: usize, fields: Fields) -> u8 {
        let among = piece.buildings | if fields == Fields::Joined { piece.fields } else { 0 };
        let mut left = among;
        let mut free = 0;
        while left != 0 {
            let segment = left.trailing_zeros() as usize;
            left &= left - 1;
            let root = self.root(node_of(tile, segment));
            free |= u8::from(self.manned[usize::from(root)] == 0) << segment;
        }
        free
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::new()
    }
}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // All other fields follow from these.
        self.tiles().hash(state);
        self.owner[..self.len() * MAX_SEGMENTS].hash(state);
        self.towers().hash(state);
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for (number, placed) in self.tiles().iter().enumerate() {
            let spots = &placed.piece().spots;
            let manned = (0..MAX_SEGMENTS).filter_map(|segment| {
                let owner = self.owner(node_of(number, segment))?;
                Some(format!(" {owner} on {}", spots[segment]))
            });
            let manned: String = manned.collect();
            list.entry(&format_args!("{} {} r{}{manned}", placed.kind(), placed.cell, placed.turns()));
        }
        list.entries(self.towers()).finish()
    }
}

/// The treatment of fields. Only games with farms need joined fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fields {
    /// Adjacent fields are joined, and can be claimed.
    Joined,
    /// Fields are not joined, and cannot be claimed.
    Ignored,
}
