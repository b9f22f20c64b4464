//! Strategies of all seats, and what they bring.

use crate::error::SolveError;
use crate::tree::{Node, Tree};

/// A strategy for every seat: in every information set a probability for every action.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    pub(crate) probabilities: Vec<f64>,
}

impl Profile {
    /// All actions alike, everywhere.
    pub fn uniform(tree: &Tree) -> Self {
        let probabilities = tree.sets.iter().flat_map(|set| {
            let share = 1.0 / f64::from(set.actions);
            std::iter::repeat_n(share, set.actions as usize)
        });
        Self { probabilities: probabilities.collect() }
    }

    /// What `strategy` says for every information set, by its number; a probability for each of its actions.
    ///
    /// # Errors
    /// If they are not as many as there are actions, one is negative or no number, or their sum is not 1 (to a millionth).
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

    /// The probabilities of the actions in an information set, in the order of the legal actions.
    ///
    /// # Panics
    /// If the tree has none of this number.
    pub fn at(&self, tree: &Tree, set: usize) -> &[f64] {
        &self.probabilities[tree.range_of(set)]
    }

    /// What each seat gains in the mean if all keep to this: exact.
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

    /// With which probability each history comes to be, as if the seat `without`, if any, took every action with
    /// probability 1.
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
