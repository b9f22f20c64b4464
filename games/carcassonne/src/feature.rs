//! Queries on the board, computed on demand.

use crate::action::Post;
use crate::board::{Board, MAX_NODES, Node, Tower, node_of, segment_of, tile_of};
use crate::geometry::Cell;
use crate::tiles::{MAX_SEGMENTS, SegmentKind, Tables, tables};
use crate::variant::{MAX_SEATS, Progress, Variant};

#[derive(Clone)]
pub struct Members<'a> {
    board: &'a Board,
    first: Node,
    next: Option<Node>,
}

impl Iterator for Members<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        let node = self.next?;
        let next = self.board.next_in_ring(node);
        self.next = (next != self.first).then_some(next);
        Some(node)
    }
}

/// Size and meeples of a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feature {
    /// Number of distinct tiles of the feature.
    pub tiles: u32,
    pub banners: u32,
    /// Meeples on the feature, by seat.
    pub meeples: [u8; MAX_SEATS],
}

impl Feature {
    /// The largest number of meeples of one seat.
    #[inline]
    pub fn most(&self) -> u8 {
        self.meeples.iter().copied().fold(0, u8::max)
    }

    /// Returns true if this seat has the majority, alone or shared.
    #[inline]
    pub fn leads(&self, seat: usize) -> bool {
        self.meeples[seat] != 0 && self.meeples[seat] == self.most()
    }
}

/// The points of a feature with `open` open sides, if it is counted now. `cities` returns the number of
/// complete cities that a field touches.
#[inline]
pub(crate) fn worth(
    variant: &Variant,
    kind: SegmentKind,
    open: u32,
    feature: &Feature,
    cities: impl FnOnce() -> u32,
) -> i32 {
    let progress = if open == 0 { Progress::Complete } else { Progress::Incomplete };
    match kind {
        SegmentKind::City => variant.city_value(feature.tiles, feature.banners, progress),
        SegmentKind::Road => variant.road_value(feature.tiles, progress),
        SegmentKind::Monastery => variant.monastery_value(open),
        SegmentKind::Field => variant.farm_value(cities()),
    }
}

impl Board {
    /// All nodes of the class of a node, in no particular order.
    #[inline]
    pub fn members(&self, node: Node) -> Members<'_> {
        Members { board: self, first: node, next: Some(node) }
    }

    /// The content of a city, road or field, by a walk through its nodes.
    #[inline]
    pub fn feature(&self, node: Node) -> Feature {
        let tables = tables();
        let mut feature = Feature::default();
        let mut seen = 0u128;
        for member in self.members(node) {
            let tile = tile_of(member);
            seen |= 1 << tile;
            if let Some(owner) = self.owner(member) {
                feature.meeples[owner] += 1;
            }
            let kind = self.tiles()[tile].kind();
            feature.banners += u32::from(tables.banners[kind.index()] >> segment_of(member) & 1);
        }
        feature.tiles = seen.count_ones();
        feature
    }

    /// The points of a feature, given its root and content, if it is counted now.
    #[inline]
    pub(crate) fn worth(&self, variant: &Variant, root: Node, kind: SegmentKind, feature: &Feature) -> i32 {
        worth(variant, kind, self.open(root), feature, || self.farm_cities(root))
    }

    /// Number of complete cities that a field touches.
    pub fn farm_cities(&self, field: Node) -> u32 {
        let tables = tables();
        let mut seen = [0u64; MAX_NODES.div_ceil(64)];
        let mut count = 0;
        for member in self.members(field) {
            let tile = tile_of(member);
            let kind = self.tiles()[tile].kind();
            let mut touches = tables.touches[kind.index()][segment_of(member)];
            while touches != 0 {
                let city = self.root(node_of(tile, touches.trailing_zeros() as usize));
                touches &= touches - 1;
                let (word, bit) = (usize::from(city) / 64, 1 << (city % 64));
                if self.open(city) == 0 && seen[word] & bit == 0 {
                    seen[word] |= bit;
                    count += 1;
                }
            }
        }
        count
    }
}

impl Tower {
    /// Returns true if a tower of this height reaches `cell`. A tower reaches its own tile, and as many tiles
    /// as floors in each direction, across gaps and other towers.
    pub(crate) fn reaches(tower: Cell, height: u8, cell: Cell) -> bool {
        let (dx, dy) = (tower.x.abs_diff(cell.x), tower.y.abs_diff(cell.y));
        (dx == 0 && dy <= height) || (dy == 0 && dx <= height)
    }
}

impl Board {
    /// The meeples in a tower's range, tile by tile in the order they were laid: cell, post, owner.
    pub(crate) fn in_range<'a>(
        &'a self,
        tables: &'a Tables,
        tower: usize,
    ) -> impl Iterator<Item = (Cell, Post, usize)> + 'a {
        let tower = self.towers()[tower];
        let from = self.tiles()[usize::from(tower.tile)].cell;
        let near = move |cell: Cell| Tower::reaches(from, tower.height, cell);
        // The distance test rules out most tiles, so it comes first.
        let tiles = self.tiles().iter().enumerate();
        let manned = tiles.filter(move |(tile, placed)| near(placed.cell) && self.is_manned(*tile));
        let meeples = manned.flat_map(move |(tile, placed)| {
            let piece = tables.piece(placed.kind(), placed.turns());
            (0..MAX_SEGMENTS).filter_map(move |segment| {
                let owner = self.owner(node_of(tile, segment))?;
                Some((placed.cell, Post::On(piece.spots[segment]), owner))
            })
        });
        let guards = self.towers().iter().filter_map(move |other| {
            let (cell, guard) = (self.tiles()[usize::from(other.tile)].cell, other.guard()?);
            near(cell).then_some((cell, Post::Guard, guard))
        });
        meeples.chain(guards)
    }
}
