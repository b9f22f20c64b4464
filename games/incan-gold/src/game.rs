//! The game with its prepared tables.

use std::sync::{Arc, OnceLock};

use crate::card::{Card, Pack};
use crate::exact::{ExactError, Horizon, LastRound, Nash, Policy, Rules, Share, ShareError};
use crate::state::{Haul, State};
use crate::variant::{MAX_CARDS, MAX_SEATS, Variant, Worth};

#[derive(Clone, Debug)]
pub struct IncanGold {
    pub(crate) variant: Variant,
    pub(crate) seats: usize,
    /// All seats, as bits.
    pub(crate) everybody: u16,
    pub(crate) pack: Pack,
    /// The effect of each card: by number of explorers minus 1, then by bit.
    effects: Box<[[Effect; MAX_CARDS]; MAX_SEATS]>,
    /// `[m]`: total points of the first `m` artifacts claimed in the game.
    worth: [u32; 32],
    /// Quotients for encodings.
    pub(crate) shares: Shares,
    /// The best policy of a lone player, computed on first use.
    best_policy: OnceLock<Result<Arc<Policy>, ExactError>>,
    /// The equilibrium of two players, computed on first use.
    nash: OnceLock<Result<Arc<Nash>, ExactError>>,
    /// The equilibrium of the last round for two players who want to win.
    last_round: OnceLock<Result<Arc<LastRound>, ExactError>>,
    /// The equilibrium of players who maximise gems, with the text of values that it was computed from.
    share: OnceLock<(String, Arc<Share>)>,
}

/// A lookup table of quotients. Learners read about forty of them per decision, and divisions would take most
/// of the time.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    /// Worth of all gems and artifacts, at least 1: the most that a round can bring.
    haul: f32,
    /// Share of a haul, by number of gems.
    hauls: Box<[f32]>,
    /// Share of all cards, by number of cards.
    cards: Box<[f32]>,
    /// Share of all seats, by number of seats.
    seats: Box<[f32]>,
}

/// Stored values of starts of rounds, written by `exact`, for rules where computing them takes too long.
const KNOWN_VALUES: &[&str] = &[include_str!("../values/classic-2.values")];

/// Size of the table of hauls. Larger numbers of gems are rare and use a division.
const MAX_HAULS: usize = 2_048;

impl Shares {
    fn new(haul: u32, cards: usize, seats: usize) -> Self {
        let of = |count: usize, all: f32| (0..=count).map(|count| count as f32 / all).collect();
        let haul = haul.max(1) as f32;
        Self {
            haul,
            hauls: of(MAX_HAULS, haul),
            cards: of(cards, cards.max(1) as f32),
            seats: of(seats, seats as f32),
        }
    }

    /// Gems as a share of a haul.
    #[inline]
    pub(crate) fn haul(&self, gems: u32) -> f32 {
        match self.hauls.get(gems as usize) {
            Some(share) => *share,
            None => gems as f32 / self.haul,
        }
    }

    /// Cards as a share of all cards.
    #[inline]
    pub(crate) fn cards(&self, count: u32) -> f32 {
        self.cards[count as usize]
    }

    /// Seats as a share of all seats.
    #[inline]
    pub(crate) fn seats(&self, count: u32) -> f32 {
        self.seats[count as usize]
    }
}

/// The effect of revealing a card to a number of explorers. A lookup table is fast: it avoids a division by a
/// number unknown at compile time, and an unpredictable branch on the kind of card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    /// The lowest bit of the cards equal to this one.
    foot: u64,
    pub(crate) haul: Haul,
    pub(crate) card: Card,
    /// The hazard kind as a bit; 0 for other cards.
    pub(crate) hazard: u8,
}

impl Effect {
    fn new(pack: &Pack, bit: u32, explorers: u32) -> Self {
        let card = pack.card(bit);
        let (foot, mut hazard, mut haul) = (pack.foot(bit), 0, Haul { cards: 1, ..Haul::default() });
        match card {
            // R3.1: each explorer gets an equal share, and the rest stays on the path.
            Card::Gem(value) => {
                (haul.backpack, haul.spare) = (u32::from(value) / explorers, u32::from(value) % explorers);
            }
            Card::Hazard(kind) => hazard = 1 << kind,
            Card::Artifact | Card::PrintedArtifact(_) => haul.artifacts = 1, // R3.4
        }
        Self { foot, haul, card, hazard }
    }

