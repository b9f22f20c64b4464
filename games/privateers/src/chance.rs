//! The outcomes that chance draws.

use meeple_core::{Permutation, wording};

use crate::goods::Product;
use crate::map::MAX_PORTS;
use crate::variant::{DIE, MAX_SEATS};
use crate::wind::Wind;

wording! {
    /// One chance outcome. Its text form is its id in replays.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum Chance {
        Order(order: Permutation<MAX_SEATS>) = "order {order}",
        /// By port: the place of its price in the sorted list of prices of a product.
        Prices(product: Product, ranks: Permutation<MAX_PORTS>) = "prices {product} {ranks}",
        /// The port at which a ship is fitted out, by its number.
        Port(port: u8 [..MAX_PORTS as u8]) = "port {port}",
        Wind(wind: Wind, power: u8 [1..=DIE]) = "wind {wind} {power}",
        /// Fight dice of initiator and defender.
        Roll(initiator: u8 [1..=DIE], defender: u8 [1..=DIE]) = "roll {initiator} {defender}",
    }
}
