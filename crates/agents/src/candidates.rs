//! Candidate actions of an agent, with statistics of their values.

use meeple_core::{ActionValue, Game, Turn, standard_error};

/// Actions, each with the sum of its values and the sum of their squares.
pub(crate) struct Candidates<G: Game> {
    actions: Vec<G::Action>,
    totals: Vec<f64>,
    squares: Vec<f64>,
}

impl<G: Game> Candidates<G> {
    pub(crate) fn new() -> Self {
        Self { actions: Vec::new(), totals: Vec::new(), squares: Vec::new() }
    }

    /// Collects all legal actions, or up to `samples` random ones if they cannot be listed.
    pub(crate) fn collect(&mut self, turn: &mut Turn<'_, G>, samples: u32) {
        self.actions.clear();
        turn.candidates(samples, &mut self.actions);
        for sums in [&mut self.totals, &mut self.squares] {
            sums.clear();
            sums.resize(self.actions.len(), 0.0);
        }
    }

    pub(crate) fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// Moves an action out; [`give_back`](Self::give_back) puts it back. A default action replaces it
    /// meanwhile.
    pub(crate) fn lend(&mut self, index: usize) -> G::Action {
        std::mem::take(&mut self.actions[index])
    }

    pub(crate) fn give_back(&mut self, index: usize, action: G::Action) {
        self.actions[index] = action;
    }

    pub(crate) fn add(&mut self, index: usize, worth: f64) {
        self.totals[index] += worth;
        self.squares[index] += worth * worth;
    }

    /// Mean values, if every action has `visits` visits.
    pub(crate) fn values(&self, visits: u64) -> Vec<ActionValue<G::Action>> {
        let tried = self.actions.iter().zip(&self.totals).zip(&self.squares);
        let value = |((action, total), squares): ((&G::Action, &f64), &f64)| ActionValue {
            action: action.clone(),
            visits,
            value: if visits > 0 { total / visits as f64 } else { 0.0 },
            error: standard_error(visits, *total, *squares),
        };
        tried.map(value).collect()
    }

    /// Removes and returns the action with the best mean; ties are broken at random. All actions must have
    /// equal visits.
    pub(crate) fn take_best(&mut self, turn: &mut Turn<'_, G>) -> G::Action {
        let best = self.totals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Sums of the same numbers in different orders differ in the last bits.
        let tolerance = 1e-9 * best.abs().max(1.0);
        let is_best = |total: &&f64| **total >= best - tolerance;
        let ties = self.totals.iter().filter(is_best).count();
        let pick = if ties > 1 { turn.rng().index(ties) } else { 0 };
        let index = self
            .totals
            .iter()
            .enumerate()
            .filter(|(_, total)| is_best(total))
            .nth(pick)
            .map(|(index, _)| index)
            .expect("a seat that owes a decision has an action, and one of them is the best");
        self.actions.swap_remove(index)
    }
}
