//! The outcomes of chance.

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
        /// The ranks of the ports' prices of a product: per port, the index in the sorted price list.
        Prices(product: Product, ranks: Permutation<MAX_PORTS>) = "prices {product} {ranks}",
        /// The number of the port where a ship is fitted out.
        Port(port: u8 [..MAX_PORTS as u8]) = "port {port}",
        Wind(wind: Wind, power: u8 [1..=DIE]) = "wind {wind} {power}",
        /// The fight dice of initiator and defender.
        Roll(initiator: u8 [1..=DIE], defender: u8 [1..=DIE]) = "roll {initiator} {defender}",
    }
}
