//! Regret matching for simultaneous decisions. Actions are played in proportion to their positive regrets,
//! and average strategies approach an equilibrium (Hart, Mas-Colell 2000; for searches: Lanctot, Lisý,
//! Winands 2014).

use meeple_core::Stream;

use crate::params::Selection;
use crate::tree::Tree;

/// Share of uniformly random choices, for exploration.
pub(crate) const EXPLORED: f64 = 0.1;

pub(crate) struct Regrets {
    is_kept: bool,
    entries: Vec<Regret>,
    /// Number of episodes by link (the choices of all seats at a moment).
    counts: Vec<u32>,
    /// `[link, seat]`: sums of the values of these episodes.
    sums: Vec<f64>,
    weights: Vec<f64>,
}

#[derive(Clone, Copy, Default)]
struct Regret {
    /// Cumulative regret of the action: its estimated values minus the values of the actions played.
    sum: f64,
    /// Sum of the action's probabilities over all choices.
    average: f64,
}

impl Regrets {
    pub(crate) fn new(select: Selection) -> Self {
        let is_kept = select == Selection::Regret;
        Self { is_kept, entries: Vec::new(), counts: Vec::new(), sums: Vec::new(), weights: Vec::new() }
    }

    #[inline]
    pub(crate) fn are_kept(&self) -> bool {
        self.is_kept
    }

    pub(crate) fn restart(&mut self) {
        self.entries.clear();
        self.counts.clear();
        self.sums.clear();
    }

    #[inline]
    pub(crate) fn insert(&mut self, entry: u32) {
        let needed = entry as usize + 1;
        if self.is_kept && self.entries.len() < needed {
            self.entries.resize(needed, Regret::default());
        }
    }

    /// Weight of an entry in the average strategy; 0 if none is kept.
    pub(crate) fn average(&self, entry: u32) -> f64 {
        self.entries.get(entry as usize).map_or(0.0, |regret| regret.average)
    }

    /// Draws an entry in proportion to positive regrets, or uniformly if there are none.
    pub(crate) fn choose(&mut self, tried: &[u32], stream: &mut Stream) -> u32 {
        let even = 1.0 / tried.len() as f64;
        let regret = |entry: &u32| self.entries[*entry as usize].sum.max(0.0);
        let whole: f64 = tried.iter().map(regret).sum();
        self.weights.clear();
        self.weights.extend(tried.iter().map(|entry| {
            let share = if whole > 0.0 { regret(entry) / whole } else { even };
            (1.0 - EXPLORED) * share + EXPLORED * even
        }));
        for (entry, chance) in tried.iter().zip(&self.weights) {
            self.entries[*entry as usize].average += chance;
        }
        tried[stream.weighted(&self.weights).expect("every chance is above 0")]
    }

    /// Updates the regrets of a moment at which an episode chose the first entries of `path`.
    pub(crate) fn learn<A: Clone, C: Clone + Eq>(
        &mut self,
        tree: &Tree<A, C>,
        moment: u32,
        path: &[u32],
        ends: &[f64],
    ) {
        let seats = ends.len();
        let mut count = 1;
        while count < path.len() && tree.entry(path[count]).seat > tree.entry(path[count - 1]).seat {
            count += 1;
        }
        let Some(link) = tree.link(moment, path[..count].iter().copied()) else { return };
        let needed = link as usize + 1;
        if self.counts.len() < needed {
            self.counts.resize(needed, 0);
            self.sums.resize(needed * seats, 0.0);
        }
        self.counts[link as usize] += 1;
        for (seat, end) in ends.iter().enumerate() {
            self.sums[link as usize * seats + seat] += end;
        }
        for at in 0..count {
            let seat = tree.entry(path[at]).seat;
            let end = ends[seat.index()];
            for (other, entry) in tree.of_seat(moment, seat) {
                let choices = path[..count].iter().enumerate();
                let choices = choices.map(|(place, choice)| if place == at { other } else { *choice });
                // For choices never seen together, the action's mean over all choices is used.
                let known = tree
                    .link(moment, choices)
                    .filter(|link| self.counts.get(*link as usize).is_some_and(|count| *count > 0));
                let instead = match known {
                    Some(link) => {
                        self.sums[link as usize * seats + seat.index()]
                            / f64::from(self.counts[link as usize])
                    }
                    None if entry.visits > 0 => entry.total / f64::from(entry.visits),
                    None => end,
                };
                self.entries[other as usize].sum += instead - end;
            }
        }
    }
}
