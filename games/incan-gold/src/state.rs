//! A position.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::AddAssign;

use serde::{Serialize, Serializer};

use crate::card::Card;
use crate::variant::{MAX_CARDS, MAX_SEATS};

/// A position. The default has no explorers and no cards.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct State {
    /// Cards not drawn in this round, as bits of the pack.
    pub(crate) deck: u64,
    /// Cards in the deck when the round began, as bits of the pack.
    pub(crate) pack: u64,
    pub(crate) path: Path,
    /// Round, from 1; after the game, one more than the number of rounds.
    pub(crate) round: u8,
    /// Number of turns of earlier rounds.
    pub(crate) turns: u16,
    /// Number of decisions in earlier rounds, plus those of explorers who have left in this round.
    pub(crate) decisions: u32,
    /// Hazard kinds on the path, as bits.
    pub(crate) seen: u8,
    pub(crate) busts: u8,
    pub(crate) claimed: u8,
    /// Number of artifacts that left the game unclaimed.
    pub(crate) lost_artifacts: u8,
    pub(crate) explorers: u16,
    /// Seats that explore, as bits.
    pub(crate) exploring: u16,
    /// Seats that owe a decision, as bits.
    pub(crate) owing: u16,
    /// Seats that have decided to leave, as bits.
    pub(crate) leaving: u16,
    /// Safe points, by seat.
    pub(crate) tents: [u32; MAX_SEATS],
    /// Number of artifacts claimed, by seat.
    pub(crate) artifacts: [u8; MAX_SEATS],
    /// Number of rounds in which the seat lost its backpack.
    pub(crate) busted: [u8; MAX_SEATS],
    /// Used only with `leftovers=by_card`.
    #[serde(skip_serializing_if = "CardLeftovers::is_unused")]
    pub(crate) leftovers: CardLeftovers,
}

impl State {
    /// Divides the gems on each card of the path among the leavers, who must still count as explorers.
    /// Returns each leaver's share.
    #[cold]
    pub(crate) fn divide_by_card(&mut self, leavers: u32) -> u32 {
        self.leftovers.note(self.path.cards(), self.explorers.into());
        self.leftovers.divide(leavers)
    }
}

/// Gems on each card of the path. They are recorded when an explorer leaves. Before that, they are the
/// remainders of the explorers' shares.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct CardLeftovers {
    /// Four bits per card. A card has fewer gems than there are explorers, of whom there are at most 16.
    gems: [u64; MAX_CARDS / CARDS_IN_A_WORD],
    /// Number of cards recorded.
    noted: u8,
}

const CARDS_IN_A_WORD: usize = 16;

impl CardLeftovers {
    fn is_unused(&self) -> bool {
        *self == Self::default()
    }

    fn get(&self, card: usize) -> u32 {
        (self.gems[card / CARDS_IN_A_WORD] >> (4 * (card % CARDS_IN_A_WORD)) & 15) as u32
    }

    fn set(&mut self, card: usize, gems: u32) {
        let (word, shift) = (&mut self.gems[card / CARDS_IN_A_WORD], 4 * (card % CARDS_IN_A_WORD));
        *word = *word & !(15 << shift) | u64::from(gems) << shift;
    }

    fn note(&mut self, path: &[Card], explorers: u32) {
        for (number, card) in path.iter().enumerate().skip(self.noted.into()) {
            if let Card::Gem(value) = card {
                self.set(number, u32::from(*value) % explorers);
            }
        }
        self.noted = path.len() as u8;
    }

    /// Divides the gems of all cards, which must be recorded. Returns each leaver's share.
    fn divide(&mut self, leavers: u32) -> u32 {
        let mut share = 0;
        for card in 0..usize::from(self.noted) {
            let gems = self.get(card);
            share += gems / leavers;
            self.set(card, gems % leavers);
        }
        share
    }

    /// The gems on each card of this path, if there are `explorers` explorers.
    pub(crate) fn of(&self, path: &[Card], explorers: u32) -> impl Iterator<Item = u32> {
        path.iter().enumerate().map(move |(number, card)| match card {
            _ if number < self.noted.into() => self.get(number),
            Card::Gem(value) => u32::from(*value) % explorers,
            _ => 0,
        })
    }
}

/// The cards on the path, in the order of drawing, and their total yield.
#[derive(Clone)]
pub(crate) struct Path {
    pub(crate) haul: Haul,
    cards: [Card; MAX_CARDS],
}

/// The yield of the cards on the path, minus the gems and artifacts taken away. All explorers have seen the
/// same cards, so one backpack serves for all. The four numbers have one size, so a card can be added to all
/// of them at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Haul {
    /// Gems in the backpack of each explorer.
    pub(crate) backpack: u32,
    /// Gems left on the path.
    pub(crate) spare: u32,
    /// Artifacts that lie on the path.
    pub(crate) artifacts: u32,
    pub(crate) cards: u32,
}

impl AddAssign for Haul {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.backpack += other.backpack;
        self.spare += other.spare;
        self.artifacts += other.artifacts;
        self.cards += other.cards;
    }
}

impl Path {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.haul = Haul::default();
    }

    /// Appends a card that yields `haul`; `haul.cards` must be 1.
    #[inline]
    pub(crate) fn push(&mut self, card: Card, haul: Haul) {
        self.cards[self.haul.cards as usize % MAX_CARDS] = card;
        self.haul += haul;
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.haul.cards
    }

    pub(crate) fn cards(&self) -> &[Card] {
        &self.cards[..self.haul.cards as usize]
    }
}

impl Default for Path {
    fn default() -> Self {
        Self { haul: Haul::default(), cards: [Card::Artifact; MAX_CARDS] }
    }
}

// Equality and hash skip entries beyond the length, which are left from earlier rounds.
impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.haul == other.haul && self.cards() == other.cards()
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.haul.hash(hasher);
        self.cards().hash(hasher);
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.cards())
    }
}
