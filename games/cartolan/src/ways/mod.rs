//! Ways over the map: passages between tiles, states of a turn, and shortest paths.
//!
//! A position is a cell and a state of the turn. A move costs 1; ending a turn early costs the moves that are
//! lost. A rest at an own Agent restarts the turn, and arrival in a city ends it.

pub(crate) mod chart;
pub(crate) mod homeward;
pub(crate) mod routes;
pub(crate) mod turn_states;

use crate::map::{Cell, CellId, Crossing, Ground};
use crate::state::Player;

/// Cost of an unreachable target.
pub(crate) const FAR: u16 = u16::MAX;

/// Upper bound on the counted moves of a path home.
pub(crate) const MAX_HOME: u16 = 200;

/// A move over a side of a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    pub to: CellId,
    pub crossing: Crossing,
    pub arrival: Arrival,
}

impl Passage {
    pub const CLOSED: Self = Self { to: 0, crossing: Crossing::Land, arrival: Arrival::Never };
}

/// The effect of a move on the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// There is no tile beyond, or the Adventurer may not enter it.
    Never,
    /// The turn continues.
    On,
    /// The turn restarts.
    Rest,
    /// The turn ends.
    City,
}

impl Arrival {
    /// The effect of arriving on a cell, for an Adventurer of this seat. `is_barred` is true if it may not
    /// enter disasters.
    #[inline]
    pub fn on(cell: &Cell, seat: usize, player: &Player, is_barred: bool) -> Self {
        let rests = |number| !player.agent_numbered(number).dispossessed;
        match cell.ground {
            Ground::Empty => Self::Never,
            Ground::Disaster if is_barred => Self::Never,
            Ground::City => Self::City,
            _ if cell.agent_of(seat).is_some_and(rests) => Self::Rest,
            _ => Self::On,
        }
    }
}
