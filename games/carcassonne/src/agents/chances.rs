//! How likely an empty cell is to be filled, from the tiles nobody has seen.

use std::sync::LazyLock;

use super::memo::Memo;
use crate::board::{Board, Content, MAX_TILES};
use crate::geometry::{Cell, Side};
use crate::observe::Observation;
use crate::tiles::{Kind, LAND_KINDS, NONE, Tables, tables};
use crate::variant::MAX_HAND;

/// For an edge code and a side of the cell: the kinds, as bits, that end the city or road that comes in there,
/// because the piece of it that they bring reaches no side where nothing lies yet.
static ENDING: LazyLock<Vec<[u64; 4]>> = LazyLock::new(|| {
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
    (0..256).map(row).collect()
});

/// Not counted yet.
const UNKNOWN: u8 = u8::MAX;
/// Most tiles that nobody has seen, and most holes that are waited for.
const MOST_UNSEEN: usize = MAX_TILES;
const MOST_HOLES: usize = 12;

/// Own draws of which each may fill one of so many holes.
#[derive(Clone, Copy)]
pub(crate) struct Wait {
    pub(crate) draws: f64,
    pub(crate) holes: usize,
}

/// Counts of unseen tiles that fit an edge code, computed when first asked for.
pub(crate) struct Chances {
    tables: &'static Tables,
    unseen: [u32; LAND_KINDS],
    total: u32,
    /// Unseen tiles that fit an edge code, and those that end a feature there; [`UNKNOWN`] until somebody asks.
    by_code: [u8; 256],
    by_end: [[u8; 4]; 256],
    /// The chance that one of so many of the unseen tiles comes along, by purpose, holes, and tiles.
    in_time: Memo,
    /// Tiles that will come into the agent's own hand.
    draws: f64,
    /// The own hand, and what of it is left once the tile that is tried out has been laid: kinds as bits.
    hand: [Kind; MAX_HAND],
    held: usize,
    left: u64,
}

impl Chances {
    pub(crate) fn new() -> Self {
        Self {
            tables: tables(),
            unseen: [0; LAND_KINDS],
            total: 0,
            by_code: [UNKNOWN; 256],
            by_end: [[UNKNOWN; 4]; 256],
            in_time: Memo::new(2 * (MOST_HOLES + 1) * (MOST_UNSEEN + 1)),
            draws: 0.0,
            hand: [Kind::default(); MAX_HAND],
            held: 0,
            left: 0,
        }
    }

    /// Takes the tiles of the deck, of hands that cannot be seen, and of the own hand.
    pub(crate) fn prepare(&mut self, observation: &Observation<'_>, me: usize) {
        let unseen = observation.unseen();
        self.by_code = [UNKNOWN; 256];
        self.by_end = [[UNKNOWN; 4]; 256];
        self.in_time.forget();
        self.total = 0;
        for (number, count) in self.unseen.iter_mut().enumerate() {
            *count = unseen.count(Kind::new(number));
            self.total += *count;
        }
        for kind in observation.hand(me).unwrap_or(&[]).iter().filter(|kind| !kind.is_river()) {
            self.unseen[kind.index()] += 1;
            self.total += 1;
        }
        let hand = observation.hand(me).unwrap_or(&[]);
        self.held = hand.len();
        self.hand[..hand.len()].copy_from_slice(hand);
        self.without(None);
        self.draws =
            f64::from(observation.deck()) / observation.seats() as f64 + observation.hand_size(me) as f64;
    }

    /// The game is thought to be over after so many own turns, at most.
    pub(crate) fn limit_draws(&mut self, turns: f64) {
        self.draws = self.draws.min(turns);
    }

    /// The hand is thought to be without this tile.
    pub(crate) fn without(&mut self, kind: Option<Kind>) {
        let mut gone = kind;
        self.left = 0;
        for held in &self.hand[..self.held] {
            if gone == Some(*held) {
                gone = None;
            } else if !held.is_river() {
                self.left |= 1 << held.index();
            }
        }
    }

    /// Whether a tile left in the hand ends the feature coming into an empty cell at this side.
    pub(crate) fn holds_end(&self, board: &Board, cell: Cell, side: Side) -> bool {
        let Content::Frontier(slot) = board.at(cell) else { return false };
        ENDING[usize::from(board.codes()[slot])][side.index()] & self.left != 0
    }

    /// Own tiles still to come.
    pub(crate) fn draws(&self) -> f64 {
        self.draws
    }

    /// Number of the unseen tiles that fit these edges.
    fn fitting(&mut self, code: u8) -> u8 {
        let known = &mut self.by_code[usize::from(code)];
        if *known == UNKNOWN {
            let fits = |kind: usize| self.tables.fit[kind][usize::from(code)].any();
            *known = (0..LAND_KINDS).filter(|kind| fits(*kind)).map(|kind| self.unseen[kind] as u8).sum();
        }
        *known
    }

    /// The chance that a tile that fits an empty cell comes along while holes around a tile are waited for.
    pub(crate) fn fill(&mut self, board: &Board, cell: Cell, wait: Wait) -> f64 {
        let code = match board.at(cell) {
            Content::Frontier(slot) => board.codes()[slot],
            Content::Nothing => 0,
            Content::Dead | Content::Tile(_) => return 0.0,
        };
        let fitting = self.fitting(code);
        self.in_time(0, fitting, wait)
    }

    /// The chance that a tile comes along while holes are waited for that ends the feature coming into an empty cell
    /// at this side.
    pub(crate) fn end(&mut self, board: &Board, cell: Cell, side: Side, wait: Wait) -> f64 {
        let Content::Frontier(slot) = board.at(cell) else { return 0.0 };
        let (code, side) = (usize::from(board.codes()[slot]), side.index());
        let known = &mut self.by_end[code][side];
        if *known == UNKNOWN {
            let kinds = ENDING[code][side];
            let ending = (0..LAND_KINDS).filter(|kind| kinds >> kind & 1 == 1);
            *known = ending.map(|kind| self.unseen[kind] as u8).sum();
        }
        let ending = *known;
        self.in_time(1, ending, wait)
    }

    /// The chance that one of so many of the unseen tiles turns up in the draws that are shared among the holes.
    /// `purpose` tells apart waits with other draws.
    fn in_time(&mut self, purpose: usize, tiles: u8, wait: Wait) -> f64 {
        let at = (purpose * (MOST_HOLES + 1) + wait.holes) * (MOST_UNSEEN + 1) + usize::from(tiles);
        self.in_time.find(at).unwrap_or_else(|| {
            let share = f64::from(tiles) / f64::from(self.total.max(1));
            let draws = wait.draws / (wait.holes as f64).sqrt();
            let chance =
                if share >= 1.0 { f64::from(draws > 0.0) } else { 1.0 - (draws * (1.0 - share).ln()).exp() };
            self.in_time.keep(at, chance)
        })
    }
}
