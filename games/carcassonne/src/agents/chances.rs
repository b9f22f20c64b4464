//! How likely an empty cell is to be filled, from the tiles nobody has seen.

use std::sync::LazyLock;

use super::memo::Memo;
use crate::board::MAX_TILES;
use crate::closing::{Hole, MOST_HOLES, closing};
use crate::geometry::Side;
use crate::observe::Observation;
use crate::tiles::{Kind, LAND_KINDS, tables};
use crate::variant::MAX_HAND;

/// What may lie on an empty cell, by the edge code: kinds as bits.
struct ByCode {
    /// Those that fit.
    fitting: Vec<u64>,
    /// By side of the cell: those that end the city or road that comes in there, because the piece of it that they
    /// bring reaches no side where nothing lies yet.
    ending: Vec<[u64; 4]>,
}

static BY_CODE: LazyLock<ByCode> = LazyLock::new(|| {
    let tables = tables();
    let fits = |kind: usize, code: usize| tables.fit[kind][code].any();
    let kinds = |holds: &dyn Fn(usize) -> bool| {
        (0..LAND_KINDS).fold(0, |kinds, kind| kinds | u64::from(holds(kind)) << kind)
    };
    let row = |code: u8| Side::ALL.map(|side| closing(code, side));
    ByCode {
        fitting: (0..256).map(|code| kinds(&|kind| fits(kind, code))).collect(),
        ending: (0..=u8::MAX).map(row).collect(),
    }
});

/// By total, and by how many of so many tiles are meant: the logarithm of the share of the others.
static LOGS: LazyLock<Box<[f64]>> = LazyLock::new(|| {
    let log = |total: usize, tiles: usize| (1.0 - tiles as f64 / total as f64).ln();
    let all =
        (0..=MOST_UNSEEN).flat_map(|total| (0..=MOST_UNSEEN).map(move |tiles| log(total.max(1), tiles)));
    all.collect()
});

/// Not counted yet.
const UNKNOWN: u8 = u8::MAX;
/// Most tiles that nobody has seen.
const MOST_UNSEEN: usize = MAX_TILES;
/// All ones in the bytes of the bits that are set.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut at = 0;
    while at < 8 * spread.len() {
        if (at / 8) >> (at % 8) & 1 == 1 {
            spread[at / 8] |= 0xff << (8 * (at % 8));
        }
        at += 1;
    }
    spread
};

/// Own draws of which each may fill one of so many holes.
#[derive(Clone, Copy)]
pub(crate) struct Wait {
    pub(crate) draws: f64,
    pub(crate) holes: usize,
}

/// Counts the unseen tiles that fit where nothing lies yet, and tells what they promise.
pub(crate) struct Chances {
    kinds: &'static ByCode,
    logs: &'static [f64],
    /// How many of each kind nobody has seen, by kind, as [`Stack::land_words`](crate::state::Stack::land_words) has them.
    words: [u64; LAND_KINDS.div_ceil(8)],
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
            kinds: &BY_CODE,
            logs: &LOGS,
            words: [0; _],
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
        let hand = observation.hand(me).unwrap_or(&[]);
        let mut unseen = observation.unseen();
        hand.iter().for_each(|kind| unseen.add(*kind, 1));
        self.by_code = [UNKNOWN; 256];
        self.by_end = [[UNKNOWN; 4]; 256];
        self.in_time.forget();
        self.total = unseen.land();
        self.words = unseen.land_words();
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

    /// Whether a tile left in the hand ends the feature coming in at a hole.
    pub(crate) fn holds_end(&self, hole: Hole) -> bool {
        self.kinds.ending[usize::from(hole.code)][hole.side.index()] & self.left != 0
    }

    /// Own tiles still to come.
    pub(crate) fn draws(&self) -> f64 {
        self.draws
    }

    /// Number of the unseen tiles of these kinds, which are bits.
    fn count(&self, kinds: u64) -> u8 {
        let bytes = kinds.to_le_bytes();
        let sums = self
            .words
            .iter()
            .zip(bytes)
            .fold(0, |sums, (word, byte)| sums + (word & SPREAD[usize::from(byte)]));
        // The highest byte of the product is the sum of all; there are fewer than 256 tiles.
        (sums.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }

    /// The chance that a tile comes along that fits an empty cell, of which the tiles around it ask this, while holes
    /// around a tile are waited for.
    #[inline]
    pub(crate) fn fill(&mut self, code: u8, wait: Wait) -> f64 {
        let code = usize::from(code);
        if self.by_code[code] == UNKNOWN {
            self.by_code[code] = self.count(self.kinds.fitting[code]);
        }
        self.in_time(0, self.by_code[code], wait)
    }

    /// The chance that a tile comes along while holes are waited for that ends the feature coming in at one of them.
    #[inline]
    pub(crate) fn end(&mut self, hole: Hole, wait: Wait) -> f64 {
        let (code, side) = (usize::from(hole.code), hole.side.index());
        if self.by_end[code][side] == UNKNOWN {
            self.by_end[code][side] = self.count(self.kinds.ending[code][side]);
        }
        self.in_time(1, self.by_end[code][side], wait)
    }

    /// The chance that one of so many of the unseen tiles turns up in the draws that are shared among the holes.
    /// `purpose` tells apart waits with other draws.
    #[inline]
    fn in_time(&mut self, purpose: usize, tiles: u8, wait: Wait) -> f64 {
        let at = (purpose * (MOST_HOLES + 1) + wait.holes) * (MOST_UNSEEN + 1) + usize::from(tiles);
        self.in_time.find(at).unwrap_or_else(|| {
            let draws = wait.draws / (wait.holes as f64).sqrt();
            let log = self.logs[self.total as usize * (MOST_UNSEEN + 1) + usize::from(tiles)];
            let chance = if u32::from(tiles) >= self.total.max(1) {
                f64::from(draws > 0.0)
            } else {
                1.0 - (draws * log).exp()
            };
            self.in_time.keep(at, chance)
        })
    }
}
