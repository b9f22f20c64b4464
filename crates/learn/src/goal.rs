use meeple_core::{Outcome, Seat, ValueUnit};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// [`Outcome::utility`], in `-1..=1`.
    #[default]
    Win,
    /// Own points.
    Score,
    /// Own points less those of the best other seat.
    Margin,
}

impl Goal {
    /// An outcome's value for a seat.
    pub fn of(self, outcome: &Outcome, seat: Seat) -> f32 {
        let own = outcome.scores[seat.index()];
        match self {
            Self::Win => outcome.utility(seat) as f32,
            Self::Score => own as f32,
            Self::Margin => {
                let others = outcome.scores.iter().enumerate().filter(|(other, _)| *other != seat.index());
                (own - others.map(|(_, score)| *score).max().unwrap_or(0)) as f32
            }
        }
    }

    pub fn unit(self) -> ValueUnit {
        match self {
            Self::Win => ValueUnit::Utility,
            Self::Score | Self::Margin => ValueUnit::Points,
        }
    }
}
