//! Monte Carlo counterfactual regret minimisation (MCCFR).

use meeple_core::Stream;

use crate::profile::Profile;
use crate::tree::{Node, Tree};

/// External-sampling MCCFR (Lanctot, Waugh, Zinkevich, Bowling 2009) with regret matching. In every iteration
/// each seat in turn traverses all of its own actions, while chance and the other seats sample one each. For
/// two seats with constant-sum pay-offs, the mean strategies converge to an equilibrium. Otherwise there is
/// no guarantee.
///
/// All iterations have equal weight. In measurements with sampling, linear weighting was no better, and
/// clipping regrets at 0 (CFR+) was worse (docs/reference/solve.md).
///
/// The result is a function of the tree, the seed and the number of iterations.
#[derive(Clone, Debug)]
pub struct Learning<'a> {
    tree: &'a Tree,
    stream: Stream,
    iterations: u64,
    visits: u64,
    regrets: Vec<f64>,
    /// Sums of the strategies over iterations. Each strategy counts with the seat's own reach: by sampling,
    /// or as a weight in one-seat games.
    sums: Vec<f64>,
    /// Stack of the strategies and values along the current path.
    scratch: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Walk {
    /// The seat whose regrets are updated.
    seat: usize,
    /// The seat whose mean strategy is updated. It is the next seat, whose decisions are sampled in this
    /// walk; in a one-seat game it is the same seat.
    mean_of: usize,
}

impl<'a> Learning<'a> {
    pub fn new(tree: &'a Tree, seed: u64) -> Self {
        Self {
            tree,
            stream: Stream::from_seed(seed),
            iterations: 0,
            visits: 0,
            regrets: vec![0.0; tree.actions],
            sums: vec![0.0; tree.actions],
            scratch: Vec::new(),
        }
    }

    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Number of histories visited so far: a measure of work.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    pub fn iterate(&mut self) {
        self.iterations += 1;
        for seat in 0..self.tree.seats {
            let mean_of = (seat + 1) % self.tree.seats;
            self.walk(0, Walk { seat, mean_of }, 1.0);
        }
    }

    /// The mean strategies; uniform in information sets that were never reached.
    pub fn mean(&self) -> Profile {
        let mut mean = Profile::uniform(self.tree);
        for set in 0..self.tree.sets() {
            let range = self.tree.range_of(set);
            let sum: f64 = self.sums[range.clone()].iter().sum();
            if sum > 0.0 {
                let shares = self.sums[range.clone()].iter().map(|share| share / sum);
                mean.probabilities[range].iter_mut().zip(shares).for_each(|(to, share)| *to = share);
            }
        }
        mean
    }

    /// Sampled value of a history for `walk.seat`. `own` is that seat's reach.
    fn walk(&mut self, node: u32, walk: Walk, own: f64) -> f64 {
        self.visits += 1;
        let tree = self.tree;
        match tree.nodes[node as usize] {
            Node::End { gains } => tree.gains[gains as usize + walk.seat],
            Node::Chance { first, count, odds } => {
                let odds = &tree.odds[odds as usize..][..count as usize];
                let drawn = draw(odds, self.stream.unit());
                self.walk(first + drawn, walk, own)
            }
            Node::Decision { first, set } => {
                let actions = tree.sets[set as usize].actions as usize;
                let range = tree.range_of(set as usize);
                let place = self.scratch.len();
                self.match_regrets(range.clone());
                if tree.sets[set as usize].seat.index() != walk.seat {
                    if tree.sets[set as usize].seat.index() == walk.mean_of {
                        self.add_to_mean(range, place, 1.0);
                    }
                    let drawn = draw(&self.scratch[place..], self.stream.unit());
                    self.scratch.truncate(place);
                    return self.walk(first + drawn, walk, own);
                }
                if walk.mean_of == walk.seat {
                    self.add_to_mean(range.clone(), place, own);
                }
                let mut mean = 0.0;
                for action in 0..actions {
                    let share = self.scratch[place + action];
                    let value = self.walk(first + action as u32, walk, own * share);
                    self.scratch.push(value);
                    mean += share * value;
                }
                let values = &self.scratch[place + actions..];
                for (regret, value) in self.regrets[range].iter_mut().zip(values) {
                    *regret += value - mean;
                }
                self.scratch.truncate(place);
                mean
            }
        }
    }

    /// Pushes the current strategy onto the scratch stack. It is proportional to positive regrets, or uniform
    /// if there are none.
    fn match_regrets(&mut self, range: std::ops::Range<usize>) {
        let regrets = &self.regrets[range];
        let sum: f64 = regrets.iter().map(|regret| regret.max(0.0)).sum();
        if sum > 0.0 {
            self.scratch.extend(regrets.iter().map(|regret| regret.max(0.0) / sum));
        } else {
            self.scratch.extend(std::iter::repeat_n(1.0 / regrets.len() as f64, regrets.len()));
        }
    }

    fn add_to_mean(&mut self, range: std::ops::Range<usize>, place: usize, weight: f64) {
        let strategy = &self.scratch[place..];
        self.sums[range].iter_mut().zip(strategy).for_each(|(sum, share)| *sum += weight * share);
    }
}

/// Maps a uniform number in `0..1` to an index drawn from these probabilities.
fn draw(odds: &[f64], mut unit: f64) -> u32 {
    for (index, odds) in odds.iter().enumerate() {
        unit -= odds;
        if unit < 0.0 {
            return index as u32;
        }
    }
    // Rounding may leave a remainder, which belongs to the last possible index.
    odds.iter().rposition(|odds| *odds > 0.0).unwrap_or(0) as u32
}
