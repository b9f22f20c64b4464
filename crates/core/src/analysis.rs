//! What an agent thinks of a decision.

use serde::Serialize;

use crate::seat::Seat;

/// What an agent thinks of a decision, for whoever asks.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis<A> {
    /// Iterations that it used; 0 if it does not count any. As a budget they give the same decision again.
    pub iterations: u64,
    /// What its values count.
    pub unit: ValueUnit,
    /// What it thinks of actions that it has tried, in no particular order.
    pub actions: Vec<ActionValue<A>>,
    /// What it expects to happen, its own decision first and as far as it has looked; empty if it does not say. What chance
    /// draws is not told: where it decides what can be done, later actions are those of the draws that were imagined.
    pub line: Vec<Foreseen<A>>,
}

/// What the values of an [`Analysis`] count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueUnit {
    /// Utilities, from -1 / (seats - 1) to 1, as of [`Outcome::utility`](crate::Outcome::utility): 0 is an equal share.
    #[default]
    Utility,
    /// Points of the game.
    Points,
}

impl ValueUnit {
    /// Whether values at a table of so many seats stand for shares of the win.
    pub fn is_share(self, seats: usize) -> bool {
        self == Self::Utility && seats > 1
    }

    /// The share of the win that a utility stands for at a table of so many seats, and the number that a difference of
    /// utilities is multiplied by to be one of shares. What is no share stays what it is.
    pub fn as_share(self, value: f64, seats: usize) -> (f64, f64) {
        if !self.is_share(seats) {
            return (value, 1.0);
        }
        let seats = seats as f64;
        let slope = (seats - 1.0) / seats;
        (value * slope + 1.0 / seats, slope)
    }
}

/// What an agent thinks of an action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionValue<A> {
    /// The action.
    pub action: A,
    /// How often it was tried while the agent decided.
    pub visits: u64,
    /// What it was worth on average, in the unit of the analysis.
    pub value: f64,
    /// The standard error of the value, as of independent tries; `None` if the agent cannot tell. Later tries of a search
    /// are better informed than earlier ones, and all suppose what it supposes of the others: it is no bound of the truth.
    pub error: Option<f64>,
}

/// An action that an agent expects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Foreseen<A> {
    /// Whose it is.
    pub seat: Seat,
    /// The action.
    pub action: A,
}

impl<A> Default for Analysis<A> {
    /// Of somebody who thinks nothing.
    fn default() -> Self {
        Self { iterations: 0, unit: ValueUnit::default(), actions: Vec::new(), line: Vec::new() }
    }
}

impl<A> Analysis<A> {
    /// The same of actions in another form.
    pub fn map<B>(self, mut form: impl FnMut(A) -> B) -> Analysis<B> {
        let Self { iterations, unit, actions, line } = self;
        let valued = |ActionValue { action, visits, value, error }| ActionValue {
            action: form(action),
            visits,
            value,
            error,
        };
        let actions = actions.into_iter().map(valued).collect();
        let line = line.into_iter().map(|Foreseen { seat, action }| Foreseen { seat, action: form(action) });
        Analysis { iterations, unit, actions, line: line.collect() }
    }

    /// How often anything was tried.
    pub fn visits(&self) -> u64 {
        self.actions.iter().map(|tried| tried.visits).sum()
    }
}

impl<A: PartialEq> Analysis<A> {
    /// What the agent thinks of this action; `None` if it has not tried it.
    pub fn of(&self, action: &A) -> Option<&ActionValue<A>> {
        self.actions.iter().find(|tried| tried.action == *action)
    }
}

/// The standard error of the mean of so many values with this sum and sum of squares; `None` of fewer than two, and of values that
/// are all alike, which do not say how far others are from them.
///
/// ```
/// assert_eq!(meeple_core::standard_error(4, 4.0, 4.0), None);
/// assert_eq!(meeple_core::standard_error(4, 2.0, 2.0), Some((1.0_f64 / 12.0).sqrt()));
/// ```
pub fn standard_error(count: u64, sum: f64, squares: f64) -> Option<f64> {
    if count < 2 {
        return None;
    }
    let count = count as f64;
    let deviations = squares - sum * sum / count;
    // Equal values differ by rounding alone.
    (deviations > 1e-12 * squares).then(|| (deviations / (count - 1.0) / count).sqrt())
}
