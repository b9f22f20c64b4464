//! What several trees found at their roots, added up.

use meeple_core::ActionValue;

/// An action with its visits and the sum of what it was worth.
struct Tried<A> {
    action: A,
    visits: u64,
    total: f64,
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

    /// Adds visits of an action, and the sum of what they were worth.
    pub fn add(&mut self, action: &A, visits: u32, total: f64) {
        // One tree tells its actions in order, so that mostly they come at the end.
        let place = match self.tried.last() {
            Some(last) if last.action < *action => Err(self.tried.len()),
            _ => self.tried.binary_search_by(|tried| tried.action.cmp(action)),
        };
        match place {
            Ok(index) => {
                self.tried[index].visits += u64::from(visits);
                self.tried[index].total += total;
            }
            Err(index) => {
                let tried = Tried { action: action.clone(), visits: visits.into(), total };
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

    /// Visits and mean worth of every action, in order.
    pub fn values(&self) -> impl Iterator<Item = ActionValue<A>> {
        self.tried.iter().map(|tried| ActionValue {
            action: tried.action.clone(),
            visits: tried.visits,
            value: if tried.visits > 0 { tried.total / tried.visits as f64 } else { 0.0 },
        })
    }
}
