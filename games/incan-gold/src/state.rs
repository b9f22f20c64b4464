//! A position.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Serialize, Serializer};

use crate::card::Card;
use crate::variant::{MAX_CARDS, MAX_SEATS};

/// A position of Incan Gold.
///
/// Everybody who explores has seen the same cards since the round began, so one number is the backpack of
/// every explorer.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct State {
    /// Cards not drawn this round.
    pub(crate) deck: u64,
    /// Cards that were in the deck when the round began.
    pub(crate) pack: u64,
    /// Cards on the path, in order.
    pub(crate) path: Path,
    /// Round, from 1; one more than the variant's rounds when the game is over.
    pub(crate) round: u8,
    /// Turns of the rounds before this one.
    pub(crate) turns: u16,
    /// Decisions of this round and those before it, made by seats that no longer explore.
    pub(crate) decisions: u32,
    /// Hazard kinds on the path, as bits.
    pub(crate) seen: u8,
    /// Rounds that ended in a bust.
    pub(crate) busts: u8,
    /// Artifacts that lie on the path.
    pub(crate) path_artifacts: u8,
    /// Artifacts claimed in the game.
    pub(crate) claimed: u8,
    /// Artifacts that left the game unclaimed.
    pub(crate) lost_artifacts: u8,
    /// Number of explorers.
    pub(crate) explorers: u16,
    /// Who explores, as bits.
    pub(crate) exploring: u16,
    /// Who owes a decision.
    pub(crate) owing: u16,
    /// Who has decided to leave.
    pub(crate) leaving: u16,
    /// Gems in the backpack of each explorer.
    pub(crate) backpack: u32,
    /// Gems left on the path.
    pub(crate) spare: u32,
    /// Points that are safe, by seat.
    pub(crate) tents: [u32; MAX_SEATS],
    /// Artifacts claimed, by seat.
    pub(crate) artifacts: [u8; MAX_SEATS],
    /// Rounds in which the seat lost its backpack.
    pub(crate) busted: [u8; MAX_SEATS],
}

/// The cards on the path, in the order they were drawn.
#[derive(Clone)]
pub(crate) struct Path {
    length: u8,
    cards: [Card; MAX_CARDS],
}

impl Path {
    pub(crate) const EMPTY: Path = Path { length: 0, cards: [Card::Artifact; MAX_CARDS] };

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, card: Card) {
        self.cards[usize::from(self.length) % MAX_CARDS] = card;
        self.length += 1;
    }

    /// Number of cards.
    #[inline]
    pub(crate) fn len(&self) -> u8 {
        self.length
    }

    pub(crate) fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.length)]
    }
}

// What lies beyond the length is left over from earlier rounds and does not count.
impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.cards() == other.cards()
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
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
