//! Decisions of a seat, and their text forms.

use meeple_core::{Seat, wording};

use crate::geometry::{Cell, Spot};
use crate::tiles::Kind;
use crate::variant::MAX_SEATS;

wording! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Post {
        On(spot: Spot) = "{spot}",
        /// The top of the tower, as its guard.
        Guard = "guard",
    }
}

wording! {
    /// A decision of a seat.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Action {
        /// Placement on a cell (column and row), after `turns` quarter turns clockwise: `place D
        /// 3,-1 r1`.
        Place { tile: Kind, cell: Cell, turns: u8 [..4] } = "place {tile} {cell} r{turns}",
        Discard { tile: Kind } = "discard {tile}",
        #[default]
        Pass = "pass",
        /// Put a meeple on a feature of the tile just laid: `claim city N`.
        Claim(spot: Spot) = "claim {spot}",
        Floor(cell: Cell) = "floor {cell}",
        Close(cell: Cell) = "close {cell}",
        /// Take the meeple prisoner that stands on this tile, on this place: `take 2,1 road E`.
        Take { cell: Cell, post: Post } = "take {cell} {post}",
        Decline = "decline",
        Ransom(seat: Seat [..Seat::new(MAX_SEATS)]) = "ransom {seat}",
    }
}
