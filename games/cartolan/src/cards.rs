//! The cards of the Advanced game: effects, names and numbers of copies.

use std::fmt;
use std::str::FromStr;

use meeple_core::{TextWriter, WriteText, choice};
use serde::{Serialize, Serializer};

choice! {
    pub enum Effect {
        Agents = "settler",
        Attack = "cannons",
        Bank = "courier",
        Damage = "grapnel",
        Defence = "escort",
        Downwind = "topsails",
        Upwind = "keel",
        Maps = "charts",
        Rewards = "surveyor",
        FreeRests = "guest",
    }
}

pub const EFFECTS: usize = Effect::ALL.len();

/// Capacity for carried map tiles: one for a named Adventurer, and one for a Technology.
pub const MAX_CHARTS: usize = 2;

impl Effect {
    pub const fn cards(self) -> &'static Cards {
        &CARDS_OF[self as usize]
    }
}

/// Cards with one effect.
#[derive(Debug)]
pub struct Cards {
    /// Numbers of copies: `[named Adventurers, Technologies]`.
    pub copies: [u8; 2],
    /// The title of an Adventurer with this card.
    pub person: &'static str,
    /// The name of the Technology.
    pub thing: &'static str,
    pub rule: &'static str,
}

const fn cards(copies: [u8; 2], [person, thing]: [&'static str; 2], rule: &'static str) -> Cards {
    Cards { copies, person, thing, rule }
}

const CARDS_OF: [Cards; EFFECTS] = [
    cards(
        [1, 1],
        ["the Settler", "Prefabricated House"],
        "place Agents on free tiles that lie already, from the Chest; rest at once where one was placed or restored",
    ),
    cards([1, 1], ["the Gunner", "Long Cannons"], "twice the chance in a conflict as attacker"),
    cards(
        [1, 1],
        ["the Paymaster", "Letters of Credit"],
        "beside any Agent, send wealth from the Chest to own Agents",
    ),
    cards(
        [1, 1],
        ["the Corsair", "Grapnels"],
        "a successful attack also sends the Adventurer home without its Chest, or removes the Agent",
    ),
    cards([2, 2], ["the Guardian", "Escort Ship"], "attackers must win one conflict more"),
    cards([2, 4], ["the Racer", "Topsails"], "one move more"),
    cards([2, 4], ["the Pilot", "Deep Keel"], "one upwind and one land move more"),
    cards([2, 4], ["the Chartmaker", "Old Charts"], "carry one map tile more, to be tried before any draw"),
    cards(
        [1, 1],
        ["the Surveyor", "Sounding Line"],
        "1 wealth for each water or land edge that a placed tile meets, but for the entry",
    ),
    cards([1, 1], ["the Guest", "Letters of Introduction"], "one free rest a turn at another player's Agent"),
];

/// A Discovery card: a Technology, or an event that happens at once. The text form is that of the effect, or
/// `sickness` or `season`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Card {
    Technology(Effect),
    /// Happens at once. Agents on tiles where the Adventurer has been since its last city are dispossessed.
    /// The Adventurer loses its Chest and is sent back, and all Vaults are halved.
    Sickness,
    /// Happens at once. The winds around the cities reverse.
    Season,
}

pub const CARDS: usize = EFFECTS + 2;

impl Card {
    /// The card with this index: Technologies in the order of their effects, then sickness and season.
    #[inline]
    pub fn from_index(index: usize) -> Card {
        match Effect::ALL.get(index) {
            Some(effect) => Card::Technology(*effect),
            None if index == EFFECTS => Card::Sickness,
            None => Card::Season,
        }
    }

    /// The index, for arrays by card.
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Card::Technology(effect) => effect.index(),
            Card::Sickness => EFFECTS,
            Card::Season => EFFECTS + 1,
        }
    }

    pub fn all() -> impl Iterator<Item = Card> {
        (0..CARDS).map(Card::from_index)
    }

    pub const fn word(self) -> &'static str {
        match self {
            Card::Technology(effect) => effect.word(),
            Card::Sickness => "sickness",
            Card::Season => "season",
        }
    }

    /// The effect of a Technology; `None` if the card happens at once.
    #[inline]
    pub const fn effect(self) -> Option<Effect> {
        match self {
            Card::Technology(effect) => Some(effect),
            _ => None,
        }
    }

    /// Number of these cards in the full deck.
    pub fn copies(self) -> u8 {
        self.effect().map_or(2, |effect| effect.cards().copies[1])
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl WriteText for Card {
    fn write_text(&self, text: &mut TextWriter<'_>) {
        text.push(self.word());
    }
}

impl FromStr for Card {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::all().find(|card| card.word() == text).ok_or_else(|| {
            let words: Vec<&str> = Self::all().map(Self::word).collect();
            format!("expected one of {}, found '{text}'", words.join(", "))
        })
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}
