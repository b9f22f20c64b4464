//! What explorations may bring: chances by pile and by the edges around a cell.

use crate::map::Cell;
use crate::observe::Observation;
use crate::pile::{MAX_KINDS, Pile};
use crate::tiles::{Back, Dir, Edges, Mark, Wind};
use crate::variant::{Exploration, Variant};

/// What an exploration may bring.
#[derive(Clone, Copy, Default)]
pub(crate) struct Odds {
    /// Chance that a tile is placed.
    pub placed: f64,
    /// Chance that it is a wonder.
    pub wonder: f64,
    /// Chance that it is a disaster.
    pub disaster: f64,
}

/// What explorations may bring, by the edges around the cell and the wind of the tile left.
#[derive(Clone)]
pub(crate) struct OddsTable {
    /// With the number of the state of its pile at which each was found.
    known: Vec<(u32, Odds)>,
    /// The piles that they are for, and how often each has changed.
    piles: [Pile; 2],
    changes: [u32; 2],
    /// The chance of every kind of tile to be drawn, by colour, at this state of the pile.
    shares: [(u32, [f64; MAX_KINDS]); 2],
    /// By colour, wind left and turn: for every kind, the patterns of land that its orientations have, by bit.
    patterns: Vec<[u16; MAX_KINDS]>,
}

impl OddsTable {
    pub fn new() -> Self {
        Self {
            known: vec![(0, Odds::default()); 2 * 4 * 2 * 256],
            piles: [Pile::EMPTY; 2],
            changes: [1; 2],
            shares: [(0, [0.0; MAX_KINDS]); 2],
            patterns: Vec::new(),
        }
    }

    /// Nothing is known any more.
    pub fn forget(&mut self) {
        self.known.fill((0, Odds::default()));
        self.changes = [1; 2];
        self.shares = [(0, [0.0; MAX_KINDS]); 2];
    }

    /// How often the piles have changed.
    pub fn changes(&self) -> [u32; 2] {
        self.changes
    }

    /// Forgets what was found for piles that have changed since.
    pub fn look(&mut self, observation: &Observation<'_>) {
        for back in [Back::Water, Back::Land] {
            let (old, now) = (&mut self.piles[back as usize], observation.pile(back));
            if old != now {
                *old = *now;
                self.changes[back as usize] += 1;
            }
        }
    }

    /// Finds out which patterns of land the orientations have in which a tile is tried.
    fn prepare(&mut self, observation: &Observation<'_>) {
        for back in [Back::Water, Back::Land] {
            for wind in Wind::ALL.iter().copied() {
                for turn in 0..2 {
                    let winds = winds(observation.variant().exploration, wind, turn == 1);
                    let mut patterns = [0; MAX_KINDS];
                    for (pattern, kind) in patterns.iter_mut().zip(observation.kinds(back)) {
                        *pattern = patterns_of(winds, kind.edges);
                    }
                    self.patterns.push(patterns);
                }
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
        if self.patterns.is_empty() {
            self.prepare(observation);
        }
        let pile = observation.pile(back);
        let kinds = observation.kinds(back);
        let changes = self.changes[back as usize];
        let (at, shares) = &mut self.shares[back as usize];
        if *at != changes {
            *at = changes;
            find_shares(pile, &mut shares[..kinds.len()]);
        }
        let tries = observation.variant().tries;
        let kinds = kinds.iter().zip(&*shares).zip(&self.patterns[tried]);
        sum_up(kinds.map(|((kind, share), pattern)| (kind.mark, *share, *pattern)), target, tries)
    }
}

/// What an exploration is told apart by: eight bits of the edges around the cell, and above them the colour, the wind of the tile
/// left, and, lowest, whether that blows across the way.
#[inline]
fn key_of(back: Back, wind: Wind, dir: Dir, target: &Cell) -> u16 {
    let turned = u16::from((wind as u8 & 1) != (dir as u8 & 1));
    let tried = (back as u16 * 4 + wind as u16) * 2 + turned;
    tried << 8 | u16::from(target.known) << 4 | u16::from(target.land & target.known)
}

/// The winds in which a tile is tried that is reached from one with this wind; `turned` if that blows across the way there.
#[inline]
fn winds(exploration: Exploration, wind: Wind, turned: bool) -> [Wind; 3] {
    match (exploration, turned) {
        (Exploration::Clockwise, _) => [wind, wind.turned(1), wind.turned(3)],
        (Exploration::Continuous, true) => [wind, wind.turned(1), wind.turned(1)],
        (Exploration::Continuous, false) => [wind, wind.turned(3), wind.turned(3)],
    }
}

/// The patterns of land that a tile with these edges has in these winds, by bit.
#[inline]
fn patterns_of(winds: [Wind; 3], edges: Edges) -> u16 {
    winds.iter().fold(0, |all, wind| all | 1 << wind.land_sides(edges))
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

/// What kinds of tiles, with their chances and their patterns of land, may bring on a cell in so many tries.
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

/// What explorations may bring, where nothing may be kept: the kinds of tiles that can be drawn as the piles are.
pub(crate) struct FreshOdds {
    kinds: [[(Mark, Edges, f64); MAX_KINDS]; 2],
    counts: [usize; 2],
    /// What was found last, by colour, winds and the edges around the cell.
    found: [(u16, Odds); FOUND],
}

/// How much of that is kept.
const FOUND: usize = 64;

impl FreshOdds {
    pub fn new(observation: &Observation<'_>) -> Self {
        let mut kinds = [[(Mark::Plain, Edges::WATER, 0.0); MAX_KINDS]; 2];
        let mut counts = [0; 2];
        for back in Back::ALL.iter().copied() {
            let (kinds, count) = (&mut kinds[back as usize], &mut counts[back as usize]);
            let mut shares = [0.0; MAX_KINDS];
            let all = observation.kinds(back);
            find_shares(observation.pile(back), &mut shares[..all.len()]);
            for (kind, share) in all.iter().zip(shares).filter(|(_, share)| *share > 0.0) {
                kinds[*count] = (kind.mark, kind.edges, share);
                *count += 1;
            }
        }
        Self { kinds, counts, found: [(u16::MAX, Odds::default()); FOUND] }
    }

    /// What an exploration from a tile with this wind over a side may bring.
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
            let variant = observation.variant();
            let winds = winds(variant.exploration, wind, key >> 8 & 1 == 1);
            let kinds = &self.kinds[back as usize][..self.counts[back as usize]];
            let kinds = kinds.iter().map(|(mark, edges, share)| (*mark, *share, patterns_of(winds, *edges)));
            *found = (key, sum_up(kinds, target, variant.tries));
        }
        found.1
    }
}

/// The wealth that a discovered wonder brings.
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
