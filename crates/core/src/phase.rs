//! Phases, viewers and refusals.

use thiserror::Error;

use crate::seat::{Seat, SeatSet};

/// Reason why an action is refused. The state is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}")]
pub struct Illegal {
    /// Expected and found values, with the clause of the rules if there is one.
    pub reason: String,
}

impl Illegal {
    /// A refusal with this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// The phase of an episode: who acts next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Each of these seats owes a decision. They decide in any order, and no seat sees another's decision.
    Decide(SeatSet),
    /// A chance draw is due.
    Chance,
    /// The episode is over.
    Over,
}

impl Phase {
    /// The phase in which one seat owes a decision.
    #[inline]
    pub const fn turn(seat: Seat) -> Self {
        Self::Decide(SeatSet::single(seat))
    }

    /// Returns true if `seat` owes a decision.
    #[inline]
    pub const fn owes(self, seat: Seat) -> bool {
        matches!(self, Self::Decide(seats) if seats.contains(seat))
    }

    pub(crate) fn refusal(self, seat: Seat) -> Illegal {
        Illegal::new(match self {
            Self::Over => format!("seat {seat} cannot act: the episode is over"),
            Self::Chance => format!("seat {seat} cannot act: chance draws first"),
            Self::Decide(seats) => format!("seat {seat} owes no decision; {}", owed_by(seats)),
        })
    }
}

/// Phrase such as `seats 0, 1 and 4 owe a decision`.
pub(crate) fn owed_by(seats: SeatSet) -> String {
    format!("{seats} {} a decision", if seats.len() > 1 { "owe" } else { "owes" })
}

/// Point of view on the table, which limits the visible information.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Viewer {
    /// The knowledge of a seat.
    Seat(Seat),
    /// A spectator: public knowledge.
    Public,
    /// Full information, for replays of finished episodes.
    Everything,
}

impl Viewer {
    /// Returns true if the viewer may see the private information of `seat`.
    #[inline]
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            Self::Seat(own) => own == seat,
            Self::Public => false,
            Self::Everything => true,
        }
    }
}
