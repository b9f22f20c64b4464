//! The events of the game and their texts. The rules decide which viewers see each event.

use std::fmt;

use meeple_core::{Audience, EventSink, Level, Seat};
use serde::Serialize;

use crate::goods::{PRODUCTS, Product};
use crate::ship::Class;
use crate::wind::{Heading, Wind};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The seats in the order of play. Public.
    Order { seats: Vec<Seat> },
    /// A ship was fitted out in the port with this letter. Public.
    Fitted { seat: Seat, port: char },
    /// A seat sees the prices of the port with this letter for the first time. Private to the seat.
    Prices { seat: Seat, port: char, prices: [u16; PRODUCTS] },
    /// A round begins, counted from 1. Public.
    RoundBegan { round: u32 },
    /// A turn begins, in a round counted from 1. Public.
    Wind { seat: Seat, round: u32, wind: Wind, power: u8 },
    /// A ship sailed one cell. Public.
    Moved { seat: Seat, heading: Heading },
    /// A purchase, with the price of one unit. Private to the seat.
    Bought { seat: Seat, product: Product, units: u16, price: u16 },
    /// A sale, with the price of one unit. Private to the seat.
    Sold { seat: Seat, product: Product, units: u16, price: u16 },
    /// A seat bought a ship of a higher class. Public.
    Upgraded { seat: Seat, class: Class },
    /// A fight begins. Public.
    Attacked { seat: Seat, defender: Seat, distance: u8 },
    /// The mounted cannons of initiator and defender. Visible to both fighters.
    FightPoints { seats: [Seat; 2], points: [u8; 2] },
    /// The fight dice of initiator and defender, the fight points that each loses, and the distance after the
    /// roll. Public.
    Rolled { dice: [u8; 2], lost: [u8; 2], distance: u8 },
    /// With physical closing, the defender's ship sailed one cell towards the initiator. Public.
    ClosedUp { seat: Seat, heading: Heading },
    /// A ship sank. Public.
    Sunk { seat: Seat, winner: Seat },
    /// The loot of the winner (`seat`), with units by product. Visible to both fighters.
    Looted { seat: Seat, loser: Seat, money: i64, units: [u16; PRODUCTS] },
    /// A unit was thrown overboard. Private to the seat.
    Discarded { seat: Seat, product: Product },
    /// A seat was eliminated. Public.
    Out { seat: Seat },
    /// The game is over. Public.
    Over { end: &'static str },
}

impl Event {
    /// Verbosity level. New and sunk ships belong to the summary by rounds; points and dice of fights are
    /// details.
    pub(crate) fn level(&self) -> Level {
        match self {
            Self::RoundBegan { .. } | Self::Upgraded { .. } | Self::Sunk { .. } | Self::Out { .. } => {
                Level::Round
            }
            Self::FightPoints { .. } | Self::Rolled { .. } => Level::Detail,
            _ => Level::Turn,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order { seats } => {
                f.write_str("order of play:")?;
                seats.iter().try_for_each(|seat| write!(f, " {seat}"))
            }
            Self::Fitted { seat, port } => write!(f, "seat {seat} fits out a schooner in {port}"),
            Self::Prices { seat, port, prices } => {
                write!(f, "seat {seat} sees the prices of {port}:")?;
                let mut pairs = Product::ALL.iter().zip(prices);
                pairs.try_for_each(|(product, price)| write!(f, " {product} {price}"))
            }
            Self::RoundBegan { round } => write!(f, "round {round} begins"),
            Self::Wind { seat, round, wind, power } => match wind {
                Wind::Calm => write!(f, "round {round}, seat {seat}: no wind"),
                Wind::Fickle => write!(f, "round {round}, seat {seat}: fickle wind, power {power}"),
                _ => write!(f, "round {round}, seat {seat}: {wind} wind, power {power}"),
            },
            Self::Moved { seat, heading } => write!(f, "seat {seat} sails {heading}"),
            Self::Bought { seat, product, units, price } => {
                write!(f, "seat {seat} buys {units} {product} at {price}")
            }
            Self::Sold { seat, product, units, price } => {
                write!(f, "seat {seat} sells {units} {product} at {price}")
            }
            Self::Upgraded { seat, class } => write!(f, "seat {seat} buys a {class}"),
            Self::Attacked { seat, defender, distance } => {
                write!(f, "seat {seat} attacks seat {defender} at distance {distance}")
            }
            Self::FightPoints { seats, points } => {
                let ([a, b], [left, right]) = (seats, points);
                write!(f, "seat {a} has {left} fight points, seat {b} has {right}")
            }
            Self::Rolled { dice, lost, distance } => {
                write!(f, "dice {}:{}", dice[0], dice[1])?;
                match lost {
                    [0, 0] => f.write_str(", no hit")?,
                    [0, hit] => write!(f, ", the defender loses {hit}")?,
                    [hit, _] => write!(f, ", the attacker loses {hit}")?,
                }
                write!(f, ", distance {distance}")
            }
            Self::ClosedUp { seat, heading } => write!(f, "seat {seat} closes up {heading}"),
            Self::Sunk { seat, winner } => write!(f, "seat {seat} is sunk by seat {winner}"),
            Self::Looted { seat, loser, money, units } => {
                write!(f, "seat {seat} takes from seat {loser}: {money} $")?;
                let pairs = Product::ALL.iter().zip(units).filter(|(_, units)| **units > 0);
                pairs.into_iter().try_for_each(|(product, units)| write!(f, ", {units} {product}"))
            }
            Self::Discarded { seat, product } => write!(f, "seat {seat} throws one {product} overboard"),
            Self::Out { seat } => write!(f, "seat {seat} is out"),
            Self::Over { end } => write!(f, "the game is over: {end}"),
        }
    }
}

pub(crate) trait Events: EventSink<Event> {
    /// Sends an event to all viewers.
    #[inline]
    fn tell(&mut self, event: impl FnOnce() -> Event) {
        self.emit(Audience::All, event);
    }

    /// Sends an event to this seat alone.
    #[inline]
    fn tell_only(&mut self, seat: Seat, event: impl FnOnce() -> Event) {
        self.emit(Audience::only(seat), event);
    }
}

impl<T: EventSink<Event>> Events for T {}
