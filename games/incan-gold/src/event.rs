//! Events, for logs, records and bots.

use std::fmt;

use serde::Serialize;

use crate::card::Card;

/// An event. All events of Incan Gold are public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A round began, counted from 1.
    RoundStarted { round: u8 },
    /// A card was drawn. `turn` counts from 1. `share` is the number of gems in each backpack after the card,
    /// `spare` the number of gems on the path.
    CardDrawn { turn: u8, card: Card, share: u32, spare: u32 },
    /// The second hazard of a kind was drawn, and `seats` lost their backpacks.
    Busted { card: Card, seats: Vec<u16> },
    /// Explorers left. `gems` is the number that each brought to the tent, including spare gems. Only a lone
    /// leaver gets points for artifacts.
    Left { seats: Vec<u16>, gems: u32, artifacts: u32 },
    /// The deck was empty, so the last explorers left.
    DeckEmpty,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |seats: &[u16]| {
            let names: Vec<String> = seats.iter().map(|seat| format!("seat {seat}")).collect();
            names.join(", ")
        };
        match self {
            Self::RoundStarted { round } => write!(f, "round {round} begins"),
            Self::CardDrawn { turn, card: card @ Card::Gem(_), share, spare } => {
                write!(f, "turn {turn}: {card}, {share} each, {spare} spare on the path")
            }
            Self::CardDrawn { turn, card, .. } => write!(f, "turn {turn}: {card}"),
            Self::Busted { card, seats } => {
                let lose = if seats.len() == 1 { "loses" } else { "lose" };
                write!(f, "second {card}! {} {lose} the backpack", list(seats))
            }
            Self::Left { seats, gems, artifacts: 0 } => match seats.len() {
                1 => write!(f, "{} leaves alone with {gems}", list(seats)),
                _ => write!(f, "{} leave with {gems} each", list(seats)),
            },
            Self::Left { seats, gems, artifacts } => {
                write!(f, "{} leaves alone with {gems} and artifacts worth {artifacts}", list(seats))
            }
            Self::DeckEmpty => write!(f, "no card is left: everybody walks out"),
        }
    }
}
