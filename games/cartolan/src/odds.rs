//! Chances of explorations, by pile and by the edges around a cell.

use crate::map::Cell;
use crate::observe::Observation;
use crate::pile::{MAX_KINDS, Pile};
use crate::tiles::{Back, Dir, Mark, Wind};

#[derive(Clone, Copy, Default)]
pub(crate) struct Odds {
    /// Probability that a tile is placed.
    pub placed: f64,
    /// Probability that a wonder is placed.
    pub wonder: f64,
    /// Probability that a disaster is placed.
    pub disaster: f64,
}

/// A cache of chances, by the edges around the cell and the wind of the tile left. With fewer places than
/// keys recent results displace older ones.
#[derive(Clone)]
pub(crate) struct OddsTable<const PLACES: usize> {
    /// Chances, with their key and the version of the pile that they belong to.
    known: [(u32, u32, Odds); PLACES],
    /// The piles, and their version numbers.
    piles: [Pile; 2],
    changes: [u32; 2],
    /// Probabilities of drawing each kind of tile, by colour, with the version of the pile.
    shares: [(u32, [f64; MAX_KINDS]); 2],
}

/// A cache with a place for every key.
pub(crate) type AllOdds = OddsTable<KEYS>;

/// Number of keys; see [`key_of`].
const KEYS: usize = 2 * 4 * 2 * 256;

impl<const PLACES: usize> OddsTable<PLACES> {
    pub fn new() -> Self {
        const { assert!(PLACES.is_power_of_two() && PLACES <= KEYS, "places are masked") };
        Self {
            known: [(0, 0, Odds::default()); PLACES],
            piles: [Pile::EMPTY; 2],
            changes: [1; 2],
            shares: [(0, [0.0; MAX_KINDS]); 2],
        }
    }

    pub fn forget(&mut self) {
        self.changes = self.changes.map(|version| version + 1);
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

    /// The chances of an exploration over a side of a tile with this wind.
    #[inline]
    pub fn of(
        &mut self,
        observation: &Observation<'_>,
        back: Back,
        wind: Wind,
        dir: Dir,
        target: &Cell,
    ) -> Odds {
        let key = key_of(back, wind, dir, target);
        let changes = self.changes[back as usize];
        // Different keys have different places if there are places for all.
        let place = (key ^ key >> 6) as usize % PLACES;
        let (version, known, odds) = self.known[place];
        if version == changes && (PLACES == KEYS || known == key) {
            return odds;
        }
        let odds = self.find(observation, back, (key >> 8) as usize, target);
        self.known[place] = (changes, key, odds);
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
        let kinds = kinds.iter().zip(&*shares).zip(observation.patterns().of(tried));
        let kinds = kinds.map(|((kind, share), pattern)| (kind.mark, *share, *pattern));
        sum_up(kinds, target, observation.variant().tries)
    }
}

/// The key of an exploration: eight bits for the edges around the cell; above them the colour, the wind of
/// the tile left, and, lowest, a bit that is set if this wind blows across the way.
#[inline]
fn key_of(back: Back, wind: Wind, dir: Dir, target: &Cell) -> u32 {
    let tried = (back as u32 * 4 + wind as u32) * 2 + u32::from(wind.blows_across(dir));
    tried << 8 | u32::from(target.known) << 4 | u32::from(target.land & target.known)
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
