//! The whole review: every verdict, sums by seat, and where the game turned.

use meeple_core::{PlayerLabel, Seat};
use serde::Serialize;
use serde_json::Value;

use super::verdict::{Verdict, Worth};

/// What was reviewed, and by whom.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reviewed {
    /// The version of this form: 1.
    pub format: u32,
    /// The game's id.
    pub game: String,
    /// The version of its rules.
    pub rules_version: u32,
    /// Every variant parameter.
    pub variant: Value,
    /// Who sat where.
    pub players: Vec<PlayerLabel>,
    /// The agent that was asked.
    pub agent: String,
    /// The iterations it was allowed; `None` for as many as it takes by itself.
    pub iterations: Option<u64>,
    /// The root seed of its random streams.
    pub seed: u64,
    /// What the numbers count: `share` of the win, or `points`.
    pub unit: &'static str,
    /// What the numbers are if nobody is ahead; `None` of points.
    pub even: Option<f64>,
    /// What the end was worth by seat, if the episode came to one.
    pub ends: Option<Vec<f64>>,
    /// Number of steps of the episode.
    pub steps: usize,
    /// Through whose eyes the curve is told.
    pub viewpoint: Seat,
    /// How many decisions there were to be judged.
    pub asked: usize,
}

/// A review of an episode.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// What was reviewed.
    #[serde(flatten)]
    pub of: Reviewed,
    /// Whether all that was asked was judged.
    pub complete: bool,
    /// Sums by seat, of those that had something to decide.
    pub seats: Vec<SeatReview>,
    /// Changes of what the viewpoint expects from one decision to the next, the largest first.
    pub swings: Vec<Swing>,
    /// Every decision that was judged, in order.
    pub decisions: Vec<Verdict>,
}

/// What a seat's decisions cost.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatReview {
    /// The seat.
    pub seat: Seat,
    /// Decisions that were judged.
    pub decisions: usize,
    /// Those in which the agent would have done the same.
    pub agreed: usize,
    /// Mean cost of those whose cost is known.
    pub mean_cost: Option<Worth>,
}

/// A change of what a seat expects.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Swing {
    /// The moment of the decision before it.
    pub from: usize,
    /// The moment of the next, or the end.
    pub to: usize,
    /// What the seat could expect by deciding as the agent would.
    pub before: f64,
    /// The same at the next decision, or what the end was worth.
    pub after: f64,
    /// The half width of the interval of the change.
    pub half: Option<f64>,
    /// The part of the seat's own decision, which is its cost; `None` if that is not known.
    pub own: Option<f64>,
    /// The part of the others, of chance, and of what the agent sees better later.
    pub rest: Option<f64>,
}

impl Review {
    /// Sums up verdicts, which come in order.
    pub(super) fn new(of: Reviewed, decisions: Vec<Verdict>) -> Self {
        let seats = (0..of.players.len()).filter_map(|seat| SeatReview::of(Seat::new(seat), &decisions));
        let seats = seats.collect();
        let swings = swings(&of, &decisions);
        Self { complete: decisions.len() == of.asked, seats, swings, decisions, of }
    }

    /// The verdicts on a seat, in order.
    pub fn of_seat(&self, seat: Seat) -> impl DoubleEndedIterator<Item = &Verdict> {
        self.decisions.iter().filter(move |verdict| verdict.seat == seat)
    }
}

impl SeatReview {
    fn of(seat: Seat, decisions: &[Verdict]) -> Option<Self> {
        let own: Vec<&Verdict> = decisions.iter().filter(|verdict| verdict.seat == seat).collect();
        let costs: Vec<Worth> = own.iter().filter_map(|verdict| verdict.cost).collect();
        let agreed = own.iter().filter(|verdict| verdict.agrees()).count();
        let mean_cost = (!costs.is_empty()).then(|| {
            let count = costs.len() as f64;
            let value = costs.iter().map(|cost| cost.value).sum::<f64>() / count;
            // The decisions are those of this episode: what is uncertain is the agent's judgement of each.
            let squares = costs.iter().map(|cost| cost.half.map(|half| half * half)).sum::<Option<f64>>();
            Worth { value, half: squares.map(|squares| squares.sqrt() / count) }
        });
        (!own.is_empty()).then_some(Self { seat, decisions: own.len(), agreed, mean_cost })
    }
}

/// The changes from one decision of the viewpoint to the next.
fn swings(of: &Reviewed, decisions: &[Verdict]) -> Vec<Swing> {
    let own: Vec<&Verdict> = decisions.iter().filter(|verdict| verdict.seat == of.viewpoint).collect();
    let end = of.ends.as_ref().map(|ends| ends[of.viewpoint.index()]);
    // A review that was stopped knows the end, but not what came before it.
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
    // Of equal ones the first: the sort is stable.
    swings.sort_by(|one, other| other.size().total_cmp(&one.size()));
    swings
}

impl Swing {
    /// How large it is.
    pub fn size(&self) -> f64 {
        (self.after - self.before).abs()
    }

    /// Whether it is larger than its interval, so that it is more than the agent's sampling.
    pub fn is_clear(&self) -> bool {
        self.half.is_none_or(|half| self.size() > half)
    }
}
