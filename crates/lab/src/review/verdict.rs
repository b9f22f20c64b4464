//! An agent's judgement of one decision.

use meeple_core::{ActionValue, Analysis, Foreseen, Seat, ValueUnit};
use serde::Serialize;

use crate::intervals::Z;
use crate::text::{number, with_half};

/// A value with the half width of its 95 % interval, if known. The interval covers the agent's sampling error
/// alone.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Worth {
    /// Share of the win in `0..=1`, or points.
    pub value: f64,
    /// Half width of the interval; `None` if there is no interval, as for certain values and identical
    /// samples.
    pub half: Option<f64>,
}

impl Worth {
    /// The value of an action at a table of `seats` seats: a share of the win, or points.
    pub fn of<A>(tried: &ActionValue<A>, unit: ValueUnit, seats: usize) -> Self {
        let (value, slope) = unit.as_share(tried.value, seats);
        Self { value, half: tried.error.map(|error| Z * slope * error).filter(|half| *half > 0.0) }
    }

    /// The value as text with its interval, if it has one; shares in per cent.
    pub fn text_with_interval(self, is_share: bool) -> String {
        let scale = if is_share { 100.0 } else { 1.0 };
        match self.interval().map(|interval| interval.map(|end| scale * end)) {
            Some([low, high]) if high > low => with_half(scale * self.value, Some([low, high])),
            _ => self.value_text(is_share),
        }
    }

    /// The value as text without its interval.
    pub fn value_text(self, is_share: bool) -> String {
        if !is_share {
            return number(self.value);
        }
        let text = format!("{:.1}", 100.0 * self.value);
        if text == "-0.0" { "0.0".to_owned() } else { text }
    }

    /// The interval, if known.
    pub fn interval(self) -> Option<[f64; 2]> {
        self.half.map(|half| [self.value - half, self.value + half])
    }

    pub(super) fn over(self, other: Self) -> Self {
        let half = self.half.zip(other.half).map(|(own, other)| (own * own + other * other).sqrt());
        Self { value: self.value - other.value, half }
    }
}

/// An agent's judgement of a decision in a stored episode, from the seat's information.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReviewVerdict {
    /// Number of steps before the decision. Frames of the whole table have the same numbers.
    pub moment: usize,
    /// The deciding seat.
    pub seat: Seat,
    /// The action played.
    pub played: String,
    /// The agent's choice.
    pub choice: String,
    /// Expected value of the agent's choice.
    pub expected: Worth,
    /// Expected value of the action played; `None` if unknown.
    pub of_played: Option<Worth>,
    /// Estimated gain of the agent's choice over the action played; 0 if they are the same. The cost is
    /// negative if the agent visited both equally often and values the action played higher.
    pub cost: Option<Worth>,
    /// Visits of the agent's choice.
    pub visits: u64,
    /// Iterations of the agent, without extra ones spent on the action played.
    pub iterations: u64,
    /// The line expected after the agent's choice.
    pub line: Vec<Foreseen<String>>,
}

impl ReviewVerdict {
    /// True if the agent's choice is the action played.
    pub fn agrees(&self) -> bool {
        self.played == self.choice
    }

    /// A verdict; `None` if the analysis lacks the agent's own choice.
    pub(super) fn new(
        moment: usize,
        seat: Seat,
        played: String,
        (choice, analysis): (String, Analysis<String>),
        seats: usize,
    ) -> Option<Self> {
        let worth = |tried: &ActionValue<String>| Worth::of(tried, analysis.unit, seats);
        let chosen = analysis.of(&choice)?;
        let expected = worth(chosen);
        let visits = chosen.visits;
        let of_played = analysis.of(&played).map(worth);
        let cost = match of_played {
            _ if played == choice => Some(Worth { value: 0.0, half: Some(0.0) }),
            of_played => of_played.map(|of_played| expected.over(of_played)),
        };
        let Analysis { iterations, line, .. } = analysis;
        Some(Self { moment, seat, played, choice, expected, of_played, cost, visits, iterations, line })
    }
}
