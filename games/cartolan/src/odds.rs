//! Chances of explorations, by pile and by the edges around a cell.

use crate::map::Cell;
use crate::observe::Observation;
use crate::pile::{MAX_KINDS, Pile};
use crate::tiles::{Back, Dir, Mark, Wind};
use crate::variant::Variant;

#[derive(Clone, Copy, Default)]
pub(crate) struct Odds {
    /// Probability that a tile is placed.
    pub placed: f64,
    /// Probability that a wonder is placed.
    pub wonder: f64,
    /// Probability that a disaster is placed.
    pub disaster: f64,
}

/// A cache of chances, by the edges around the cell and the wind of the tile left.
#[derive(Clone)]
pub(crate) struct OddsTable {
    /// Chances, with the version of the pile that they belong to.
    known: Vec<(u32, Odds)>,
    /// The piles, and their version numbers.
    piles: [Pile; 2],
    changes: [u32; 2],
    /// Probabilities of drawing each kind of tile, by colour, with the version of the pile.
    shares: [(u32, [f64; MAX_KINDS]); 2],
}

impl OddsTable {
    pub fn new() -> Self {
        Self {
            known: vec![(0, Odds::default()); 2 * 4 * 2 * 256],
            piles: [Pile::EMPTY; 2],
            changes: [1; 2],
            shares: [(0, [0.0; MAX_KINDS]); 2],
        }
    }

    pub fn forget(&mut self) {
        self.known.fill((0, Odds::default()));
        self.changes = [1; 2];
        self.shares = [(0, [0.0; MAX_KINDS]); 2];
    }

    pub fn changes(&self) -> [u32; 2] {
        self.changes
    }

    /// Invalidates chances of piles that have changed.
    pub fn look(&mut self, observation: &Observation<'_>) {
        for back in [Back::Water, Back::Land] {
            let (old, now) = (&mut self.piles[back as usize], observation.pile(back));
            if old != now {
                *old = *now;
                self.changes[back as usize] += 1;
            }
        }
    }

    #[inline]
    pub fn of(
        &mut self,
        observation: &Observation<'_>,
        back: Back,
        wind: Wind,
        dir: Dir,
        target: &Cell,
    ) -> Odds {
        let key = usize::from(key_of(back, wind, dir, target));
        let changes = self.changes[back as usize];
        if self.known[key].0 == changes {
            return self.known[key].1;
        }
        let odds = self.find(observation, back, key >> 8, target);
        self.known[key] = (changes, odds);
        odds
    }

    fn find(&mut self, observation: &Observation<'_>, back: Back, tried: usize, target: &Cell) -> Odds {
        let pile = observation.pile(back);
        let kinds = observation.kinds(back);
        let changes = self.changes[back as usize];
        let (at, shares) = &mut self.shares[back as usize];
        if *at != changes {
            *at = changes;
            find_shares(pile, &mut shares[..kinds.len()]);
        }
        let tries = observation.variant().tries;
        let kinds = kinds.iter().zip(&*shares).zip(observation.patterns().of(tried));
        sum_up(kinds.map(|((kind, share), pattern)| (kind.mark, *share, *pattern)), target, tries)
    }
}

/// The key of an exploration: eight bits for the edges around the cell; above them the colour, the wind of
/// the tile left, and, lowest, a bit that is set if this wind blows across the way.
#[inline]
fn key_of(back: Back, wind: Wind, dir: Dir, target: &Cell) -> u16 {
    let turned = u16::from((wind as u8 & 1) != (dir as u8 & 1));
    let tried = (back as u16 * 4 + wind as u16) * 2 + turned;
    tried << 8 | u16::from(target.known) << 4 | u16::from(target.land & target.known)
}

/// Writes the chance of every kind of tile to be drawn from a pile.
fn find_shares(pile: &Pile, shares: &mut [f64]) {
    for (index, share) in shares.iter_mut().enumerate() {
        *share = match pile.left() {
            0 => f64::from(pile.discards[index]) / f64::from(pile.discards_sum.max(1)),
            _ => pile.probability(index, false) + pile.probability(index, true),
        };
    }
}

/// The chances on a cell with this number of tries. `kinds` gives marks, probabilities and land patterns.
#[inline]
fn sum_up(kinds: impl Iterator<Item = (Mark, f64, u16)>, target: &Cell, tries: u8) -> Odds {
    let fitting = (0..16).filter(|land| target.fits(*land)).fold(0u16, |all, land| all | 1 << land);
    let [mut all, mut placed, mut wonder, mut disaster] = [0.0; 4];
    for (mark, share, pattern) in kinds {
        all += share;
        if pattern & fitting == 0 {
            continue;
        }
        placed += share;
        match mark {
            Mark::Wonder => wonder += share,
            Mark::Disaster => disaster += share,
            _ => {}
        }
    }
    let mut odds = Odds::default();
    if placed > 0.0 && all > 0.0 {
        odds.placed = 1.0 - (1.0 - (placed / all).min(1.0)).powi(i32::from(tries));
        odds.wonder = odds.placed * wonder / placed;
        odds.disaster = odds.placed * disaster / placed;
    }
    odds
}

/// Chances computed on demand, with a small cache of recent results.
pub(crate) struct FreshOdds {
    shares: [[f64; MAX_KINDS]; 2],
    /// Recent results, by colour, winds and the edges around the cell.
    found: [(u16, Odds); FOUND],
}

/// Number of recent results.
const FOUND: usize = 64;

impl FreshOdds {
    pub fn new(observation: &Observation<'_>) -> Self {
        let mut shares = [[0.0; MAX_KINDS]; 2];
        for back in Back::ALL.iter().copied() {
            let count = observation.kinds(back).len();
            find_shares(observation.pile(back), &mut shares[back as usize][..count]);
        }
        Self { shares, found: [(u16::MAX, Odds::default()); FOUND] }
    }

    /// The chances of an exploration over a side of a tile with this wind.
    pub fn of(
        &mut self,
        observation: &Observation<'_>,
        back: Back,
        wind: Wind,
        dir: Dir,
        target: &Cell,
    ) -> Odds {
        let key = key_of(back, wind, dir, target);
        let found = &mut self.found[usize::from(key ^ key >> 6) % FOUND];
        if found.0 != key {
            let patterns = observation.patterns().of(usize::from(key >> 8));
            let kinds = observation.kinds(back).iter().zip(&self.shares[back as usize]).zip(patterns);
            let kinds = kinds.map(|((kind, share), pattern)| (kind.mark, *share, *pattern));
            *found = (key, sum_up(kinds, target, observation.variant().tries));
        }
        found.1
    }
}

/// The reward for a discovered wonder, in wealth.
#[inline]
pub(crate) fn reward(variant: &Variant, back: Back, target: &Cell, is_pirate: bool) -> u16 {
    match (back, target.in_domain) {
        (_, true) if is_pirate => 0,
        (_, false) if is_pirate && !variant.pirate_rewards => 0,
        (Back::Land, false) => variant.reward_land,
        (Back::Water, false) => variant.reward_water,
        (_, true) => variant.trade,
    }
}
