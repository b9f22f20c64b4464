//! Who must act, and who looks.

use thiserror::Error;

use crate::seat::{Seat, SeatSet};

/// Why an action cannot be taken. The state is as it was.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}")]
pub struct Illegal {
    /// What was expected and what was found, with the rule's clause where there is one.
    pub reason: String,
}

impl Illegal {
    /// With this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// Who must act next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Each of these seats owes a decision. They may give it in any order; nobody sees another's.
    Decide(SeatSet),
    /// Chance draws.
    Chance,
    /// The episode has ended.
    Over,
}

impl Phase {
    /// One seat owes a decision.
    #[inline]
    pub const fn turn(seat: Seat) -> Self {
        Self::Decide(SeatSet::single(seat))
    }

    /// Whether `seat` owes a decision.
    #[inline]
    pub const fn owes(self, seat: Seat) -> bool {
        matches!(self, Self::Decide(seats) if seats.contains(seat))
    }

    /// Why a seat that owes nothing cannot act.
    pub(crate) fn refusal(self, seat: Seat) -> Illegal {
        Illegal::new(match self {
            Self::Over => format!("seat {seat} cannot act: the episode is over"),
            Self::Chance => format!("seat {seat} cannot act: chance draws first"),
            Self::Decide(seats) => format!("seat {seat} owes no decision; {}", owed_by(seats)),
        })
    }
}

/// Who owes a decision, as a clause: `seats 0, 1 and 4 owe a decision`.
pub(crate) fn owed_by(seats: SeatSet) -> String {
    format!("{seats} {} a decision", if seats.len() > 1 { "owe" } else { "owes" })
}

/// From whose place the table is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Viewer {
    /// A seat: what it may know.
    Seat(Seat),
    /// A spectator: what everybody may know.
    Public,
    /// Nothing is hidden: for replays of finished episodes.
    Everything,
}

impl Viewer {
    /// Whether the viewer may see what is private to `seat`.
    #[inline]
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            Self::Seat(own) => own == seat,
            Self::Public => false,
            Self::Everything => true,
        }
    }
}
