//! What happened, as logs, records and bots get it.

use std::fmt;

use serde::Serialize;

use crate::card::Card;

/// Something that happened. Everything in Incan Gold happens in public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A round began.
    RoundStarted {
        /// Round, from 1.
        round: u8,
    },
    /// A card was revealed.
    CardDrawn {
        /// Turn of the round, from 1.
        turn: u8,
        /// The card.
        card: Card,
        /// Gems that each explorer put into the backpack.
        share: u32,
        /// Gems on the path after that.
        spare: u32,
    },
    /// The second hazard of a kind: all explorers lost their backpacks.
    Busted {
        /// The hazard.
        card: Card,
        /// The explorers.
        seats: Vec<u16>,
    },
    /// Explorers left, together.
    Left {
        /// Who.
        seats: Vec<u16>,
        /// Gems each brought to the tent, spare gems included.
        gems: u32,
        /// Points for artifacts; only who leaves alone takes them.
        artifacts: u32,
    },
    /// The deck was empty, so the last explorers walked out.
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
