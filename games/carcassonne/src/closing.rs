//! The requirements of completion: the empty cells at a feature, the kinds of tiles that end it there, and
//! the turns that remain.

use std::sync::LazyLock;

use crate::board::{Board, Content, MAX_FRONTIER, Node, segment_of, tile_of};
use crate::geometry::Side;
use crate::tiles::{Kind, LAND_KINDS, NONE, SegmentKind, tables};
use crate::variant::Variant;

/// Land kinds, as bits, that end the city or road entering an empty cell, by edge code and side of the cell.
/// Their segment there reaches no other open side.
static CLOSING: LazyLock<[[u64; 4]; 256]> = LazyLock::new(|| {
    let tables = tables();
    let ends = |kind: usize, code: usize, side: usize| {
        let mask = tables.fit[kind][code].turns();
        (0..4u8).filter(|turns| mask >> turns & 1 == 1).any(|turns| {
            let piece = tables.piece(Kind::new(kind), turns);
            let own = piece.at_side[side];
            own != NONE && (0..4).all(|other| piece.at_side[other] != own || code >> (2 * other) & 3 != 0)
        })
    };
    let row = |code: usize| {
        std::array::from_fn(|side| {
            (0..LAND_KINDS).fold(0, |kinds, kind| kinds | u64::from(ends(kind, code, side)) << kind)
        })
    };
    std::array::from_fn(row)
});

/// Land kinds, as bits, that end the city or road entering a cell with this edge code at this side.
#[inline]
pub(crate) fn closing(code: u8, side: Side) -> u64 {
    CLOSING[usize::from(code)][side.index()]
}

pub(crate) const MAX_HOLES: usize = 12;

/// An empty cell that a feature is open to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// The edge code of the cell; see [`fits`](crate::tiles::fits).
    pub code: u8,
    /// The side of the cell where a city or road enters; meaningless for monasteries.
    pub side: Side,
}

/// The distinct empty cells beside a city, road or monastery.
pub struct Holes {
    list: [Hole; MAX_HOLES],
    count: usize,
    /// Bits of the frontier slots in the list.
    seen: [u64; MAX_FRONTIER.div_ceil(64)],
}

impl Holes {
    #[inline]
    pub(crate) fn new() -> Self {
        let none = Hole { code: 0, side: Side::N };
        Self { list: [none; MAX_HOLES], count: 0, seen: [0; MAX_FRONTIER.div_ceil(64)] }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.seen = [0; MAX_FRONTIER.div_ceil(64)];
    }

    /// The cells in the order of insertion.
    #[inline]
    pub fn list(&self) -> &[Hole] {
        &self.list[..self.count]
    }

    /// Adds a cell, unless its frontier slot is in the list already. Returns false if the list is full.
    #[inline]
    pub(crate) fn add(&mut self, slot: Option<usize>, hole: Hole) -> bool {
        if let Some(slot) = slot {
            let (word, bit) = (slot / 64, 1 << (slot % 64));
            if self.seen[word] & bit != 0 {
                return true;
            }
            self.seen[word] |= bit;
        }
        let room = self.count < MAX_HOLES;
        if room {
            self.list[self.count] = hole;
            self.count += 1;
        }
        room
    }
}

impl Board {
    /// The empty cells beside a feature, in the order of its ring. `None` if the feature cannot be completed:
    /// a cell is dead, or there are more than `MAX_HOLES` cells.
    #[inline]
    pub fn holes(&self, root: Node, kind: SegmentKind) -> Option<Holes> {
        let mut holes = Holes::new();
        let mut add = |content, side| {
            let (slot, code) = match content {
                Content::Tile(_) => return true,
                Content::Dead => return false,
                Content::Nothing => (None, 0),
                Content::Frontier(slot) => (Some(slot), self.codes()[slot]),
            };
            holes.add(slot, Hole { code, side })
        };
        if kind == SegmentKind::Monastery {
            let centre = self.tiles()[tile_of(root)].cell;
            return self.ring(centre).all(|content| add(content, Side::N)).then_some(holes);
        }
        let tables = tables();
        for node in self.members(root) {
            let placed = self.tiles()[tile_of(node)];
            let mut sides = tables.piece(placed.kind(), placed.turns()).sides[segment_of(node)];
            while sides != 0 {
                let side = Side::from_index(sides.trailing_zeros() as usize);
                sides &= sides - 1;
                if !add(self.beside(placed.cell, side), side.opposite()) {
                    return None;
                }
            }
        }
        Some(holes)
    }
}

/// Prior of the leader's points per turn.
const PRIOR_PACE: f64 = 1.8;
/// Weight of [`PRIOR_PACE`], in turns.
const PRIOR_TURNS: f64 = 8.0;

/// Own turns until the point limit is reached at the leader's pace; `None` without a limit.
pub(crate) fn turns_to_limit(variant: &Variant, seats: usize, leader: i32, tiles: usize) -> Option<f64> {
    let (limit, leader) = (f64::from(variant.point_limit), f64::from(leader));
    (limit > 0.0).then(|| {
        let turns = (tiles - 1) as f64 / seats as f64;
        let pace = (leader + PRIOR_PACE * PRIOR_TURNS) / (turns + PRIOR_TURNS);
        (limit - leader) / pace + 1.0
    })
}
