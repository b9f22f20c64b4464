//! Sums of the root statistics of several trees.

use meeple_core::{ActionValue, Stream, standard_error};

use crate::regret::EXPLORED;
use crate::tree::Proof;

/// An action with its visits, the sum of its values, and the sum of their squares.
struct Tried<A> {
    action: A,
    visits: u64,
    total: f64,
    squares: f64,
    average: f64,
    /// Proven result; `is_exact` is true if it determines the value.
    proof: Proof,
    is_exact: bool,
}

/// The actions tried at the root of any tree, in order of the actions.
pub struct RootTally<A> {
    tried: Vec<Tried<A>>,
}

impl<A> Default for RootTally<A> {
    fn default() -> Self {
        Self { tried: Vec::new() }
    }
}

impl<A: Clone + Ord> RootTally<A> {
    pub fn clear(&mut self) {
        self.tried.clear();
    }

    /// Adds visits of an action, with the sum of their values and the sum of the squares.
    pub fn add(&mut self, action: &A, visits: u32, total: f64, squares: f64) {
        let tried = self.tried_of(action);
        tried.visits += u64::from(visits);
        tried.total += total;
        tried.squares += squares;
    }

    pub(crate) fn add_average(&mut self, action: &A, average: f64) {
        self.tried_of(action).average += average;
    }

    /// Adds the proven result of an action. `is_exact` is true if only the win counts.
    pub(crate) fn add_proof(&mut self, action: &A, proof: Proof, is_exact: bool) {
        let tried = self.tried_of(action);
        (tried.proof, tried.is_exact) = (proof, is_exact);
    }

    fn tried_of(&mut self, action: &A) -> &mut Tried<A> {
        // A tree lists its actions in order, so most actions are appended at the end.
        let place = match self.tried.last() {
            Some(last) if last.action < *action => Err(self.tried.len()),
            _ => self.tried.binary_search_by(|tried| tried.action.cmp(action)),
        };
        let (Ok(index) | Err(index)) = place;
        if place.is_err() {
            let (action, proof, is_exact) = (action.clone(), Proof::Open, false);
            let tried = Tried { action, visits: 0, total: 0.0, squares: 0.0, average: 0.0, proof, is_exact };
            self.tried.insert(index, tried);
        }
        &mut self.tried[index]
    }

    /// A proven win, or else the most visited action without a proven loss (among all actions, if all are
    /// lost). Ties go to the better mean, then to the first. `None` if nothing was tried.
    pub fn best(&self) -> Option<&A> {
        let mut best: Option<&Tried<A>> = None;
        for tried in &self.tried {
            let is_better = best.is_none_or(|best| {
                let (rank, best_rank) = ((tried.rank(), tried.visits), (best.rank(), best.visits));
                rank > best_rank || rank == best_rank && tried.total > best.total
            });
            if is_better {
                best = Some(tried);
            }
        }
        best.map(|tried| &tried.action)
    }

    /// The average strategy over all trees, without the share of exploration, in order of the actions. All
    /// weights are 0 if no average strategy is kept.
    pub fn strategy(&self) -> impl Iterator<Item = (&A, f64)> {
        let whole: f64 = self.tried.iter().map(|tried| tried.average).sum();
        let tried_out = EXPLORED * whole / self.tried.len() as f64;
        let meant = move |tried: &Tried<A>| (tried.average - tried_out).max(0.0);
        let sum: f64 = self.tried.iter().map(meant).sum();
        self.tried.iter().map(move |tried| (&tried.action, if sum > 0.0 { meant(tried) / sum } else { 0.0 }))
    }

    /// Draws an action from the average strategy; `None` if there is none. `chances` is a scratch buffer.
    pub fn draw(&self, rng: &mut Stream, chances: &mut Vec<f64>) -> Option<&A> {
        chances.clear();
        chances.extend(self.strategy().map(|(_, chance)| chance));
        rng.weighted(chances).map(|pick| &self.tried[pick].action)
    }

    pub fn sums(&self, action: &A) -> (u64, f64, f64) {
        match self.tried.binary_search_by(|tried| tried.action.cmp(action)) {
            Ok(index) => {
                let Tried { visits, total, squares, .. } = self.tried[index];
                (visits, total, squares)
            }
            Err(_) => (0, 0.0, 0.0),
        }
    }

    pub fn values(&self) -> impl Iterator<Item = ActionValue<A>> {
        self.tried.iter().map(|tried| ActionValue {
            action: tried.action.clone(),
            visits: tried.visits,
            value: tried.exact().unwrap_or_else(|| tried.mean()),
            error: match tried.exact() {
                Some(_) => Some(0.0),
                None => standard_error(tried.visits, tried.total, tried.squares),
            },
        })
    }

    /// The values as utilities at a table of `seats` seats; those of a lone seat are points and stay
    /// unchanged. Errors stay above 0 after few visits with equal ends.
    pub fn utilities(&self, seats: usize) -> impl Iterator<Item = ActionValue<A>> {
        let slope = seats as f64 / (seats as f64 - 1.0);
        self.values().zip(&self.tried).map(move |(value, tried)| {
            if seats < 2 {
                return value;
            }
            let utility = (value.value - 1.0 / seats as f64) * slope;
            let error = if tried.exact().is_some() { 0.0 } else { tried.cautious_error() * slope };
            ActionValue { value: utility, error: Some(error), ..value }
        })
    }
}

impl<A> Tried<A> {
    /// Rank for the choice of the best action; higher is better.
    fn rank(&self) -> u8 {
        match self.proof {
            Proof::Won => 2,
            Proof::Open | Proof::Drawn => 1,
            Proof::Lost => 0,
        }
    }

    /// Value of a proven result, in `0..=1`; `None` if the proof does not determine it.
    fn exact(&self) -> Option<f64> {
        match self.proof {
            _ if !self.is_exact => None,
            Proof::Open => None,
            Proof::Won => Some(1.0),
            Proof::Drawn => Some(0.5),
            Proof::Lost => Some(0.0),
        }
    }

    fn mean(&self) -> f64 {
        if self.visits > 0 { self.total / self.visits as f64 } else { 0.0 }
    }

    /// The standard error of a mean of values in `0..=1`. Two values of 0 and two of 1 are added to them, as
    /// Agresti and Coull do for proportions.
    fn cautious_error(&self) -> f64 {
        let error = standard_error(self.visits + 4, self.total + 2.0, self.squares + 2.0);
        error.expect("there are at least four values")
    }
}