    /// Removes a card equal to this one from a set, which must have one.
    #[inline]
    pub(crate) fn take_from(&self, set: u64) -> u64 {
        // Equal cards are adjacent, and the set has the uppermost of them. Subtracting the group's lowest bit
        // clears the set's lowest member and sets the absent bits below it; the mask clears these again.
        set & set.wrapping_sub(self.foot)
    }
}

impl IncanGold {
    /// Prepares the tables. The variant must have been checked.
    pub(crate) fn prepared(variant: Variant, seats: usize) -> Self {
        let mut worth = [0; 32];
        for (index, value) in variant.artifact_values.iter().enumerate() {
            worth[index + 1] = worth[index] + u32::from(*value);
        }
        let everybody = (u32::MAX >> (32 - seats as u32)) as u16;
        let pack = Pack::new(&variant);
        let effects = Box::new(std::array::from_fn(|explorers| {
            std::array::from_fn(|bit| Effect::new(&pack, bit as u32, explorers as u32 + 1))
        }));
        let haul = worth[variant.artifacts()] + variant.gems.iter().map(|gem| u32::from(*gem)).sum::<u32>();
        let shares = Shares::new(haul, pack.cards(), seats);
        let (best_policy, nash, last_round) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let share = OnceLock::new();
        Self { pack, effects, variant, seats, everybody, worth, shares, best_policy, nash, last_round, share }
    }

    /// The artifacts on the path, if each has a printed worth.
    pub(crate) fn artifacts_on_path(&self, state: &State) -> u64 {
        state.pack & !state.deck & !self.pack.gems_and_hazards()
    }

    /// Points that a lone leaver would get now for the artifacts on the path.
    #[inline]
    pub(crate) fn path_worth(&self, state: &State) -> u32 {
        match self.variant.worth {
            Worth::Order => self.artifact_worth(state.claimed, state.path.haul.artifacts),
            Worth::Printed => self.pack.printed_worth(self.artifacts_on_path(state)),
        }
    }

    /// Points for `count` artifacts, if one explorer claims them all now.
    #[inline]
    pub(crate) fn artifact_worth(&self, claimed: u8, count: u32) -> u32 {
        // R5.3: the m-th artifact claimed in the whole game has the m-th value.
        let claimed = usize::from(claimed);
        self.worth[(claimed + count as usize) % 32] - self.worth[claimed % 32]
    }

    /// The best policy of a lone player. Computing it takes a quarter of a second for the classic rules.
    pub(crate) fn best_policy(&self) -> Result<Arc<Policy>, ExactError> {
        let compute = || Policy::best(&Rules::from(&self.variant), Horizon::Game).map(Arc::new);
        self.best_policy.get_or_init(compute).clone()
    }

    pub(crate) fn nash(&self) -> Result<Arc<Nash>, ExactError> {
        self.nash.get_or_init(|| Nash::new(&Rules::from(&self.variant)).map(Arc::new)).clone()
    }

    pub(crate) fn last_round(&self) -> Result<Arc<LastRound>, ExactError> {
        self.last_round.get_or_init(|| LastRound::new(&Rules::from(&self.variant)).map(Arc::new)).clone()
    }

    /// The equilibrium of this number of players who maximise gems. Callers with the same values share it.
    /// `values` is a text written by `exact`, or empty.
    pub(crate) fn share(&self, seats: usize, values: &str) -> Result<Arc<Share>, ShareError> {
        let kept = || {
            let (text, share) = self.share.get()?;
            (text == values && share.players() == seats).then(|| Arc::clone(share))
        };
        if let Some(share) = kept() {
            return Ok(share);
        }
        let rules = Rules::from(&self.variant);
        let share = Arc::new(match values {
            "" => Share::known(&rules, seats, KNOWN_VALUES)?,
            text => Share::with_values(&rules, seats, text)?,
        });
        // If another thread has finished first, its result is used.
        let _ = self.share.set((values.to_owned(), Arc::clone(&share)));
        Ok(kept().unwrap_or(share))
    }

    /// R2.2: the number of artifacts that have entered the deck by this round, including claimed ones.
    #[inline]
    pub(crate) fn entered(&self, round: u8) -> u8 {
        (self.variant.artifacts() as u8).min(round)
    }

    #[inline]
    pub(crate) fn effects(&self, explorers: u16) -> &[Effect; MAX_CARDS] {
        &self.effects[usize::from(explorers).wrapping_sub(1) % MAX_SEATS]
    }

    #[inline]
    pub(crate) fn effect(&self, state: &State, bit: u32) -> &Effect {
        &self.effects(state.explorers)[bit as usize % MAX_CARDS]
    }
}
