//! The N-tuple bandit evolutionary algorithm (Lucas, Liu and Perez-Liebana 2018): maximises a noisy and
//! expensive function of discrete choices.

use std::collections::BTreeMap;

use meeple_core::Stream;

/// Number of neighbours compared in a step.
const NEIGHBOURS: usize = 50;
/// Exploration constant, in standard deviations of the fitness.
const EXPLORE: f64 = 1.0;
/// Added to visit counts in the exploration term.
const COUNT_OFFSET: f64 = 0.5;

/// Fitness of all evaluated combinations that agree in a tuple.
#[derive(Clone, Copy, Debug, Default)]
struct TupleTally {
    count: f64,
    sum: f64,
}

impl TupleTally {
    /// Mean fitness; 0 without evaluations.
    fn mean(self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.0 }
    }
}

/// A model of the fitness of every choice, pair and combination, and a local search by it.
#[derive(Clone, Debug)]
pub struct Ntbea {
    /// Number of choices of each parameter.
    sizes: Vec<usize>,
    /// Modelled subsets of parameters: single ones, pairs, and the whole.
    tuples: Vec<Vec<usize>>,
    /// Tallies by tuple, and by the choices in it.
    tallies: Vec<BTreeMap<Vec<usize>, TupleTally>>,
    last: Vec<usize>,
    all: TupleTally,
    squares: f64,
}

impl Ntbea {
    /// Begins at `begin`; parameter i has `sizes[i]` choices.
    ///
    /// # Panics
    /// If `begin` is no such combination, or there is no parameter.
    pub fn new(sizes: Vec<usize>, begin: Vec<usize>) -> Self {
        assert!(!sizes.is_empty() && sizes.len() == begin.len(), "{begin:?} of {sizes:?}");
        assert!(begin.iter().zip(&sizes).all(|(choice, size)| choice < size), "{begin:?} of {sizes:?}");
        let parameters = sizes.len();
        let mut tuples: Vec<Vec<usize>> = (0..parameters).map(|place| vec![place]).collect();
        tuples
            .extend((0..parameters).flat_map(|one| (one + 1..parameters).map(move |other| vec![one, other])));
        if parameters > 2 {
            tuples.push((0..parameters).collect());
        }
        let tallies = vec![BTreeMap::new(); tuples.len()];
        Self { sizes, tuples, tallies, last: begin, all: TupleTally::default(), squares: 0.0 }
    }

    /// The combination to evaluate next: the initial one, then the neighbour of the last one with the highest
    /// upper confidence bound.
    pub fn ask(&self, rng: &mut Stream) -> Vec<usize> {
        if self.all.count == 0.0 {
            return self.last.clone();
        }
        let mean = self.all.mean();
        let spread = (self.squares / self.all.count - mean * mean).max(0.0).sqrt().max(1e-9);
        let mut best = (f64::NEG_INFINITY, self.last.clone());
        for _ in 0..NEIGHBOURS {
            let neighbour = self.neighbour(rng);
            let [fitness, exploration] = self.estimate(&neighbour);
            let bound = fitness + EXPLORE * spread * exploration;
            if bound > best.0 {
                best = (bound, neighbour);
            }
        }
        best.1
    }

    /// Adds an evaluation of a combination, from which the search continues; higher is better.
    pub fn tell(&mut self, choices: &[usize], fitness: f64) {
        for (tuple, tallies) in self.tuples.iter().zip(&mut self.tallies) {
            let tally = tallies.entry(chosen(tuple, choices)).or_default();
            tally.count += 1.0;
            tally.sum += fitness;
        }
        self.all.count += 1.0;
        self.all.sum += fitness;
        self.squares += fitness * fitness;
        self.last = choices.to_vec();
    }

    /// The evaluated combination of the highest modelled fitness; the initial one before any evaluation.
    pub fn best(&self) -> Vec<usize> {
        let parameters: Vec<usize> = (0..self.sizes.len()).collect();
        let whole = self.tuples.iter().position(|tuple| *tuple == parameters);
        let seen = whole.map_or_else(Vec::new, |whole| self.tallies[whole].keys().collect());
        let fitness = |choices: &[usize]| self.estimate(choices)[0];
        let best = seen.into_iter().max_by(|one, other| fitness(one).total_cmp(&fitness(other)));
        best.unwrap_or(&self.last).clone()
    }

    /// A mutation of at least one choice.
    fn neighbour(&self, rng: &mut Stream) -> Vec<usize> {
        let mut choices = self.last.clone();
        let sure = rng.index(choices.len());
        let odds = 1.0 / choices.len() as f64;
        for (place, (choice, size)) in choices.iter_mut().zip(&self.sizes).enumerate() {
            if *size > 1 && (place == sure || rng.chance(odds)) {
                *choice = (*choice + 1 + rng.index(size - 1)) % size;
            }
        }
        choices
    }

    /// Modelled fitness of a combination (the mean over its tuples, the overall mean for unseen ones) and its
    /// exploration term.
    fn estimate(&self, choices: &[usize]) -> [f64; 2] {
        let mean = self.all.mean();
        let (mut sum, mut exploration) = (0.0, 0.0);
        for (tuple, tallies) in self.tuples.iter().zip(&self.tallies) {
            let tally = tallies.get(&chosen(tuple, choices)).copied().unwrap_or_default();
            sum += if tally.count > 0.0 { tally.mean() } else { mean };
            exploration += ((1.0 + self.all.count).ln() / (tally.count + COUNT_OFFSET)).sqrt();
        }
        let tuples = self.tuples.len() as f64;
        [sum / tuples, exploration / tuples]
    }
}

fn chosen(tuple: &[usize], choices: &[usize]) -> Vec<usize> {
    tuple.iter().map(|place| choices[*place]).collect()
}
