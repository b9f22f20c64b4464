//! Cards, and the pack: the assignment of cards to the bits of a 64-bit set.

use std::fmt;
use std::str::FromStr;

use meeple_core::{MemberDraws, Stream};
use serde::{Serialize, Serializer};

use crate::variant::{MAX_CARDS, MAX_HAZARD_KINDS, Variant, Worth};

/// Upper bound on artifacts of a variant, rounded up so that an index needs no check.
const MAX_ARTIFACTS: usize = 31;

/// Names of the hazard kinds, in order.
const HAZARDS: [&str; MAX_HAZARD_KINDS] =
    ["fire", "mummy", "rocks", "snake", "spiders", "flood", "thorns", "darts"];

/// A card as it lies on the path. Text forms: `gem:11`, a hazard's name, `artifact`, or `artifact:7` with a
/// printed worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Card {
    Gem(u16),
    /// A hazard of this kind, from 0.
    Hazard(u8),
    Artifact,
    /// An artifact with this printed worth.
    PrintedArtifact(u16),
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gem(value) => write!(f, "gem:{value}"),
            Self::Hazard(kind) => f.write_str(HAZARDS[usize::from(*kind)]),
            Self::Artifact => f.write_str("artifact"),
            Self::PrintedArtifact(worth) => write!(f, "artifact:{worth}"),
        }
    }
}

