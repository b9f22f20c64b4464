use meeple_core::{PlayerLabel, Seat};
use serde::Serialize;
use serde_json::Value;

use super::verdict::{ReviewVerdict, Worth};

/// Subject and settings of a review.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reviewed {
    /// Version of the JSON form: 1.
    pub format: u32,
    /// The game's id.
    pub game: String,
    /// Version of the game's rules.
    pub rules_version: u32,
    /// Every variant parameter.
    pub variant: Value,
    /// Players by seat.
    pub players: Vec<PlayerLabel>,
    /// The judging agent.
    pub agent: String,
    /// Iterations per decision; `None` for the agent's default.
    pub iterations: Option<u64>,
    /// Root seed of the agent's random streams.
    pub seed: u64,
    /// Unit of the values: `share` of the win, or `points`.
    pub unit: &'static str,
    /// Value of an even position; `None` for points.
    pub even: Option<f64>,
    /// Final value by seat, if the episode ended.
    pub ends: Option<Vec<f64>>,
    /// Number of steps in the episode.
    pub steps: usize,
    /// The seat whose perspective the curve shows.
    pub viewpoint: Seat,
    /// Number of decisions to judge.
    pub asked: usize,
}

/// A review of an episode.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The reviewed episode and the settings of the review.
    #[serde(flatten)]
    pub of: Reviewed,
    /// True if all decisions were judged.
    pub complete: bool,
    /// Sums by seat, for seats with decisions.
    pub seats: Vec<SeatReview>,
    /// Changes of the viewpoint's expectation between its decisions, largest first.
    pub swings: Vec<Swing>,
    /// Verdicts on all judged decisions, in order.
    pub decisions: Vec<ReviewVerdict>,
}

/// Cost of a seat's decisions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatReview {
    /// The seat of these sums.
    pub seat: Seat,
    /// Number of judged decisions.
    pub decisions: usize,
    /// Number of decisions that match the agent's choice.
    pub agreed: usize,
    /// Mean cost over decisions of known cost.
    pub mean_cost: Option<Worth>,
}

/// A change of a seat's expectation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Swing {
    /// Moment of the decision before the change.
    pub from: usize,
    /// Moment of the next decision, or of the end.
    pub to: usize,
    /// Expected value at the decision `from`, under the agent's choice.
    pub before: f64,
    /// Expected value at the decision `to`, or the final value.
    pub after: f64,
    /// Half width of the interval of the change.
    pub half: Option<f64>,
    /// Part due to the seat's own decision: its cost with the opposite sign. `None` if unknown.
    pub own: Option<f64>,
    /// Part due to other players, chance, and later estimates of the agent, which are better.
    pub rest: Option<f64>,
}

impl Review {
    pub(super) fn new(of: Reviewed, decisions: Vec<ReviewVerdict>) -> Self {
        let seats = (0..of.players.len()).filter_map(|seat| SeatReview::of(Seat::new(seat), &decisions));
        let seats = seats.collect();
        let swings = swings(&of, &decisions);
        Self { complete: decisions.len() == of.asked, seats, swings, decisions, of }
    }

    /// The verdicts on a seat, in order.
    pub fn of_seat(&self, seat: Seat) -> impl DoubleEndedIterator<Item = &ReviewVerdict> {
        self.decisions.iter().filter(move |verdict| verdict.seat == seat)
    }
}

impl SeatReview {
    fn of(seat: Seat, decisions: &[ReviewVerdict]) -> Option<Self> {
        let own: Vec<&ReviewVerdict> = decisions.iter().filter(|verdict| verdict.seat == seat).collect();
        let costs: Vec<Worth> = own.iter().filter_map(|verdict| verdict.cost).collect();
        let agreed = own.iter().filter(|verdict| verdict.agrees()).count();
        let mean_cost = (!costs.is_empty()).then(|| {
            let count = costs.len() as f64;
            let value = costs.iter().map(|cost| cost.value).sum::<f64>() / count;
            // The interval combines the uncertainties of single judgements, not the spread between decisions.
            let squares = costs.iter().map(|cost| cost.half.map(|half| half * half)).sum::<Option<f64>>();
            Worth { value, half: squares.map(|squares| squares.sqrt() / count) }
        });
        (!own.is_empty()).then_some(Self { seat, decisions: own.len(), agreed, mean_cost })
    }
}

/// Changes between consecutive decisions of the viewpoint.
fn swings(of: &Reviewed, decisions: &[ReviewVerdict]) -> Vec<Swing> {
    let own: Vec<&ReviewVerdict> = decisions.iter().filter(|verdict| verdict.seat == of.viewpoint).collect();
    let end = of.ends.as_ref().map(|ends| ends[of.viewpoint.index()]);
    // A stopped review knows the final value, but may lack the last expectation before it.
    let end = end.filter(|_| decisions.len() == of.asked);
    let mut swings = Vec::new();
    for (index, verdict) in own.iter().enumerate() {
        let next = own.get(index + 1).map(|next| (next.moment, next.expected));
        let end = || end.map(|value| (of.steps, Worth { value, half: Some(0.0) }));
        let Some((to, after)) = next.or_else(end) else { break };
        let change = after.over(verdict.expected);
        let own = verdict.cost.map(|cost| -cost.value);
        swings.push(Swing {
            from: verdict.moment,
            to,
            before: verdict.expected.value,
            after: after.value,
            half: change.half,
            own,
            rest: own.map(|own| change.value - own),
        });
    }
    // The sort is stable, so ties stay in order.
    swings.sort_by(|one, other| other.size().total_cmp(&one.size()));
    swings
}

impl Swing {
    /// Absolute size of the change.
    pub fn size(&self) -> f64 {
        (self.after - self.before).abs()
    }

    /// True if the change exceeds its interval, that is, the agent's sampling error, or has no interval.
    pub fn is_clear(&self) -> bool {
        self.half.is_none_or(|half| self.size() > half)
    }
}
