//! What chance draws.

use std::fmt;
use std::str::FromStr;

use crate::goods::Product;
use crate::map::MAX_PORTS;
use crate::variant::{DIE, MAX_SEATS};
use crate::wind::Wind;

/// A permutation of up to `N` small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Permutation<const N: usize> {
    length: u8,
    items: [u8; N],
}

impl<const N: usize> Permutation<N> {
    /// The numbers `0..length` in order.
    ///
    /// # Panics
    /// If `length` is above `N`.
    pub fn identity(length: usize) -> Self {
        assert!(length <= N, "a permutation of at most {N} numbers");
        let mut items = [0; N];
        for (position, item) in items[..length].iter_mut().enumerate() {
            *item = position as u8;
        }
        Self { length: length as u8, items }
    }

    /// The numbers.
    pub fn items(&self) -> &[u8] {
        &self.items[..usize::from(self.length)]
    }

    pub(crate) fn items_mut(&mut self) -> &mut [u8] {
        &mut self.items[..usize::from(self.length)]
    }
}

impl<const N: usize> fmt::Display for Permutation<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, item) in self.items().iter().enumerate() {
            write!(f, "{}{item}", if position == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl<const N: usize> FromStr for Permutation<N> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("expected the numbers from 0 on, each once, separated by commas, found '{text}'");
        let numbers: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
        let numbers = numbers.map_err(|_| wrong())?;
        if numbers.len() > N {
            return Err(wrong());
        }
        let mut permutation = Self::identity(numbers.len());
        let mut seen = [false; N];
        for (item, number) in permutation.items_mut().iter_mut().zip(&numbers) {
            if *number >= numbers.len() || std::mem::replace(&mut seen[*number], true) {
                return Err(wrong());
            }
            *item = *number as u8;
        }
        Ok(permutation)
    }
}

/// One chance outcome. Its text form is its id in replays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Chance {
    /// The seats in the order of play.
    Order(Permutation<MAX_SEATS>),
    /// By port: the place of its price in the sorted list of prices of a product.
    Prices(Product, Permutation<MAX_PORTS>),
    /// The port at which a ship is fitted out, by its number.
    Port(u8),
    /// Direction and power of the wind.
    Wind(Wind, u8),
    /// Fight dice of initiator and defender.
    Roll(u8, u8),
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(order) => write!(f, "order {order}"),
            Self::Prices(product, ranks) => write!(f, "prices {product} {ranks}"),
            Self::Port(port) => write!(f, "port {port}"),
            Self::Wind(wind, power) => write!(f, "wind {wind} {power}"),
            Self::Roll(initiator, defender) => write!(f, "roll {initiator} {defender}"),
        }
    }
}

impl FromStr for Chance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split(' ').collect();
        let die = |text: &str| {
            let die = text.parse().ok().filter(|die| (1..=DIE).contains(die));
            die.ok_or_else(|| format!("expected a number from 1 to {DIE}, found '{text}'"))
        };
        match words[..] {
            ["order", order] => order.parse().map(Self::Order),
            ["prices", product, ranks] => Ok(Self::Prices(product.parse()?, ranks.parse()?)),
            ["port", port] => port
                .parse()
                .ok()
                .filter(|port| usize::from(*port) < MAX_PORTS)
                .map(Self::Port)
                .ok_or_else(|| format!("expected a port's number, found '{port}'")),
            ["wind", wind, power] => Ok(Self::Wind(wind.parse()?, die(power)?)),
            ["roll", initiator, defender] => Ok(Self::Roll(die(initiator)?, die(defender)?)),
            _ => Err(format!("expected order, prices, port, wind or roll with its numbers, found '{text}'")),
        }
    }
}
