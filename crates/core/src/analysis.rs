//! Analysis: an agent's evaluation of a decision.

use serde::Serialize;

use crate::seat::Seat;

/// An agent's evaluation of a decision.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis<A> {
    /// Number of iterations used; 0 if the agent counts none. A budget of this number reproduces the
    /// decision.
    pub iterations: u64,
    /// Unit of the values.
    pub unit: ValueUnit,
    /// Values of the actions tried, in no particular order.
    pub actions: Vec<ActionValue<A>>,
    /// Principal variation, the agent's own decision first; empty if the agent reports none. Chance outcomes
    /// are omitted; later actions follow the draws that the agent sampled.
    pub line: Vec<Foreseen<A>>,
}

/// Unit of the values of an [`Analysis`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueUnit {
    /// Utilities as of [`Outcome::utility`](crate::Outcome::utility), from -1 / (seats - 1) to 1. 0 is an
    /// equal share of the win.
    #[default]
    Utility,
    /// Points of the game.
    Points,
}

impl ValueUnit {
    /// Returns true if values can be converted to shares of the win, at a table of `seats` seats.
    pub fn is_share(self, seats: usize) -> bool {
        self == Self::Utility && seats > 1
    }

    /// Converts a utility to a share of the win, at a table of `seats` seats. Also returns the factor from
    /// differences of utilities to differences of shares. Points, and all values at a table of one seat, stay
    /// unchanged, with factor 1.
    pub fn as_share(self, value: f64, seats: usize) -> (f64, f64) {
        if !self.is_share(seats) {
            return (value, 1.0);
        }
        let seats = seats as f64;
        let slope = (seats - 1.0) / seats;
        (value * slope + 1.0 / seats, slope)
    }
}

/// An agent's evaluation of an action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionValue<A> {
    /// The action evaluated.
    pub action: A,
    /// Number of visits during the decision.
    pub visits: u64,
    /// Mean value, in the unit of the analysis.
    pub value: f64,
    /// Standard error of the value, computed as if visits were independent; `None` if unknown. The true error
    /// may be larger: later visits are better informed, and all share one model of the other players.
    pub error: Option<f64>,
}

/// An action that an agent expects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Foreseen<A> {
    /// Seat that takes the action.
    pub seat: Seat,
    /// The expected action.
    pub action: A,
}

impl<A> Default for Analysis<A> {
    /// An analysis without iterations, values or line.
    fn default() -> Self {
        Self { iterations: 0, unit: ValueUnit::default(), actions: Vec::new(), line: Vec::new() }
    }
}

impl<A> Analysis<A> {
    /// The same analysis with actions converted to another form.
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

    /// Total number of visits of all actions.
    pub fn visits(&self) -> u64 {
        self.actions.iter().map(|tried| tried.visits).sum()
    }
}

impl<A: PartialEq> Analysis<A> {
    /// The evaluation of this action; `None` if it was not tried.
    pub fn of(&self, action: &A) -> Option<&ActionValue<A>> {
        self.actions.iter().find(|tried| tried.action == *action)
    }
}

/// The standard error of the mean of `count` values with this sum and sum of squares. `None` for fewer than
/// two values, and for equal values, which do not show the spread.
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
    // At or below this bound the values are equal up to rounding.
    (deviations > 1e-12 * squares).then(|| (deviations / (count - 1.0) / count).sqrt())
}
