//! What several trees found at their roots, added up.

use meeple_core::{ActionValue, Stream};

use crate::regret::EXPLORED;

/// An action with its visits and the sum of what it was worth.
struct Tried<A> {
    action: A,
    visits: u64,
    total: f64,
    /// Its part of the average strategy, where one is kept.
    average: f64,
}

/// The actions that were tried at the root, in order, over all trees.
pub struct Tally<A> {
    tried: Vec<Tried<A>>,
}

impl<A> Default for Tally<A> {
    fn default() -> Self {
        Self { tried: Vec::new() }
    }
}

impl<A: Clone + Ord> Tally<A> {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.tried.clear();
    }

    /// Adds visits of an action, the sum of what they were worth, and its part of the average strategy (0 if there is none).
    pub fn add(&mut self, action: &A, visits: u32, total: f64, average: f64) {
        // One tree tells its actions in order, so that mostly they come at the end.
        let place = match self.tried.last() {
            Some(last) if last.action < *action => Err(self.tried.len()),
            _ => self.tried.binary_search_by(|tried| tried.action.cmp(action)),
        };
        match place {
            Ok(index) => {
                self.tried[index].visits += u64::from(visits);
                self.tried[index].total += total;
                self.tried[index].average += average;
            }
            Err(index) => {
                let tried = Tried { action: action.clone(), visits: visits.into(), total, average };
                self.tried.insert(index, tried);
            }
        }
    }

    /// The action with most visits; of those the one with the best mean, and of those the first. `None` if nothing was
    /// tried.
    pub fn best(&self) -> Option<&A> {
        let mut best: Option<&Tried<A>> = None;
        for tried in &self.tried {
            let is_better = best.is_none_or(|best| {
                tried.visits > best.visits || tried.visits == best.visits && tried.total > best.total
            });
            if is_better {
                best = Some(tried);
            }
        }
        best.map(|tried| &tried.action)
    }

    /// The average strategy over all trees, without what was only tried out: how often each action is taken, in order of the
    /// actions. All are 0 if no such strategy is kept.
    pub fn strategy(&self) -> impl Iterator<Item = (&A, f64)> {
        let whole: f64 = self.tried.iter().map(|tried| tried.average).sum();
        let tried_out = EXPLORED * whole / self.tried.len() as f64;
        let meant = move |tried: &Tried<A>| (tried.average - tried_out).max(0.0);
        let sum: f64 = self.tried.iter().map(meant).sum();
        self.tried.iter().map(move |tried| (&tried.action, if sum > 0.0 { meant(tried) / sum } else { 0.0 }))
    }

    /// An action drawn from the average strategy; `None` if there is none. `chances` is memory to work in.
    pub fn draw(&self, rng: &mut Stream, chances: &mut Vec<f64>) -> Option<&A> {
        chances.clear();
        chances.extend(self.strategy().map(|(_, chance)| chance));
        rng.weighted(chances).map(|pick| &self.tried[pick].action)
    }

    /// Visits and mean worth of every action, in order.
    pub fn values(&self) -> impl Iterator<Item = ActionValue<A>> {
        self.tried.iter().map(|tried| ActionValue {
            action: tried.action.clone(),
            visits: tried.visits,
            value: if tried.visits > 0 { tried.total / tried.visits as f64 } else { 0.0 },
        })
    }
}
