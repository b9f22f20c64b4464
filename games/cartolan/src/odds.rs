//! Probabilities of the results of an exploration, by pile and by the edges around a cell.

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

/// A cache of probabilities, by the edges around the cell and the wind of the tile left. If there are fewer
/// places than keys, recent results replace older ones.
#[derive(Clone)]
pub(crate) struct OddsTable<const PLACES: usize> {
    /// The pile version, the key and the probabilities of each place.
    known: [(u32, u32, Odds); PLACES],
    /// The piles at the last look.
    piles: [Pile; 2],
    /// The version number of each pile.
    changes: [u32; 2],
    /// By colour: the pile version, and the probability of drawing each kind of tile.
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

    /// Starts a new version for each pile that has changed, which makes its cached probabilities invalid.
    pub fn look(&mut self, observation: &Observation<'_>) {
        for back in [Back::Water, Back::Land] {
            let (old, now) = (&mut self.piles[back as usize], observation.pile(back));
            if old != now {
                *old = *now;
                self.changes[back as usize] += 1;
            }
        }
    }

    /// The probabilities for an exploration over side `dir` of a tile with this wind.
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
        // With a place for every key, no two keys share a place.
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

/// The key of an exploration. The low eight bits hold the edges around the cell. The bits above hold the
/// colour, the wind of the tile left, and (bit 8) a flag: the wind blows across the way.
#[inline]
fn key_of(back: Back, wind: Wind, dir: Dir, target: &Cell) -> u32 {
    let tried = (back as u32 * 4 + wind as u32) * 2 + u32::from(wind.blows_across(dir));
    tried << 8 | u32::from(target.known) << 4 | u32::from(target.land & target.known)
}

/// Writes the probability that each kind of tile is the next one drawn from a pile.
fn find_shares(pile: &Pile, shares: &mut [f64]) {
    for (index, share) in shares.iter_mut().enumerate() {
        *share = match pile.left() {
            0 => f64::from(pile.discards[index]) / f64::from(pile.discards_sum.max(1)),
            _ => pile.probability(index, false) + pile.probability(index, true),
        };
    }
}

/// The probabilities on a cell after this number of tries. `kinds` gives marks, probabilities and land
/// patterns.
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
