//! The game: its variant, its seats, and what was prepared from them.

use meeple_core::{Seat, Viewer};

use crate::board::Fields;
use crate::state::State;
use crate::tiles::Tables;
use crate::variant::Variant;

/// The game with a variant and a number of seats.
#[derive(Clone)]
pub struct Carcassonne {
    pub(crate) variant: Variant,
    pub(crate) seats: usize,
    pub(crate) tables: &'static Tables,
    pub(crate) fields: Fields,
    pub(crate) start: Box<State>,
}

impl Carcassonne {
    /// Most tiles on the board.
    pub(crate) fn tiles(&self) -> usize {
        let start = &self.start;
        start.board.len() + (start.stack.land() + start.stack.river()) as usize + usize::from(start.lake_due)
    }

    /// Whether hands are seen by everybody: the tile just drawn is all there is.
    pub(crate) fn open_hands(&self) -> bool {
        self.variant.hand == 1
    }

    /// Whether `viewer` may see the hand of `seat`.
    pub(crate) fn shows_hand(&self, viewer: Viewer, seat: usize) -> bool {
        self.open_hands() || viewer == Viewer::Everything || viewer.sees(Seat::new(seat))
    }
}
