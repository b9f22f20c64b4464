//! What explorations may bring: chances by pile and by the edges around a cell.

use crate::map::Cell;
use crate::observe::Observation;
use crate::pile::{MAX_KINDS, Pile};
use crate::tiles::{Back, Dir, Mark, Wind};
use crate::variant::Exploration;

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
                    let winds = match (observation.variant().exploration, turn) {
                        (Exploration::Clockwise, _) => [wind, wind.turned(1), wind.turned(3)],
                        (Exploration::Continuous, 1) => [wind, wind.turned(1), wind.turned(1)],
                        (Exploration::Continuous, _) => [wind, wind.turned(3), wind.turned(3)],
                    };
                    let mut patterns = [0; MAX_KINDS];
                    for (pattern, kind) in patterns.iter_mut().zip(observation.kinds(back)) {
                        *pattern = winds.iter().fold(0, |all, wind| all | 1 << wind.land_sides(kind.edges));
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
        let land = usize::from(target.land & target.known);
        let turn = usize::from((wind as u8 & 1) != (dir as u8 & 1));
        let tried = (back as usize * 4 + wind as usize) * 2 + turn;
        let key = tried * 256 + usize::from(target.known) * 16 + land;
        let changes = self.changes[back as usize];
        if self.known[key].0 == changes {
            return self.known[key].1;
        }
        let odds = self.find(observation, back, tried, target);
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
            for (index, share) in shares[..kinds.len()].iter_mut().enumerate() {
                *share = match pile.left() {
                    0 => f64::from(pile.discards[index]) / f64::from(pile.discards_sum.max(1)),
                    _ => pile.probability(index, false) + pile.probability(index, true),
                };
            }
        }
        let fitting = (0..16).filter(|land| target.fits(*land)).fold(0u16, |all, land| all | 1 << land);
        let [mut all, mut placed, mut wonder, mut disaster] = [0.0; 4];
        for ((kind, share), pattern) in kinds.iter().zip(&*shares).zip(&self.patterns[tried]) {
            all += share;
            if pattern & fitting == 0 {
                continue;
            }
            placed += share;
            match kind.mark {
                Mark::Wonder => wonder += share,
                Mark::Disaster => disaster += share,
                _ => {}
            }
        }
        let mut odds = Odds::default();
        if placed > 0.0 && all > 0.0 {
            odds.placed = 1.0 - (1.0 - (placed / all).min(1.0)).powi(i32::from(observation.variant().tries));
            odds.wonder = odds.placed * wonder / placed;
            odds.disaster = odds.placed * disaster / placed;
        }
        odds
    }
}
