//! The actions of a seat.

use meeple_core::{Seat, wording};

use crate::goods::Product;
use crate::ship::Class;
use crate::variant::MAX_SEATS;
use crate::wind::Heading;

/// The first id that depends on the number of seats: `FIRST_ATTACK + s` attacks seat `s`.
pub const FIRST_ATTACK: u32 = 44;

wording! {
    /// One decision. Actions are ordered by their ids.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Action {
        #[default]
        EndTurn = "end",
        Move(direction: Heading) = "move {direction}",
        Buy(product: Product) = "buy {product}",
        Sell(product: Product) = "sell {product}",
        /// Buys a ship of a higher class: galleon or frigate.
        BuyShip(class: Class) = "buy {class}",
        Discard(product: Product) = "discard {product}",
        Respawn = "respawn",
        Retire = "retire",
        BuyMax(product: Product) = "buy-max {product}",
        SellAll(product: Product) = "sell-all {product}",
        Attack(seat: Seat [..Seat::new(MAX_SEATS)]) = "attack {seat}",
    }
}

impl Action {
    /// The dense id; RULES.md, §6, lists all ids.
    #[inline]
    pub const fn id(self) -> u32 {
        match self {
            Self::EndTurn => 0,
            Self::Move(heading) => 1 + heading as u32,
            Self::Buy(product) => 5 + product as u32,
            Self::Sell(product) => 12 + product as u32,
            // A schooner cannot be bought. It shares the galleon's id, and the rules never list it.
            Self::BuyShip(Class::Schooner | Class::Galleon) => 19,
            Self::BuyShip(Class::Frigate) => 20,
            Self::Discard(product) => 21 + product as u32,
            Self::Respawn => 28,
            Self::Retire => 29,
            Self::BuyMax(product) => 30 + product as u32,
            Self::SellAll(product) => 37 + product as u32,
            Self::Attack(seat) => FIRST_ATTACK + seat.index() as u32,
        }
    }

    /// The action with this id, if there is one.
    #[inline]
    pub const fn of_id(id: u32) -> Option<Self> {
        let number = id as usize;
        Some(match id {
            0 => Self::EndTurn,
            1..=4 => Self::Move(Heading::ALL[number - 1]),
            5..=11 => Self::Buy(Product::new(number - 5)),
            12..=18 => Self::Sell(Product::new(number - 12)),
            19 => Self::BuyShip(Class::Galleon),
            20 => Self::BuyShip(Class::Frigate),
            21..=27 => Self::Discard(Product::new(number - 21)),
            28 => Self::Respawn,
            29 => Self::Retire,
            30..=36 => Self::BuyMax(Product::new(number - 30)),
            37..FIRST_ATTACK => Self::SellAll(Product::new(number - 37)),
            _ if number < FIRST_ATTACK as usize + MAX_SEATS => {
                Self::Attack(Seat::new(number - FIRST_ATTACK as usize))
            }
            _ => return None,
        })
    }
}
