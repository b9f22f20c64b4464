//! What happens, as it is told. Who may see which event is decided where it is told, in the rules.

use std::fmt;

use meeple_core::{Audience, EventSink, Level, Seat};
use serde::Serialize;

use crate::goods::{PRODUCTS, Product};
use crate::ship::Class;
use crate::wind::{Heading, Wind};

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The order of the seats was drawn. Public.
    Order {
        /// Seats in the order of play.
        seats: Vec<Seat>,
    },
    /// A ship was fitted out. Public.
    Fitted {
        /// Whose ship.
        seat: Seat,
        /// Letter of the port.
        port: char,
    },
    /// A seat sees the prices of a port for the first time. Its own.
    Prices {
        /// Who sees them.
        seat: Seat,
        /// Letter of the port.
        port: char,
        /// By product.
        prices: [u16; PRODUCTS],
    },
    /// A round begins. Public.
    RoundBegan {
        /// Its number, from 1.
        round: u32,
    },
    /// A turn begins. Public.
    Wind {
        /// Whose turn.
        seat: Seat,
        /// Round, from 1.
        round: u32,
        /// Direction.
        wind: Wind,
        /// Power.
        power: u8,
    },
    /// A ship sailed one cell. Public.
    Moved {
        /// Whose ship.
        seat: Seat,
        /// Where to.
        heading: Heading,
    },
    /// A purchase. Its own.
    Bought {
        /// Who.
        seat: Seat,
        /// What.
        product: Product,
        /// How many.
        units: u16,
        /// Price of one.
        price: u16,
    },
    /// A sale. Its own.
    Sold {
        /// Who.
        seat: Seat,
        /// What.
        product: Product,
        /// How many.
        units: u16,
        /// Price of one.
        price: u16,
    },
    /// A new ship. Public.
    Upgraded {
        /// Who.
        seat: Seat,
        /// New class.
        class: Class,
    },
    /// A fight begins. Public.
    Attacked {
        /// The initiator.
        seat: Seat,
        /// The defender.
        defender: Seat,
        /// Distance between them.
        distance: u8,
    },
    /// Mounted cannons of both sides. For both.
    FightPoints {
        /// Initiator and defender.
        seats: [Seat; 2],
        /// Their fight points.
        points: [u8; 2],
    },
    /// The fight dice were rolled. Public.
    Rolled {
        /// Dice of initiator and defender.
        dice: [u8; 2],
        /// Fight points taken from both by this roll.
        lost: [u8; 2],
        /// Distance after it.
        distance: u8,
    },
    /// A defender who closed up sailed (option). Public.
    ClosedUp {
        /// Whose ship.
        seat: Seat,
        /// Where to.
        heading: Heading,
    },
    /// A ship sank. Public.
    Sunk {
        /// Whose ship.
        seat: Seat,
        /// Who won.
        winner: Seat,
    },
    /// What the winner took. For both.
    Looted {
        /// The winner.
        seat: Seat,
        /// The loser.
        loser: Seat,
        /// Money.
        money: i64,
        /// Units by product.
        units: [u16; PRODUCTS],
    },
    /// A unit was thrown overboard. Its own.
    Discarded {
        /// Who.
        seat: Seat,
        /// What.
        product: Product,
    },
    /// A seat is out for good. Public.
    Out {
        /// Who.
        seat: Seat,
    },
    /// The game is over. Public.
    Over {
        /// Why.
        end: &'static str,
    },
}

impl Event {
    /// Who watches by rounds wants to know of new ships and sunk ones, too; the arithmetic of fights is small
    /// print.
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

/// Where the events of the game go.
pub(crate) trait Events: EventSink<Event> {
    /// Everybody may see it.
    #[inline]
    fn tell(&mut self, event: impl FnOnce() -> Event) {
        self.emit(Audience::All, event);
    }

    /// Nobody else may see it.
    #[inline]
    fn tell_only(&mut self, seat: Seat, event: impl FnOnce() -> Event) {
        self.emit(Audience::only(seat), event);
    }
}

impl<T: EventSink<Event>> Events for T {}
