//! Events, for logs, records and bots.

use std::fmt;

use serde::Serialize;

use crate::card::Card;

/// An event. All events are public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A round began, counted from 1.
    RoundStarted { round: u8 },
    /// A card was drawn in turn `turn`, from 1. Each explorer put `share` gems into the backpack; `spare`
    /// gems now lie on the path.
    CardDrawn { turn: u8, card: Card, share: u32, spare: u32 },
    /// The second hazard of a kind was drawn: `seats` lost their backpacks.
    Busted { card: Card, seats: Vec<u16> },
    /// Explorers left. Each brought `gems` to the tent, including a share of the spare gems.
    /// `artifacts` is the points for artifacts, which only a lone leaver gets.
    Left { seats: Vec<u16>, gems: u32, artifacts: u32 },
    /// The deck was empty, so the remaining explorers walked out together.
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
