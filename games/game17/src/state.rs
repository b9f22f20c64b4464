//! A position: owners, pieces, the mover, and coins to toss.

use meeple_core::{Listed, Seat};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::board::{Board, insert, members, remove};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum End {
    /// One owner holds all pieces.
    OneSide,
    LastRound,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Stage {
    /// Chance draws the owner of the next square.
    Placing,
    /// Chance draws the next owner in the turn order.
    Ordering,
    Turn,
    /// Chance tosses the coin of the first tied square.
    Coins,
    Over(End),
}

/// A position. Arrays by square and by owner are padded to whole words of 64 entries; the padding is zero.
#[derive(PartialEq, Eq, Debug, Hash)]
pub struct State {
    /// Owner by square. In [`Stage::Placing`], the squares from `dealt` on hold the owners that are not
    /// placed yet. Their order is determined by the draws so far.
    pub(crate) owners: Vec<u16>,
    /// Pieces by square.
    pub(crate) numbers: Vec<u32>,
    /// Arriving pieces by square; zero between turns.
    pub(crate) arrivals: Vec<u32>,
    /// Owner by place in the turn order. In [`Stage::Ordering`] it works like `owners`.
    pub(crate) order: Vec<u16>,
    /// Place in the turn order, by owner.
    pub(crate) place: Vec<u16>,
    /// Number of squares, by owner.
    pub(crate) squares: Vec<u16>,
    /// Number of pieces, by owner.
    pub(crate) pieces: Vec<u32>,
    /// The set of squares of each owner, [`Board::words`] words each.
    pub(crate) owned: Vec<u64>,
    /// The set of places in the turn order whose owners have squares.
    pub(crate) living: Vec<u64>,
    /// The set of squares with a coin that has not been tossed yet.
    pub(crate) ties: Vec<u64>,
    /// Number of squares of the board.
    pub(crate) count: u16,
    /// Number of owners that have pieces.
    pub(crate) sides: u16,
    /// Number of squares placed, or of places ordered, in the set-up.
    pub(crate) dealt: u16,
    /// Round, from 0.
    pub(crate) round: u16,
    /// The mover's place in the turn order.
    pub(crate) turn: u16,
    pub(crate) stage: Stage,
}

/// Implements `Clone` field by field, so that copies between boards of one size do not allocate. The compiler
/// reports a missing field.
macro_rules! cloned_by_field {
    ($($field:ident)*) => {
        impl Clone for State {
            fn clone(&self) -> Self {
                Self { $($field: Clone::clone(&self.$field)),* }
            }

            fn clone_from(&mut self, source: &Self) {
                $(Clone::clone_from(&mut self.$field, &source.$field);)*
            }
        }
    };
}
cloned_by_field!(owners numbers arrivals order place squares pieces owned living ties count sides dealt round turn stage);

impl State {
    /// The state before the set-up: no square is placed, no owner ordered.
    pub(crate) fn new(board: &Board, pieces: u32) -> Self {
        let (count, padded, words) = (board.squares(), board.padded(), board.words());
        let mut owners = vec![0; padded];
        let mut numbers = vec![0; padded];
        for square in 0..count {
            owners[square] = square as u16;
            // R2.2: all squares start with the same number of pieces.
            numbers[square] = pieces;
        }
        Self {
            order: owners.clone(),
            owners,
            arrivals: vec![0; padded],
            place: vec![0; padded],
            squares: (0..padded).map(|owner| u16::from(owner < count)).collect(),
            pieces: numbers.clone(),
            numbers,
            owned: vec![0; padded * words],
            living: vec![0; words],
            ties: vec![0; words],
            count: count as u16,
            sides: count as u16,
            dealt: 0,
            round: 0,
            turn: 0,
            stage: Stage::Placing,
        }
    }

    /// Fills the sets, once every owner has its square and its place in the turn order.
    pub(crate) fn index(&mut self) {
        let words = self.ties.len();
        for square in 0..self.board_squares() {
            let owner = usize::from(self.owners[square]);
            insert(&mut self.owned[owner * words..][..words], square);
            self.place[usize::from(self.order[square])] = square as u16;
            insert(&mut self.living, square);
        }
    }

    pub(crate) fn arrange(&mut self, owners: &[u16], numbers: &[u32], order: &[u16]) {
        let count = self.board_squares();
        self.owners[..count].copy_from_slice(owners);
        self.numbers[..count].copy_from_slice(numbers);
        self.order[..count].copy_from_slice(order);
        self.squares.fill(0);
        self.pieces.fill(0);
        for (owner, number) in owners.iter().zip(numbers) {
            self.squares[usize::from(*owner)] += 1;
            self.pieces[usize::from(*owner)] += number;
        }
        self.sides = self.pieces.iter().filter(|pieces| **pieces > 0).count() as u16;
        self.index();
        for owner in (0..count).filter(|owner| self.squares[*owner] == 0) {
            remove(&mut self.living, self.place[owner].into());
        }
        self.stage = Stage::Turn;
        let first = members(&self.living).find(|place| self.pieces[usize::from(self.order[*place])] > 0);
        self.turn = first.unwrap_or(0) as u16;
    }

    pub fn board_squares(&self) -> usize {
        self.count.into()
    }

    /// Owner of each square, row by row; during the set-up only of the squares already placed.
    pub fn owners(&self) -> &[u16] {
        let known = if self.stage == Stage::Placing { self.dealt.into() } else { self.board_squares() };
        &self.owners[..known]
    }

    pub fn numbers(&self) -> &[u32] {
        &self.numbers[..self.board_squares()]
    }

    /// The turn order; during the set-up only the places already drawn.
    pub fn turn_order(&self) -> &[u16] {
        let known = match self.stage {
            Stage::Placing => 0,
            Stage::Ordering => self.dealt.into(),
            _ => self.board_squares(),
        };
        &self.order[..known]
    }

    /// Round, from 0; after the last round, the number of rounds.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// The owner whose turn it is, also while its coins are tossed; `None` before and after the game.
    pub fn mover(&self) -> Option<Seat> {
        matches!(self.stage, Stage::Turn | Stage::Coins)
            .then(|| Seat::new(self.order[usize::from(self.turn)].into()))
    }

    /// Number of squares of `owner`, with or without pieces.
    pub fn squares_of(&self, owner: Seat) -> u32 {
        self.squares[owner.index()].into()
    }

    /// Number of pieces of `owner`. On tied squares, the mover's pieces count for the mover until the coin is
    /// tossed.
    pub fn pieces_of(&self, owner: Seat) -> u32 {
        self.pieces[owner.index()]
    }

    /// Number of owners that have pieces.
    pub fn sides(&self) -> u32 {
        self.sides.into()
    }

    /// Squares with a coin that has not been tossed yet, in order.
    pub fn tied_squares(&self) -> impl Iterator<Item = usize> + '_ {
        members(&self.ties)
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("State", 6)?;
        fields.serialize_field("round", &self.round)?;
        fields.serialize_field("to_move", &self.mover())?;
        fields.serialize_field("owners", self.owners())?;
        fields.serialize_field("numbers", self.numbers())?;
        fields.serialize_field("turn_order", self.turn_order())?;
        fields.serialize_field("ties", &Listed(|| self.tied_squares()))?;
        fields.end()
    }
}
