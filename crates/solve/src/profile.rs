use crate::error::SolveError;
use crate::tree::{Node, Tree};

/// A behaviour strategy for every seat: action probabilities in every information set.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    pub(crate) probabilities: Vec<f64>,
}

impl Profile {
    pub fn uniform(tree: &Tree) -> Self {
        let probabilities = tree.sets.iter().flat_map(|set| {
            let share = 1.0 / f64::from(set.actions);
            std::iter::repeat_n(share, set.actions as usize)
        });
        Self { probabilities: probabilities.collect() }
    }

    /// The profile with the action probabilities that `strategy` returns for each information set.
    ///
    /// # Errors
    /// If the number of probabilities differs from the number of actions, one is negative or not a number, or
    /// their sum is not 1 (to 10^-6).
    pub fn new(tree: &Tree, mut strategy: impl FnMut(usize) -> Vec<f64>) -> Result<Self, SolveError> {
        let mut probabilities = Vec::with_capacity(tree.actions);
        for set in 0..tree.sets() {
            let given = strategy(set);
            let sum: f64 = given.iter().sum();
            let sound = given.iter().all(|probability| *probability >= 0.0) && (sum - 1.0).abs() < 1e-6;
            if given.len() != tree.actions_of(set) || !sound {
                return Err(SolveError::Profile {
                    expected: format!(
                        "{} probabilities with the sum 1 in information set {set}",
                        tree.actions_of(set)
                    ),
                    found: format!("{given:?}"),
                });
            }
            probabilities.extend(given.iter().map(|probability| probability / sum));
        }
        Ok(Self { probabilities })
    }

    /// Action probabilities in an information set, in the order of the legal actions.
    ///
    /// # Panics
    /// If the tree has no such set.
    pub fn at(&self, tree: &Tree, set: usize) -> &[f64] {
        &self.probabilities[tree.range_of(set)]
    }

    /// Exact expected pay-offs under this profile, by seat.
    pub fn values(&self, tree: &Tree) -> Vec<f64> {
        let reach = self.reach(tree, None);
        let mut values = vec![0.0; tree.seats];
        for (node, reach) in tree.nodes.iter().zip(reach) {
            if let Node::End { gains } = node {
                let gains = &tree.gains[*gains as usize..][..tree.seats];
                values.iter_mut().zip(gains).for_each(|(value, gain)| *value += reach * gain);
            }
        }
        values
    }

    /// Reach probability of each history. Actions of the seat `without` count with probability 1
    /// (counterfactual reach).
    pub(crate) fn reach(&self, tree: &Tree, without: Option<usize>) -> Vec<f64> {
        let mut reach = vec![1.0; tree.nodes.len()];
        for (index, node) in tree.nodes.iter().enumerate() {
            let shares = match *node {
                Node::End { .. } => continue,
                Node::Chance { odds, count, .. } => &tree.odds[odds as usize..][..count as usize],
                Node::Decision { set, .. } => {
                    let own = without == Some(tree.sets[set as usize].seat.index());
                    if own { &[] } else { self.at(tree, set as usize) }
                }
            };
            let here = reach[index];
            for (place, child) in tree.children(*node).enumerate() {
                reach[child as usize] = here * shares.get(place).copied().unwrap_or(1.0);
            }
        }
        reach
    }
}
