//! The observation of a viewer. It has the board, all points, meeples, floors and prisoners, and the viewer's
//! hand. Of the other hands it has the sizes, and of the unseen tiles the number of each kind.

use meeple_core::{Listed, Stream, Viewer};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::action::{Action, Post};
use crate::board::Board;
use crate::form;
use crate::game::Carcassonne;
use crate::geometry::Cell;
use crate::state::{Hand, Pile, RiverEnd, SOURCES, Stack, Stage, State};
use crate::tiles::{Kind, MAX_SEGMENTS, Tables};
use crate::variant::Variant;

/// The observation of a viewer. Its fields are private; agents use the methods.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    game: &'a Carcassonne,
    state: &'a State,
    viewer: Viewer,
}

impl<'a> Observation<'a> {
    #[inline]
    pub(crate) fn new(game: &'a Carcassonne, state: &'a State, viewer: Viewer) -> Self {
        Self { game, state, viewer }
    }

    pub fn variant(&self) -> &'a Variant {
        &self.game.variant
    }

    pub fn tables(&self) -> &'static Tables {
        self.game.tables
    }

    pub fn seats(&self) -> usize {
        self.game.seats
    }

    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    pub fn board(&self) -> &'a Board {
        &self.state.board
    }

    pub fn stage(&self) -> Stage {
        self.state.stage
    }

    /// Seats in turn order; empty until the order is drawn.
    pub fn order(&self) -> &'a [u8] {
        let drawn = if self.state.stage == Stage::Order { 0 } else { self.game.seats };
        &self.state.order[..drawn]
    }

    /// The seat whose turn it is; `None` before the order is drawn and after the end.
    pub fn mover(&self) -> Option<usize> {
        (!matches!(self.state.stage, Stage::Order | Stage::Over)).then(|| self.state.mover())
    }

    /// The last decision, and its seat.
    pub fn last_action(&self) -> Option<(usize, Action)> {
        self.state.last.map(|(seat, action)| (usize::from(seat), action))
    }

    pub fn points(&self, seat: usize) -> i32 {
        self.state.points[seat]
    }

    pub fn supply(&self, seat: usize) -> u8 {
        self.state.supply[seat]
    }

    pub fn floors(&self, seat: usize) -> u8 {
        self.state.floors[seat]
    }

    /// Prisoners that `captor` holds of `owner`.
    pub fn prisoners(&self, captor: usize, owner: usize) -> u8 {
        self.state.prisoners[captor][owner]
    }

    /// The tiles in the hand of a seat, if the viewer may see them.
    pub fn hand(&self, seat: usize) -> Option<&'a [Kind]> {
        self.game.shows_hand(self.viewer, seat).then(|| self.state.hands[seat].tiles())
    }

    pub fn hand_size(&self, seat: usize) -> usize {
        self.state.hands[seat].tiles().len()
    }

    /// Land tiles not drawn yet.
    pub fn deck(&self) -> u32 {
        self.state.stack.land()
    }

    /// River tiles still to be drawn, without the lake.
    pub fn river_deck(&self) -> u32 {
        self.state.stack.river()
    }

    pub fn river_end(&self) -> Option<RiverEnd> {
        self.state.river_end
    }

    /// Tiles that the viewer has not seen: undrawn, or in a hand it may not see.
    pub fn unseen(&self) -> Stack {
        let mut unseen = self.state.stack;
        for seat in (0..self.seats()).filter(|seat| !self.game.shows_hand(self.viewer, *seat)) {
            for kind in self.state.hands[seat].tiles() {
                unseen.add(*kind, 1);
            }
        }
        unseen
    }

    /// Tiles out of the game, with their number.
    pub fn discarded(&self) -> impl Iterator<Item = (Kind, u8)> + 'a {
        let counts = Kind::all().zip(self.state.discarded.iter().copied());
        counts.filter(|(_, count)| *count > 0)
    }

    /// Bits of the last tile's unoccupied segments; meaningful during [`Stage::Action`].
    pub fn claimable(&self) -> u8 {
        self.state.claimable
    }

    /// Bits of the last tile's segments that may be claimed now.
    pub(crate) fn claimable_now(&self) -> u8 {
        if self.state.stage == Stage::Action { self.state.claimable } else { 0 }
    }

    /// The tower just built on, during [`Stage::Capture`].
    pub fn tower(&self) -> Option<usize> {
        (self.state.stage == Stage::Capture).then(|| usize::from(self.state.tower))
    }

    /// The meeples in range of the tower just built on: cell, post, owner.
    pub fn in_range(&self) -> impl Iterator<Item = (Cell, Post, usize)> + 'a {
        let (state, tables) = (self.state, self.game.tables);
        self.tower().into_iter().flat_map(move |tower| state.board.in_range(tables, tower))
    }

    pub(crate) fn stage_text(&self) -> String {
        let mover = self.mover().map_or(String::new(), |seat| format!("seat {seat} "));
        match self.stage() {
            Stage::Order => "the turn order is drawn".into(),
            Stage::Draw => "a tile is drawn".into(),
            Stage::Tile => format!("{mover}lays a tile"),
            Stage::Action => format!("{mover}claims, builds or passes"),
            Stage::Capture => format!("{mover}may capture a meeple"),
            Stage::Over => "the game is over".into(),
        }
    }

    /// Writes a state that agrees with this observation: unseen tiles are dealt uniformly to the hidden
    /// hands. The deal ignores the evidence of a discard (no tile of that hand fitted).
    pub(crate) fn determinize(&self, rng: &mut Stream, state: &mut State) {
        state.clone_from(self.state);
        state.stack = self.unseen();
        for seat in (0..self.seats()).filter(|seat| !self.game.shows_hand(self.viewer, *seat)) {
            let mut hand = Hand::default();
            for held in self.state.hands[seat].tiles() {
                let (pile, left) = match held.is_river() {
                    true => (Pile::River, state.stack.river()),
                    false => (Pile::Land, state.stack.land()),
                };
                let kind = state.stack.pick(pile, rng.below(left));
                state.stack.take(kind);
                hand.insert(kind);
            }
            state.hands[seat] = hand;
        }
    }
}

