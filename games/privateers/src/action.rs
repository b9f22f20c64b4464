//! What a seat decides.

use std::fmt;
use std::str::FromStr;

use meeple_core::Seat;

use crate::goods::Product;
use crate::ship::Class;
use crate::variant::MAX_SEATS;
use crate::wind::Heading;

/// Ids below this one do not depend on the number of seats; `FIRST_ATTACK + s` attacks seat `s`.
pub const FIRST_ATTACK: u32 = 44;

/// One decision. The order is that of the ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Action {
    /// Ends the turn.
    #[default]
    EndTurn,
    /// Sails one cell.
    Move(Heading),
    /// Buys one unit.
    Buy(Product),
    /// Sells one unit.
    Sell(Product),
    /// Buys a ship of a higher class: galleon or frigate.
    BuyShip(Class),
    /// Throws one unit overboard after a fight.
    Discard(Product),
    /// Comes back with a fresh ship.
    Respawn,
    /// Stays out for good.
    Retire,
    /// Buys as many units as money and room allow.
    BuyMax(Product),
    /// Sells all units.
    SellAll(Product),
    /// Attacks the ship of a seat.
    Attack(Seat),
}

impl Action {
    /// The dense id: see the rules, §6.
    #[inline]
    pub const fn id(self) -> u32 {
        match self {
            Self::EndTurn => 0,
            Self::Move(heading) => 1 + heading as u32,
            Self::Buy(product) => 5 + product as u32,
            Self::Sell(product) => 12 + product as u32,
            // A schooner cannot be bought; it shares the galleon's id, and is never listed.
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
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndTurn => f.write_str("end"),
            Self::Move(heading) => write!(f, "move {heading}"),
            Self::Buy(product) => write!(f, "buy {product}"),
            Self::Sell(product) => write!(f, "sell {product}"),
            Self::BuyShip(class) => write!(f, "buy {class}"),
            Self::Discard(product) => write!(f, "discard {product}"),
            Self::Respawn => f.write_str("respawn"),
            Self::Retire => f.write_str("retire"),
            Self::BuyMax(product) => write!(f, "buy-max {product}"),
            Self::SellAll(product) => write!(f, "sell-all {product}"),
            Self::Attack(seat) => write!(f, "attack {seat}"),
        }
    }
}

const FORMS: &str = "end, move DIRECTION, buy PRODUCT, sell PRODUCT, buy-max PRODUCT, sell-all PRODUCT, \
                     buy galleon, buy frigate, attack SEAT, discard PRODUCT, respawn, retire";

impl FromStr for Action {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        match (verb, rest) {
            ("end", "") => Ok(Self::EndTurn),
            ("respawn", "") => Ok(Self::Respawn),
            ("retire", "") => Ok(Self::Retire),
            ("move", heading) => heading.parse().map(Self::Move),
            ("buy", "galleon") => Ok(Self::BuyShip(Class::Galleon)),
            ("buy", "frigate") => Ok(Self::BuyShip(Class::Frigate)),
            ("buy", "schooner") => Ok(Self::BuyShip(Class::Schooner)),
            ("buy", product) => product.parse().map(Self::Buy),
            ("sell", product) => product.parse().map(Self::Sell),
            ("discard", product) => product.parse().map(Self::Discard),
            ("buy-max", product) => product.parse().map(Self::BuyMax),
            ("sell-all", product) => product.parse().map(Self::SellAll),
            ("attack", seat) => seat
                .parse::<usize>()
                .ok()
                .filter(|index| *index < MAX_SEATS)
                .map(|index| Self::Attack(Seat::new(index)))
                .ok_or_else(|| format!("expected a seat from 0 to {}, found '{seat}'", MAX_SEATS - 1)),
            _ => Err(format!("expected one of: {FORMS}; found '{text}'")),
        }
    }
}
