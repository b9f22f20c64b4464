//! Outcomes of chance.

use meeple_core::{choice, wording};

wording! {
    /// One chance outcome.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Chance {
        /// In the set-up: the owner of the next square, row by row.
        Place(owner: u16 [0..]) = "place {owner}",
        /// In the set-up: the next owner in the turn order.
        Next(owner: u16 [0..]) = "next {owner}",
        /// The coin of the first tied square.
        Coin(coin: Coin) = "coin {coin}",
    }
}

choice! {
    /// The winner of a coin toss.
    pub enum Coin {
        Mover = "mover",
        /// The owner of the square before the turn.
        Owner = "owner",
    }
}
