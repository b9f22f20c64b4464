//! What a feature lacks to be complete: the empty cells that it is open to, the kinds of tiles that end it there, and
//! how many turns are left for that.

use std::sync::LazyLock;

use crate::board::{Board, Content, Node, segment_of, tile_of};
use crate::geometry::Side;
use crate::tiles::{Kind, LAND_KINDS, NONE, SegmentKind, tables};
use crate::variant::Variant;

/// For an edge code and a side of the cell: the kinds, as bits, that end the city or road that comes in there,
/// because the piece of it that they bring reaches no side where nothing lies yet.
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

/// The land kinds, as bits, that end the city or road that comes into a cell with this edge code at this side.
#[inline]
pub(crate) fn closing(code: u8, side: Side) -> u64 {
    CLOSING[usize::from(code)][side.index()]
}

/// Most empty cells of a feature that are told.
pub(crate) const MOST_HOLES: usize = 12;

/// Empty cells that a city, road or monastery is open to, each once.
pub(crate) struct Holes {
    cells: [(Content, Side); MOST_HOLES],
    count: usize,
}

impl Holes {
    /// What is there, and the side at which a city or road comes in; the side means nothing for monasteries.
    #[inline]
    pub(crate) fn cells(&self) -> &[(Content, Side)] {
        &self.cells[..self.count]
    }
}

impl Board {
    /// The empty cells that a city, road or monastery is open to, given its root; `None` if there are more than
    /// [`MOST_HOLES`].
    #[inline]
    pub(crate) fn holes(&self, root: Node, kind: SegmentKind) -> Option<Holes> {
        let mut holes = Holes { cells: [(Content::Nothing, Side::N); MOST_HOLES], count: 0 };
        if kind == SegmentKind::Monastery {
            let centre = self.tiles()[tile_of(root)].cell;
            for content in self.ring(centre) {
                if !matches!(content, Content::Tile(_)) {
                    holes.cells[holes.count].0 = content;
                    holes.count += 1;
                }
            }
            return Some(holes);
        }
        let tables = tables();
        for node in self.members(root) {
            let placed = self.tiles()[tile_of(node)];
            let piece = tables.piece(placed.kind(), placed.turns());
            for side in Side::ALL {
                if usize::from(piece.at_side[side.index()]) != segment_of(node) {
                    continue;
                }
                let content = self.beside(placed.cell, side);
                let empty = !matches!(content, Content::Tile(_));
                if empty && holes.cells().iter().all(|(known, _)| *known != content) {
                    if holes.count == MOST_HOLES {
                        return None;
                    }
                    holes.cells[holes.count] = (content, side.opposite());
                    holes.count += 1;
                }
            }
        }
        Some(holes)
    }
}

/// Points that the leader of a table scores in a turn, before anything is known of it.
const PRIOR_PACE: f64 = 1.8;
/// How many turns that guess counts as.
const PRIOR_TURNS: f64 = 8.0;

/// Own turns until the point limit is reached, at the leader's pace; `None` without a limit. `tiles` lie on the board.
pub(crate) fn turns_to_limit(variant: &Variant, seats: usize, leader: i32, tiles: usize) -> Option<f64> {
    let (limit, leader) = (f64::from(variant.point_limit), f64::from(leader));
    (limit > 0.0).then(|| {
        let turns = (tiles - 1) as f64 / seats as f64;
        let pace = (leader + PRIOR_PACE * PRIOR_TURNS) / (turns + PRIOR_TURNS);
        (limit - leader) / pace + 1.0
    })
}
