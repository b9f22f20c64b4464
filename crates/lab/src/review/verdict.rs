//! What an agent thinks of one decision that was taken.

use meeple_core::{ActionValue, Analysis, Foreseen, Seat, ValueUnit};
use serde::Serialize;

use crate::intervals::Z;
use crate::text::{number, with_half};

/// A value with the half width of its 95 % interval, if it is known. The interval is of the agent's sampling alone.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Worth {
    /// Shares of the win, from 0 to 1, or points.
    pub value: f64,
    /// Half the width of its interval; `None` where it has none, as for what is certain and for tries that all ended alike.
    pub half: Option<f64>,
}

impl Worth {
    /// What an action is worth as an agent thinks, at a table of so many seats: a share of the win, or points.
    pub fn of<A>(tried: &ActionValue<A>, unit: ValueUnit, seats: usize) -> Self {
        let (value, slope) = unit.as_share(tried.value, seats);
        Self { value, half: tried.error.map(|error| Z * slope * error).filter(|half| *half > 0.0) }
    }

    /// As text with its interval, if it has one; shares in per cent.
    pub fn told(self, is_share: bool) -> String {
        let scale = if is_share { 100.0 } else { 1.0 };
        match self.interval().map(|interval| interval.map(|end| scale * end)) {
            Some([low, high]) if high > low => with_half(scale * self.value, Some([low, high])),
            _ => self.told_alone(is_share),
        }
    }

    /// As text without its interval.
    pub fn told_alone(self, is_share: bool) -> String {
        if !is_share {
            return number(self.value);
        }
        let text = format!("{:.1}", 100.0 * self.value);
        if text == "-0.0" { "0.0".to_owned() } else { text }
    }

    /// The interval, if it is known.
    pub fn interval(self) -> Option<[f64; 2]> {
        self.half.map(|half| [self.value - half, self.value + half])
    }

    /// How much more it is than another.
    pub(super) fn over(self, other: Self) -> Self {
        let half = self.half.zip(other.half).map(|(own, other)| (own * own + other * other).sqrt());
        Self { value: self.value - other.value, half }
    }
}

/// A decision of a stored episode, as an agent judges it from what the seat knew.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// How many steps came before it: the moment, as pictures of the whole table are counted.
    pub moment: usize,
    /// Whose decision it was.
    pub seat: Seat,
    /// What was decided.
    pub played: String,
    /// What the agent would have decided.
    pub choice: String,
    /// What the agent expects after its own choice.
    pub expected: Worth,
    /// What it expects after what was decided; `None` if it cannot tell.
    pub of_played: Option<Worth>,
    /// How much better its choice is, as it thinks: 0 if it is what was decided. It is below 0 where the agent, having looked at
    /// both as often, thinks more of what was decided.
    pub cost: Option<Worth>,
    /// How often it has tried its choice.
    pub visits: u64,
    /// Its iterations; what it has looked at besides, to judge what was decided, does not count.
    pub iterations: u64,
    /// What it expects to happen after its choice.
    pub line: Vec<Foreseen<String>>,
}

impl Verdict {
    /// Whether the agent would have done the same.
    pub fn agrees(&self) -> bool {
        self.played == self.choice
    }

    /// Of what an agent has told at a table of so many seats; `None` if it has told nothing of its own choice.
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
