//! Outcomes of chance.

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
    /// The winner of a coin.
    pub enum Coin {
        /// The mover.
        Mover = "mover",
        /// The owner of the square.
        Owner = "owner",
    }
}