impl FromStr for Card {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "artifact" {
            return Ok(Self::Artifact);
        }
        if let Some(kind) = HAZARDS.iter().position(|name| *name == text) {
            return Ok(Self::Hazard(kind as u8));
        }
        let number = |prefix: &str| text.strip_prefix(prefix).and_then(|value| value.parse().ok());
        let printed = || number("artifact:").map(Self::PrintedArtifact);
        number("gem:").map(Self::Gem).or_else(printed).ok_or_else(|| {
            format!("expected gem:VALUE, artifact, artifact:WORTH or a hazard's name, found '{text}'")
        })
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The cards of a variant as bits: gems by ascending value, then hazards by kind, then artifacts.
///
/// Equal cards are adjacent bits. Cards are always taken from the bottom of their group, so a set has the
/// highest bits of each group. Thus each multiset of cards has exactly one set of bits.
#[derive(Clone, Debug)]
pub(crate) struct Pack {
    cards: [Card; MAX_CARDS],
    /// The bits of all cards equal to each card.
    group: [u64; MAX_CARDS],
    gems_and_hazards: u64,
    gems: u64,
    hazard_kinds: u32,
    hazard_copies: u32,
    size: usize,
    /// By count: the bits of that number of artifacts.
    artifacts: [u64; MAX_ARTIFACTS + 1],
    /// The bit of the first artifact, which is the number of all other cards.
    first_artifact: u32,
}

/// The lowest `count` bits.
const fn low_bits(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl Pack {
    pub(crate) fn new(variant: &Variant) -> Self {
        let mut gems = variant.gems.clone();
        gems.sort_unstable();
        let hazards = (0..variant.hazard_kinds)
            .flat_map(|kind| (0..variant.hazard_copies).map(move |_| Card::Hazard(kind)));
        let list: Vec<Card> = gems
            .into_iter()
            .map(Card::Gem)
            .chain(hazards)
            .chain(variant.artifact_values.iter().map(|value| match variant.worth {
                Worth::Order => Card::Artifact,
                Worth::Printed => Card::PrintedArtifact(*value),
            }))
            .collect();
        let mut cards = [Card::Artifact; MAX_CARDS];
        cards[..list.len()].copy_from_slice(&list);
        let mut group = [0; MAX_CARDS];
        for (index, card) in list.iter().enumerate() {
            group[index] =
                list.iter().enumerate().filter(|(_, other)| *other == card).map(|(bit, _)| 1 << bit).sum();
        }
        let first_artifact = (list.len() - variant.artifacts()) as u32;
        let mut artifacts = [0; MAX_ARTIFACTS + 1];
        for (count, bits) in artifacts.iter_mut().enumerate().take(variant.artifacts() + 1) {
            *bits = low_bits(count as u32).checked_shl(first_artifact).unwrap_or(0);
        }
        Self {
            cards,
            group,
            gems_and_hazards: low_bits(first_artifact),
            gems: low_bits(variant.gems.len() as u32),
            hazard_kinds: variant.hazard_kinds.into(),
            hazard_copies: variant.hazard_copies.into(),
            size: list.len(),
            artifacts,
            first_artifact,
        }
    }

    pub(crate) fn cards(&self) -> usize {
        self.size
    }

    pub(crate) fn gems(&self) -> u64 {
        self.gems
    }

    /// The bits of the cards of each hazard kind.
    pub(crate) fn hazards(&self) -> impl Iterator<Item = u64> {
        let first = self.gems.count_ones();
        let copies = self.hazard_copies;
        (0..self.hazard_kinds).map(move |kind| low_bits(copies) << ((first + kind * copies) % 64))
    }

    /// Draws a uniform card from a set, and returns its bit. The set must have a card, and at most the first
    /// `artifacts` artifacts.
    #[inline]
    pub(crate) fn draw(&self, set: u64, artifacts: u32, stream: &mut Stream) -> u32 {
        stream.member(set, self.first_artifact + artifacts)
    }

    /// A sequence of draws like those of [`draw`](Self::draw).
    #[inline]
    pub(crate) fn draws(&self, artifacts: u32, stream: Stream) -> MemberDraws {
        MemberDraws::new(stream, self.first_artifact + artifacts)
    }

    #[inline]
    pub(crate) fn gems_and_hazards(&self) -> u64 {
        self.gems_and_hazards
    }

    /// The cards of a set without its artifacts.
    #[inline]
    pub(crate) fn without_artifacts(&self, set: u64) -> u64 {
        set & self.gems_and_hazards
    }

    #[inline]
    pub(crate) fn artifacts(&self, count: u32) -> u64 {
        self.artifacts[count as usize % self.artifacts.len()]
    }

    /// The bit of the `number`-th artifact to enter the deck, counted from 1.
    pub(crate) fn nth_artifact(&self, number: u32) -> u64 {
        self.artifacts(number) & !self.artifacts(number - 1)
    }

    #[cold]
    pub(crate) fn printed_worth(&self, set: u64) -> u32 {
        let worth = |bit| match self.card(bit) {
            Card::PrintedArtifact(worth) => u32::from(worth),
            _ => 0,
        };
        bits(set & !self.gems_and_hazards).map(worth).sum()
    }

    #[inline]
    pub(crate) fn card(&self, bit: u32) -> Card {
        self.cards[bit as usize % MAX_CARDS]
    }

    /// The lowest bit of the cards equal to the card at `bit`; 0 if there is no card at `bit`.
    pub(crate) fn foot(&self, bit: u32) -> u64 {
        let group = self.group[bit as usize % MAX_CARDS];
        group & group.wrapping_neg()
    }

    /// A bit of `set` whose card equals this one.
    pub(crate) fn find(&self, set: u64, card: Card) -> Option<u32> {
        bits(set).find(|bit| self.card(*bit) == card)
    }

    /// The distinct cards of a set with their counts, in order of their bits.
    pub(crate) fn tally(&self, set: u64) -> impl Iterator<Item = (Card, u32)> + Clone + '_ {
        bits(set).filter_map(move |bit| {
            let group = set & self.group[bit as usize];
            (group.trailing_zeros() == bit).then(|| (self.card(bit), group.count_ones()))
        })
    }
}

/// The members of a set, lowest first.
#[inline]
pub(crate) fn bits(set: u64) -> Bits {
    Bits(set)
}

#[derive(Clone)]
pub(crate) struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
