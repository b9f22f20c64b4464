//! Decisions of a seat, and their text forms.

use meeple_core::{Seat, wording};

use crate::geometry::{Cell, Spot};
use crate::tiles::Kind;
use crate::variant::MAX_SEATS;

wording! {
    /// A meeple's place on a tile: a feature, or the top of the tower.
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
        /// Lay a tile on a cell (column, row), after `turns` quarter turns clockwise: `place D 3,-1 r1`.
        Place { tile: Kind, cell: Cell, turns: u8 [..4] } = "place {tile} {cell} r{turns}",
        Discard { tile: Kind } = "discard {tile}",
        #[default]
        Pass = "pass",
        /// A meeple on a feature of the tile just laid: `claim city N`.
        Claim(spot: Spot) = "claim {spot}",
        /// Add a floor to the tower on this tile.
        Floor(cell: Cell) = "floor {cell}",
        /// Close the tower on this tile with a meeple as its guard.
        Close(cell: Cell) = "close {cell}",
        /// Capture of the meeple on this tile and post: `take 2,1 road E`.
        Take { cell: Cell, post: Post } = "take {cell} {post}",
        /// Capture nobody.
        Decline = "decline",
        /// Buy a prisoner back from this seat.
        Ransom(seat: Seat [..Seat::new(MAX_SEATS)]) = "ransom {seat}",
    }
}
