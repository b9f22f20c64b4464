//! Dense ids of actions. What is on the board is counted as everybody sees it, and tiles as they lie in the mover's
//! hand, so that a policy vector is short and an id tells nothing that the seat does not know:
//!
//! | action | counted by |
//! |---|---|
//! | pass, decline, ransom | the same in every state |
//! | claim | segment of the tile just laid |
//! | discard | place of the tile in the hand |
//! | floor, close | number of the tower, in the order they were laid |
//! | place | rank of the open cell in reading order, place of the tile in the hand, quarter turns |
//! | take | number of the tile, in the order they were laid, and its segment or tower |
//!
//! Open cells are at most two more than twice the tiles, and a game has only so many tiles: with all of them, towers,
//! and three tiles in the hand the bound is 3445.

use meeple_core::Seat;

use crate::action::{Action, Post};
use crate::board::{MAX_FRONTIER, MAX_TOWERS};
use crate::game::Carcassonne;
use crate::geometry::{Cell, Spot};
use crate::state::State;
use crate::tiles::{Kind, MAX_SEGMENTS};
use crate::variant::{MAX_HAND, MAX_SEATS};

const DECLINE: u32 = 1;
const RANSOM: u32 = 2;
const DISCARD: u32 = RANSOM + MAX_SEATS as u32;
const CLAIM: u32 = DISCARD + MAX_HAND as u32;
const FLOOR: u32 = CLAIM + MAX_SEGMENTS as u32;
const CLOSE: u32 = FLOOR + MAX_TOWERS as u32;
const PLACE: u32 = CLOSE + MAX_TOWERS as u32;
/// Where a meeple can be taken from on one tile: its segments, and the tower after them.
const POSTS: u32 = MAX_SEGMENTS as u32 + 1;

impl Carcassonne {
    /// Placements on one cell: tiles of the hand times orientations.
    fn on_cell(&self) -> u32 {
        4 * u32::from(self.variant.hand)
    }

    /// The first id of a capture.
    fn first_take(&self) -> u32 {
        PLACE + (2 * self.tiles() as u32 + 2) * self.on_cell()
    }

    /// All ids are below this.
    pub(crate) fn id_bound(&self) -> u32 {
        self.first_take() + if self.variant.towers { self.tiles() as u32 * POSTS } else { 0 }
    }

    /// The id of a legal action of the mover.
    pub(crate) fn id_of(&self, state: &State, action: Action) -> u32 {
        let board = &state.board;
        let slot = |tile: Kind| place_in(state.hands[state.mover()].tiles(), |held| *held == tile);
        let tower = |cell: Cell| board.tower_at(cell).map_or(0, |number| number as u32);
        let segment =
            |tile: usize, spot: Spot| place_in(&board.tiles()[tile].piece().spots, |known| *known == spot);
        match action {
            Action::Pass => 0,
            Action::Decline => DECLINE,
            Action::Ransom(seat) => RANSOM + seat.index() as u32,
            Action::Discard { tile } => DISCARD + slot(tile),
            Action::Claim(spot) => CLAIM + segment(board.len() - 1, spot),
            Action::Floor(cell) => FLOOR + tower(cell),
            Action::Close(cell) => CLOSE + tower(cell),
            Action::Place { tile, cell, turns } => {
                let rank = board.frontier().iter().filter(|open| **open < cell).count() as u32;
                PLACE + rank * self.on_cell() + 4 * slot(tile) + u32::from(turns)
            }
            Action::Take { cell, post } => {
                let tile = board.tile_at(cell).unwrap_or(0);
                let post = match post {
                    Post::On(spot) => segment(tile, spot),
                    Post::Guard => MAX_SEGMENTS as u32,
                };
                self.first_take() + tile as u32 * POSTS + post
            }
        }
    }

    /// Writes 1 at the ids of legal actions of the mover: the open cells are sorted once for all placements.
    pub(crate) fn mark_all(&self, state: &State, legal: &[Action], mask: &mut [u8]) {
        let mut open = [Cell::default(); MAX_FRONTIER];
        let open = &mut open[..state.board.frontier().len()];
        open.copy_from_slice(state.board.frontier());
        open.sort_unstable();
        let hand = state.hands[state.mover()].tiles();
        let (mut rank, mut at, mut slot, mut laid) = (0, None, 0, None);
        for action in legal {
            let Action::Place { tile, cell, turns } = *action else {
                mask[self.id_of(state, *action) as usize] = 1;
                continue;
            };
            // In their order placements of one tile stand together, and of these those on one cell.
            if at.replace(cell) != Some(cell) {
                rank = open.partition_point(|other| *other < cell) as u32;
            }
            if laid.replace(tile) != Some(tile) {
                slot = place_in(hand, |held| *held == tile);
            }
            mask[(PLACE + rank * self.on_cell() + 4 * slot + u32::from(turns)) as usize] = 1;
        }
    }

    /// The action that has this id if it is legal.
    pub(crate) fn action_with(&self, state: &State, id: u32) -> Option<Action> {
        let board = &state.board;
        let held = |slot: u32| state.hands[state.mover()].tiles().get(slot as usize).copied();
        let tower = |number: u32| {
            let tower = board.towers().get(number as usize)?;
            Some(board.tiles()[usize::from(tower.tile)].cell)
        };
        let action = match id {
            0 => Action::Pass,
            DECLINE => Action::Decline,
            RANSOM..DISCARD => Action::Ransom(Seat::new((id - RANSOM) as usize)),
            DISCARD..CLAIM => Action::Discard { tile: held(id - DISCARD)? },
            CLAIM..FLOOR => Action::Claim(*board.tiles().last()?.piece().spots.get((id - CLAIM) as usize)?),
            FLOOR..CLOSE => Action::Floor(tower(id - FLOOR)?),
            CLOSE..PLACE => Action::Close(tower(id - CLOSE)?),
            _ if id < self.first_take() => {
                let (rank, rest) = ((id - PLACE) / self.on_cell(), (id - PLACE) % self.on_cell());
                let mut open = [Cell::default(); MAX_FRONTIER];
                let open = &mut open[..board.frontier().len()];
                open.copy_from_slice(board.frontier());
                let rank = Some(rank as usize).filter(|rank| *rank < open.len())?;
                let (tile, cell) = (held(rest / 4)?, *open.select_nth_unstable(rank).1);
                Action::Place { tile, cell, turns: (rest % 4) as u8 }
            }
            _ => {
                let id = id - self.first_take();
                let placed = board.tiles().get((id / POSTS) as usize)?;
                let spot = placed.piece().spots.get((id % POSTS) as usize);
                Action::Take { cell: placed.cell, post: spot.map_or(Post::Guard, |spot| Post::On(*spot)) }
            }
        };
        // A tile held twice has the id of its first place; spots behind the last segment are blank.
        (self.id_of(state, action) == id).then_some(action)
    }
}

/// The place of the first value that is meant.
fn place_in<T>(values: &[T], is_meant: impl Fn(&T) -> bool) -> u32 {
    values.iter().position(is_meant).unwrap_or(0) as u32
}
