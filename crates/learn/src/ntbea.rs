//! A search for the best of many combinations when what one is worth can only be asked for with noise, and costs a game each time:
//! the N-tuple bandit evolutionary algorithm (Lucas, Liu and Perez-Liebana 2018).

use std::collections::BTreeMap;

use meeple_core::Stream;

/// Neighbours of the last combination among which the next one is chosen.
const NEIGHBOURS: usize = 50;
/// How much what has been tried seldom is preferred, in standard deviations of what was told.
const EXPLORE: f64 = 1.0;
/// How often what was never tried counts as tried.
const NEVER: f64 = 0.5;

/// What was told of all combinations that agree in some places.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    count: f64,
    sum: f64,
}

impl Tally {
    /// 0 if nothing was told.
    fn mean(self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.0 }
    }
}

/// A model of what every choice, every pair of choices and every whole combination is worth, and a walk that follows it.
#[derive(Clone, Debug)]
pub struct Ntbea {
    /// How many choices each place has.
    sizes: Vec<usize>,
    /// Places that are looked at together: each alone, each two, and all.
    tuples: Vec<Vec<usize>>,
    /// By tuple, and by what is chosen at its places.
    tallies: Vec<BTreeMap<Vec<usize>, Tally>>,
    /// Where the walk is.
    last: Vec<usize>,
    all: Tally,
    squares: f64,
}

impl Ntbea {
    /// Combinations of one choice at every place, of which there are so many; the walk begins at `begin`.
    ///
    /// # Panics
    /// If `begin` is not such a combination, or there is no place.
    pub fn new(sizes: Vec<usize>, begin: Vec<usize>) -> Self {
        assert!(!sizes.is_empty() && sizes.len() == begin.len(), "{begin:?} of {sizes:?}");
        assert!(begin.iter().zip(&sizes).all(|(choice, size)| choice < size), "{begin:?} of {sizes:?}");
        let places = sizes.len();
        let mut tuples: Vec<Vec<usize>> = (0..places).map(|place| vec![place]).collect();
        tuples.extend((0..places).flat_map(|one| (one + 1..places).map(move |other| vec![one, other])));
        if places > 2 {
            tuples.push((0..places).collect());
        }
        let tallies = vec![BTreeMap::new(); tuples.len()];
        Self { sizes, tuples, tallies, last: begin, all: Tally::default(), squares: 0.0 }
    }

    /// The combination to look at next: at first the one where it begins, then the neighbour of the last one of which the most may
    /// be hoped.
    pub fn ask(&self, rng: &mut Stream) -> Vec<usize> {
        if self.all.count == 0.0 {
            return self.last.clone();
        }
        let mean = self.all.mean();
        let spread = (self.squares / self.all.count - mean * mean).max(0.0).sqrt().max(1e-9);
        let mut best = (f64::NEG_INFINITY, self.last.clone());
        for _ in 0..NEIGHBOURS {
            let neighbour = self.neighbour(rng);
            let [worth, doubt] = self.estimate(&neighbour);
            let hope = worth + EXPLORE * spread * doubt;
            if hope > best.0 {
                best = (hope, neighbour);
            }
        }
        best.1
    }

    /// Learns what a combination was worth this time; more is better. The walk goes on from it.
    pub fn tell(&mut self, choices: &[usize], worth: f64) {
        for (tuple, tallies) in self.tuples.iter().zip(&mut self.tallies) {
            let tally = tallies.entry(chosen(tuple, choices)).or_default();
            tally.count += 1.0;
            tally.sum += worth;
        }
        self.all.count += 1.0;
        self.all.sum += worth;
        self.squares += worth * worth;
        self.last = choices.to_vec();
    }

    /// The best by all that was told, of the combinations that were looked at; where it begins, before any was.
    pub fn best(&self) -> Vec<usize> {
        let places: Vec<usize> = (0..self.sizes.len()).collect();
        let whole = self.tuples.iter().position(|tuple| *tuple == places);
        let seen = whole.map_or_else(Vec::new, |whole| self.tallies[whole].keys().collect());
        let worth = |choices: &[usize]| self.estimate(choices)[0];
        let best = seen.into_iter().max_by(|one, other| worth(one).total_cmp(&worth(other)));
        best.unwrap_or(&self.last).clone()
    }

    /// The last combination with one choice or more changed.
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

    /// What a combination is worth by the mean of the tuples, and how little is known of it. Of what was never tried nothing else is
    /// supposed than of all.
    fn estimate(&self, choices: &[usize]) -> [f64; 2] {
        let mean = self.all.mean();
        let (mut sum, mut doubt) = (0.0, 0.0);
        for (tuple, tallies) in self.tuples.iter().zip(&self.tallies) {
            let tally = tallies.get(&chosen(tuple, choices)).copied().unwrap_or_default();
            sum += if tally.count > 0.0 { tally.mean() } else { mean };
            doubt += ((1.0 + self.all.count).ln() / (tally.count + NEVER)).sqrt();
        }
        let tuples = self.tuples.len() as f64;
        [sum / tuples, doubt / tuples]
    }
}

/// What is chosen at these places.
fn chosen(tuple: &[usize], choices: &[usize]) -> Vec<usize> {
    tuple.iter().map(|place| choices[*place]).collect()
}
