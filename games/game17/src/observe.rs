//! The observation of a viewer: the whole position, without future chance.

use meeple_core::{Listed, Seat};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::board::{Class, Square, members};
use crate::game::Game17;
use crate::state::State;

/// The observation of a viewer. Information is perfect, so all viewers see the whole position.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    game: &'a Game17,
    state: &'a State,
}

impl<'a> Observation<'a> {
    pub(crate) fn new(game: &'a Game17, state: &'a State) -> Self {
        Self { game, state }
    }

    pub(crate) fn copy_to(&self, state: &mut State) {
        state.clone_from(self.state);
    }

    /// Number of squares along each side of the board.
    pub fn size(&self) -> usize {
        self.game.board.size()
    }

    /// Round, from 0.
    pub fn round(&self) -> u16 {
        self.state.round()
    }

    /// Number of rounds after this one; 0 in the last round.
    pub fn rounds_left(&self) -> u16 {
        (self.game.rounds() - 1).saturating_sub(self.state.round())
    }

    pub fn mover(&self) -> Option<Seat> {
        self.state.mover()
    }

    /// Owner of each square, row by row; during the set-up only of the squares already placed.
    pub fn owners(&self) -> &'a [u16] {
        self.state.owners()
    }

    /// Pieces on each square, row by row.
    pub fn numbers(&self) -> &'a [u32] {
        self.state.numbers()
    }

    pub fn turn_order(&self) -> &'a [u16] {
        self.state.turn_order()
    }

    /// Place of an owner in the turn order, from 0; valid after the set-up.
    #[inline]
    pub(crate) fn turn_place(&self, owner: usize) -> usize {
        self.state.place[owner].into()
    }

    pub fn squares_of(&self, owner: Seat) -> u32 {
        self.state.squares_of(owner)
    }

    pub fn pieces_of(&self, owner: Seat) -> u32 {
        self.state.pieces_of(owner)
    }

    /// Number of owners that have pieces.
    pub fn sides(&self) -> u32 {
        self.state.sides()
    }

    /// The squares of `owner` in ascending order, as indices into [`owners`](Self::owners). Empty during the
    /// set-up.
    pub fn squares(&self, owner: Seat) -> impl Iterator<Item = usize> + use<'a> {
        members(self.owned(owner))
    }

    /// Row and column of a square.
    ///
    /// # Panics
    /// If there is no such square.
    #[inline]
    pub fn place(&self, square: usize) -> Square {
        self.game.board.places[square]
    }

    /// The squares north, south, east and west of a square.
    ///
    /// # Panics
    /// If there is no such square.
    #[inline]
    pub fn neighbours(&self, square: usize) -> [usize; 4] {
        self.game.board.neighbours[square].map(usize::from)
    }

    /// Squares with a coin that has not been tossed yet.
    pub fn tied_squares(&self) -> impl Iterator<Item = usize> + use<'a> {
        members(&self.state.ties)
    }

    /// The squares of `owner` as a set; fast agents use it.
    #[inline]
    pub(crate) fn owned(&self, owner: Seat) -> &'a [u64] {
        let words = self.state.ties.len();
        &self.state.owned[owner.index() * words..][..words]
    }

    #[inline]
    pub(crate) fn padded_numbers(&self) -> &'a [u32] {
        &self.state.numbers
    }

    /// Owner of each square, padded to whole words; valid after all squares have been placed.
    #[inline]
    pub(crate) fn padded_owners(&self) -> &'a [u16] {
        &self.state.owners
    }

    #[inline]
    pub(crate) fn padded_neighbours(&self) -> &'a [[u16; 4]] {
        &self.game.board.neighbours
    }

    #[inline]
    pub(crate) fn padded_places(&self) -> &'a [Square] {
        &self.game.board.places
    }

    #[inline]
    pub(crate) fn class(&self) -> Class {
        self.game.board.class()
    }
}

impl Serialize for Observation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Observation", 8)?;
        fields.serialize_field("size", &self.size())?;
        fields.serialize_field("round", &self.round())?;
        fields.serialize_field("rounds_left", &self.rounds_left())?;
        fields.serialize_field("to_move", &self.mover())?;
        fields.serialize_field("owners", self.owners())?;
        fields.serialize_field("numbers", self.numbers())?;
        fields.serialize_field("turn_order", self.turn_order())?;
        fields.serialize_field("ties", &Listed(|| self.tied_squares()))?;
        fields.end()
    }
}
