//! Probabilities that empty cells are filled, from the unseen tiles.

use std::sync::LazyLock;

use super::memo::Memo;
use crate::board::MAX_TILES;
use crate::closing::{Hole, MAX_HOLES, closing};
use crate::geometry::Side;
use crate::observe::Observation;
use crate::tiles::{Kind, LAND_KINDS, tables};
use crate::variant::MAX_HAND;

/// Sets of land kinds, as bits, that may lie on an empty cell, by edge code.
struct ByCode {
    fitting: Vec<u64>,
    /// By side of the cell: kinds that end the city or road entering there. Their segment there reaches no
    /// other open side.
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

/// ln(1 - tiles / total), by total and tiles.
static LOGS: LazyLock<Box<[f64]>> = LazyLock::new(|| {
    let log = |total: usize, tiles: usize| (1.0 - tiles as f64 / total as f64).ln();
    let all = (0..=MAX_UNSEEN).flat_map(|total| (0..=MAX_UNSEEN).map(move |tiles| log(total.max(1), tiles)));
    all.collect()
});

/// Marks a count that is not computed yet.
const UNKNOWN: u8 = u8::MAX;
const MAX_UNSEEN: usize = MAX_TILES;
/// A word for each byte: byte `i` of the word is all ones if bit `i` of the byte is set.
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

/// A number of own draws. Each draw may fill one of several holes.
#[derive(Clone, Copy)]
pub(crate) struct Wait {
    pub(crate) draws: f64,
    pub(crate) holes: usize,
}

/// Counts of unseen tiles that fit empty cells, and probabilities from them.
pub(crate) struct Chances {
    kinds: &'static ByCode,
    logs: &'static [f64],
    /// Unseen tiles by kind, in the layout of [`Stack::land_words`](crate::state::Stack::land_words).
    words: [u64; LAND_KINDS.div_ceil(8)],
    total: u32,
    /// Counts of unseen tiles that fit an edge code, or [`UNKNOWN`].
    by_code: [u8; 256],
    /// Counts of unseen tiles that end a feature, by edge code and side, or [`UNKNOWN`].
    by_end: [[u8; 4]; 256],
    /// Cached probabilities of [`in_time`](Self::in_time), by purpose, holes, and tiles.
    in_time: Memo,
    /// Number of tiles that the agent is expected to draw.
    draws: f64,
    /// The agent's hand.
    hand: [Kind; MAX_HAND],
    held: usize,
    /// Kinds left in the hand after the trial tile is laid, as bits.
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
            in_time: Memo::new(2 * (MAX_HOLES + 1) * (MAX_UNSEEN + 1)),
            draws: 0.0,
            hand: [Kind::default(); MAX_HAND],
            held: 0,
            left: 0,
        }
    }

    /// Counts the tiles of the deck, of the hidden hands, and of the agent's hand.
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

    pub(crate) fn limit_draws(&mut self, turns: f64) {
        self.draws = self.draws.min(turns);
    }

    /// Removes this tile from the hand of later queries; `None` restores the whole hand.
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

    /// Returns true if a tile left in the hand ends the feature that enters at a hole.
    pub(crate) fn holds_end(&self, hole: Hole) -> bool {
        self.kinds.ending[usize::from(hole.code)][hole.side.index()] & self.left != 0
    }

    pub(crate) fn draws(&self) -> f64 {
        self.draws
    }

    /// Number of unseen tiles of these kinds, given as bits.
    fn count(&self, kinds: u64) -> u8 {
        let bytes = kinds.to_le_bytes();
        let sums = self
            .words
            .iter()
            .zip(bytes)
            .fold(0, |sums, (word, byte)| sums + (word & SPREAD[usize::from(byte)]));
        // The highest byte of the product is the sum of all bytes; there are fewer than 256 tiles.
        (sums.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }

    /// The probability that a tile that fits an edge code is drawn during a wait.
    #[inline]
    pub(crate) fn fill(&mut self, code: u8, wait: Wait) -> f64 {
        let code = usize::from(code);
        if self.by_code[code] == UNKNOWN {
            self.by_code[code] = self.count(self.kinds.fitting[code]);
        }
        self.in_time(0, self.by_code[code], wait)
    }

    /// The probability that a tile that ends the feature entering at a hole is drawn during a wait.
    #[inline]
    pub(crate) fn end(&mut self, hole: Hole, wait: Wait) -> f64 {
        let (code, side) = (usize::from(hole.code), hole.side.index());
        if self.by_end[code][side] == UNKNOWN {
            self.by_end[code][side] = self.count(self.kinds.ending[code][side]);
        }
        self.in_time(1, self.by_end[code][side], wait)
    }

    /// The probability that one of `tiles` unseen tiles is drawn, where several holes share the draws.
    /// `purpose` separates cache entries.
    #[inline]
    fn in_time(&mut self, purpose: usize, tiles: u8, wait: Wait) -> f64 {
        let at = (purpose * (MAX_HOLES + 1) + wait.holes) * (MAX_UNSEEN + 1) + usize::from(tiles);
        self.in_time.find(at).unwrap_or_else(|| {
            let draws = wait.draws / (wait.holes as f64).sqrt();
            let log = self.logs[self.total as usize * (MAX_UNSEEN + 1) + usize::from(tiles)];
            let chance = if u32::from(tiles) >= self.total.max(1) {
                f64::from(draws > 0.0)
            } else {
                1.0 - (draws * log).exp()
            };
            self.in_time.keep(at, chance)
        })
    }
}
