//! Decisions of a seat, and their text forms.

use meeple_core::{Seat, wording};

use crate::geometry::{Cell, Spot};
use crate::tiles::Kind;
use crate::variant::MAX_SEATS;

wording! {
    /// The post of a captured meeple.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Post {
        /// A feature of the tile.
        On(spot: Spot) = "{spot}",
        /// The top of the tower, as its guard.
        Guard = "guard",
    }
}

wording! {
    /// A decision of a seat.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Action {
        /// Put a tile from the hand on a cell (column and row), after `turns` quarter turns clockwise: `place
        /// D 3,-1 r1`.
        Place { tile: Kind, cell: Cell, turns: u8 [..4] } = "place {tile} {cell} r{turns}",
        /// Remove a tile from the game, when nothing in the hand fits.
        Discard { tile: Kind } = "discard {tile}",
        /// Do nothing with the tile just laid.
        #[default]
        Pass = "pass",
        /// Put a meeple on a feature of the tile just laid: `claim city N`.
        Claim(spot: Spot) = "claim {spot}",
        /// Add a floor to the tower on this cell.
        Floor(cell: Cell) = "floor {cell}",
        /// Put a meeple on top of the tower on this cell.
        Close(cell: Cell) = "close {cell}",
        /// Take the meeple prisoner that stands on this tile, on this place: `take 2,1 road E`.
        Take { cell: Cell, post: Post } = "take {cell} {post}",
        /// Capture nobody.
        Decline = "decline",
        /// Buy a prisoner back from this seat.
        Ransom(seat: Seat [..Seat::new(MAX_SEATS)]) = "ransom {seat}",
    }
}
