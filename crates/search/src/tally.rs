//! What several trees found at their roots, added up.

use meeple_core::{ActionValue, standard_error};

/// An action with its visits, the sum of what it was worth, and of its squares.
struct Tried<A> {
    action: A,
    visits: u64,
    total: f64,
    squares: f64,
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

    /// Adds visits of an action, the sum of what they were worth, and that of its squares.
    pub fn add(&mut self, action: &A, visits: u32, total: f64, squares: f64) {
        // One tree tells its actions in order, so that mostly they come at the end.
        let place = match self.tried.last() {
            Some(last) if last.action < *action => Err(self.tried.len()),
            _ => self.tried.binary_search_by(|tried| tried.action.cmp(action)),
        };
        match place {
            Ok(index) => {
                self.tried[index].visits += u64::from(visits);
                self.tried[index].total += total;
                self.tried[index].squares += squares;
            }
            Err(index) => {
                let tried = Tried { action: action.clone(), visits: visits.into(), total, squares };
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

    /// How often this action was tried, the sum of what it was worth, and that of its squares.
    pub fn sums(&self, action: &A) -> (u64, f64, f64) {
        match self.tried.binary_search_by(|tried| tried.action.cmp(action)) {
            Ok(index) => {
                let Tried { visits, total, squares, .. } = self.tried[index];
                (visits, total, squares)
            }
            Err(_) => (0, 0.0, 0.0),
        }
    }

    /// Visits and mean worth of every action, in order.
    pub fn values(&self) -> impl Iterator<Item = ActionValue<A>> {
        self.tried.iter().map(|tried| ActionValue {
            action: tried.action.clone(),
            visits: tried.visits,
            value: tried.mean(),
            error: standard_error(tried.visits, tried.total, tried.squares),
        })
    }

    /// The same as utilities at a table of so many seats, with errors that a few tries with the same end do not make small.
    /// A lone seat's values are points already.
    pub fn utilities(&self, seats: usize) -> impl Iterator<Item = ActionValue<A>> {
        let slope = seats as f64 / (seats as f64 - 1.0);
        self.values().zip(&self.tried).map(move |(value, tried)| {
            if seats < 2 {
                return value;
            }
            let utility = (value.value - 1.0 / seats as f64) * slope;
            ActionValue { value: utility, error: Some(tried.cautious_error() * slope), ..value }
        })
    }
}

impl<A> Tried<A> {
    fn mean(&self) -> f64 {
        if self.visits > 0 { self.total / self.visits as f64 } else { 0.0 }
    }

    /// The standard error of a mean of values from 0 to 1, with two more of each end: of shares the rule of Agresti and Coull.
    fn cautious_error(&self) -> f64 {
        let error = standard_error(self.visits + 4, self.total + 2.0, self.squares + 2.0);
        error.expect("there are at least four values")
    }
}
