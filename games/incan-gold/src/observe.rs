//! The observation of a viewer: everything except the order of the deck and unrevealed decisions.

use meeple_core::{Listed, Seat, Viewer};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::action::Action;
use crate::card::{Card, bits};
use crate::game::IncanGold;
use crate::sight::Sight;
use crate::state::State;
use crate::variant::{Leftovers, Variant, Worth};

/// The observation of a viewer. Its fields are private; agents use the methods.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    game: &'a IncanGold,
    state: &'a State,
    viewer: Viewer,
}

impl<'a> Observation<'a> {
    #[inline]
    pub(crate) fn new(game: &'a IncanGold, state: &'a State, viewer: Viewer) -> Self {
        Self { game, state, viewer }
    }

    pub fn variant(&self) -> &'a Variant {
        &self.game.variant
    }

    pub fn seats(&self) -> usize {
        self.game.seats
    }

    /// Round, from 1; after the game, one more than the number of rounds.
    #[inline]
    pub fn round(&self) -> u32 {
        u32::from(self.state.round)
    }

    /// Number of cards drawn this round.
    #[inline]
    pub fn turn(&self) -> u32 {
        self.state.path.len()
    }

    #[inline]
    pub fn backpack(&self) -> u32 {
        self.state.path.haul.backpack
    }

    /// Number of spare gems on the path, which nobody has in a backpack.
    #[inline]
    pub fn spare(&self) -> u32 {
        self.state.path.haul.spare
    }

    /// The cards on the path, in the order of drawing.
    #[inline]
    pub fn path(&self) -> &'a [Card] {
        self.state.path.cards()
    }

    #[inline]
    pub fn explorers(&self) -> u32 {
        u32::from(self.state.explorers)
    }

    /// Returns true if this seat is on the path, not in its tent.
    #[inline]
    pub fn explores(&self, seat: Seat) -> bool {
        self.state.exploring >> seat.index() & 1 == 1
    }

    /// Safe points in the seat's tent.
    #[inline]
    pub fn tent(&self, seat: Seat) -> u32 {
        self.state.tents[seat.index()]
    }

    /// Number of distinct hazards on the path.
    #[inline]
    pub fn hazards(&self) -> u32 {
        self.state.seen.count_ones()
    }

    /// Returns true if this hazard kind is on the path, so that another card of it ends the round.
    #[inline]
    pub fn hazard_seen(&self, kind: u8) -> bool {
        self.state.seen >> kind & 1 == 1
    }

    #[inline]
    pub fn artifacts(&self) -> u32 {
        self.state.path.haul.artifacts
    }

    /// Number of artifacts claimed in the game by any seat.
    #[inline]
    pub fn artifacts_claimed(&self) -> u32 {
        u32::from(self.state.claimed)
    }

    /// Number of artifacts claimed by this seat.
    pub fn artifacts_of(&self, seat: Seat) -> u32 {
        u32::from(self.state.artifacts[seat.index()])
    }

    /// Points that a lone leaver would get now for the artifacts on the path and `extra` others. If the worth
    /// is printed on cards, `extra` artifacts are not counted.
    #[inline]
    pub fn artifact_worth(&self, extra: u32) -> u32 {
        match self.game.variant.worth {
            Worth::Order => {
                self.game.artifact_worth(self.state.claimed, self.state.path.haul.artifacts + extra)
            }
            Worth::Printed => self.game.path_worth(self.state),
        }
    }

    /// Gems on each card of the path, in order, for rules that divide the gems card by card.
    pub fn leftovers(&self) -> impl Iterator<Item = u32> + use<'a> {
        let explorers = u32::from(self.state.explorers).max(1);
        self.state.leftovers.of(self.state.path.cards(), explorers)
    }

    /// Distinct cards left in the deck with their counts.
    pub fn deck(&self) -> impl Iterator<Item = (Card, u32)> + 'a {
        let (game, state) = (self.game, self.state);
        game.pack.tally(state.deck)
    }

    /// Distinct cards in the deck at the start of the round, with their counts.
    pub fn pack(&self) -> impl Iterator<Item = (Card, u32)> + 'a {
        let (game, state) = (self.game, self.state);
        game.pack.tally(state.pack)
    }

    #[inline]
    pub fn deck_size(&self) -> u32 {
        self.state.deck.count_ones()
    }

    /// The cards left in the deck, as bits of the pack.
    #[inline]
    pub(crate) fn deck_set(&self) -> u64 {
        self.state.deck
    }

    #[inline]
    pub(crate) fn is_deciding(&self) -> bool {
        self.state.owing != 0
    }

    /// The viewer's own decision of this turn, while decisions of others are still missing.
    pub fn decided(&self) -> Option<Action> {
        match self.viewer {
            Viewer::Seat(seat) if self.state.owing != 0 && self.explores(seat) => self.decision_of(seat),
            _ => None,
        }
    }

    fn decision_of(&self, seat: Seat) -> Option<Action> {
        let bit = 1 << seat.index();
        if self.state.owing & bit != 0 {
            None
        } else if self.state.leaving & bit != 0 {
            Some(Action::Leave)
        } else {
            Some(Action::Stay)
        }
    }

    /// Writes a state that agrees with this observation. Only decisions that others may already have made are
    /// hidden; in the written state they are not made yet.
    pub(crate) fn determinize(&self, state: &mut State) {
        state.clone_from(self.state);
        if state.owing == 0 || self.viewer == Viewer::Everything {
            return;
        }
        state.owing = state.exploring;
        state.leaving = 0;
        if let (Viewer::Seat(seat), Some(decision)) = (self.viewer, self.decided()) {
            state.owing &= !(1 << seat.index());
            if decision == Action::Leave {
                state.leaving = 1 << seat.index();
            }
        }
    }
}