#[derive(Serialize)]
struct PlayerForm<'a> {
    points: i32,
    meeples: u8,
    floors: u8,
    tiles: usize,
    hand: Option<&'a [Kind]>,
    /// Meeples of each seat that this one holds prisoner.
    prisoners: &'a [u8],
    /// Points from roads, cities, monasteries, fields, ransoms.
    sources: [i32; SOURCES],
}

impl Serialize for Observation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = self.state;
        let player = |seat: usize| PlayerForm {
            points: state.points[seat],
            meeples: state.supply[seat],
            floors: state.floors[seat],
            tiles: self.hand_size(seat),
            hand: self.hand(seat),
            prisoners: &state.prisoners[seat][..self.seats()],
            sources: state.sources[seat],
        };
        let me = match self.viewer {
            Viewer::Seat(seat) => Some(seat.index()),
            Viewer::Public | Viewer::Everything => None,
        };
        let claimable = self.claimable_now();
        let spots = &state.board.tiles()[state.board.len() - 1].piece().spots;
        let claims = || {
            let free = (0..MAX_SEGMENTS).filter(|segment| claimable >> segment & 1 == 1);
            free.map(|segment| Action::Claim(spots[segment]))
        };
        let mut form = serializer.serialize_struct("Observation", 19)?;
        form.serialize_field("me", &me)?;
        form.serialize_field("stage", state.stage.word())?;
        form.serialize_field("order", self.order())?;
        form.serialize_field("mover", &self.mover())?;
        form.serialize_field("turn", &state.turns)?;
        form.serialize_field("last_action", &self.last_action())?;
        form.serialize_field("ransoms_paid", &state.ransoms)?;
        form.serialize_field("players", &Listed(|| (0..self.seats()).map(player)))?;
        form.serialize_field("board", &form::tiles(&state.board))?;
        form.serialize_field("meeples", &form::meeples(&state.board))?;
        form.serialize_field("towers", &form::towers(&state.board))?;
        form.serialize_field("river_end", &state.river_end.map(|end| (end.cell, end.from.word())))?;
        form.serialize_field("lake_due", &state.lake_due)?;
        form.serialize_field("deck", &state.stack.land())?;
        form.serialize_field("river_deck", &state.stack.river())?;
        form.serialize_field("unseen", &self.unseen())?;
        form.serialize_field("discarded", &Listed(|| self.discarded()))?;
        form.serialize_field("unclaimed", &Listed(claims))?;
        let tower = self.tower().map(|tower| state.board.towers()[tower].tile);
        form.serialize_field(
            "capturing_from",
            &tower.map(|tile| state.board.tiles()[usize::from(tile)].cell),
        )?;
        form.end()
    }
}
