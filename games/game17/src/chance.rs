//! What chance draws.

use meeple_core::{choice, wording};

wording! {
    /// One chance outcome.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Chance {
        /// In set-up: this owner gets the next square, row by row.
        Place(owner: u16 [0..]) = "place {owner}",
        /// In set-up: this owner is next in the turn order.
        Next(owner: u16 [0..]) = "next {owner}",
        /// The coin of the first tied square.
        Coin(coin: Coin) = "coin {coin}",
    }
}

choice! {
    /// For whom a coin falls.
    pub enum Coin {
        /// For the owner whose turn it is.
        Mover = "mover",
        /// For the owner of the square.
        Owner = "owner",
    }
}