impl Sight for Observation<'_> {
    #[inline]
    fn turn(&self) -> u32 {
        Observation::turn(self)
    }

    #[inline]
    fn backpack(&self) -> u32 {
        Observation::backpack(self)
    }

    #[inline]
    fn spare(&self) -> u32 {
        Observation::spare(self)
    }

    #[inline]
    fn explorers(&self) -> u32 {
        Observation::explorers(self)
    }

    #[inline]
    fn hazards(&self) -> u32 {
        Observation::hazards(self)
    }

    #[inline]
    fn hazard_seen(&self, kind: u8) -> bool {
        Observation::hazard_seen(self, kind)
    }

    #[inline]
    fn artifacts(&self) -> u32 {
        Observation::artifacts(self)
    }

    #[inline]
    fn artifact_worth(&self, extra: u32) -> u32 {
        Observation::artifact_worth(self, extra)
    }

    fn deck(&self) -> impl Iterator<Item = (Card, u32)> {
        Observation::deck(self)
    }

    #[inline]
    fn deck_size(&self) -> u32 {
        Observation::deck_size(self)
    }
}

/// Distinct cards with their counts, serialised as `{"gem:5": 2}`.
struct Tally<I>(I);

impl<I: Iterator<Item = (Card, u32)> + Clone> Serialize for Tally<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

impl Serialize for Observation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = self.state;
        let seats = self.seats();
        let exploring = || bits(u64::from(state.exploring));
        let by_card = usize::from(self.variant().leftovers == Leftovers::ByCard);
        let mut object = serializer.serialize_struct("Observation", 19 + by_card)?;
        object.serialize_field("round", &state.round)?;
        object.serialize_field("rounds", &self.variant().rounds)?;
        object.serialize_field("turn", &state.path.len())?;
        object.serialize_field("path", state.path.cards())?;
        object.serialize_field("backpack", &state.path.haul.backpack)?;
        object.serialize_field("spare", &state.path.haul.spare)?;
        object.serialize_field("exploring", &Listed(exploring))?;
        object.serialize_field("tents", &state.tents[..seats])?;
        object.serialize_field("artifacts", &state.artifacts[..seats])?;
        object.serialize_field("artifacts_on_path", &state.path.haul.artifacts)?;
        object.serialize_field("artifacts_claimed", &state.claimed)?;
        object.serialize_field("artifacts_lost", &state.lost_artifacts)?;
        object.serialize_field("artifact_worth", &self.artifact_worth(0))?;
        object.serialize_field("deck", &Tally(self.game.pack.tally(state.deck)))?;
        object.serialize_field("busts", &state.busts)?;
        object.serialize_field("busted", &state.busted[..seats])?;
        object.serialize_field("turns_before", &state.turns)?;
        object.serialize_field("deciding", &(state.owing != 0))?;
        match self.viewer {
            Viewer::Everything => {
                let all = || exploring().map(|seat| self.decision_of(Seat::new(seat as usize)));
                object.serialize_field("decided", &Listed(all))?;
            }
            _ => object.serialize_field("decided", &self.decided())?,
        }
        if self.variant().leftovers == Leftovers::ByCard {
            object.serialize_field("leftovers", &Listed(|| self.leftovers()))?;
        }
        object.end()
    }
}
