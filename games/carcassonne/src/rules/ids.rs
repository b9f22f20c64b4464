//! Dense ids of actions. Objects on the board are numbered by public information, and tiles by their place in
//! the mover's hand. So a policy vector is short, and an id reveals nothing that the seat does not know:
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
//! There are at most `2 * tiles + 2` open cells. With all tiles, towers, and a hand of three, the bound is
//! 3445.

use meeple_core::Seat;

use crate::action::{Action, Post};
use crate::board::{Board, MAX_FRONTIER, MAX_TOWERS};
use crate::game::Carcassonne;
use crate::geometry::{Cell, Spot};
use crate::state::{Stage, State};
use crate::tiles::{Kind, MAX_SEGMENTS};
use crate::variant::{MAX_HAND, MAX_SEATS};

const DECLINE: u32 = 1;
const RANSOM: u32 = 2;
const DISCARD: u32 = RANSOM + MAX_SEATS as u32;
const CLAIM: u32 = DISCARD + MAX_HAND as u32;
const FLOOR: u32 = CLAIM + MAX_SEGMENTS as u32;
const CLOSE: u32 = FLOOR + MAX_TOWERS as u32;
const PLACE: u32 = CLOSE + MAX_TOWERS as u32;
/// Sets of quarter turns (4 bits), unpacked to one byte per turn.
const FLAGS: [[u8; 4]; 16] = {
    let mut flags = [[0; 4]; 16];
    let mut turns = 0;
    while turns < 16 {
        flags[turns] = [turns as u8 & 1, turns as u8 >> 1 & 1, turns as u8 >> 2 & 1, turns as u8 >> 3];
        turns += 1;
    }
    flags
};
/// Number of posts on one tile: its segments, then the tower.
const POSTS: u32 = MAX_SEGMENTS as u32 + 1;

impl Carcassonne {
    /// Number of ids per cell: tiles of the hand times orientations.
    fn on_cell(&self) -> u32 {
        4 * u32::from(self.variant.hand)
    }

    fn first_take(&self) -> u32 {
        PLACE + (2 * self.tiles() as u32 + 2) * self.on_cell()
    }

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
                let mut places = [0; MAX_FRONTIER];
                let rank = rank(open_places(board, &mut places), place_of(cell));
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

    /// Sets a mask to 1 at the ids of the mover's legal actions, without listing them.
    pub(crate) fn mark_all(&self, state: &State, mask: &mut [u8]) {
        let found = state.stage == Stage::Tile && self.mark_placements(state, mask);
        let mut mark = |id: u32| mask[id as usize] = 1;
        match state.stage {
            Stage::Tile if found => {}
            Stage::Tile => {
                let hand = &state.hands[state.mover()];
                hand.distinct().for_each(|tile| mark(self.id_of(state, Action::Discard { tile })));
            }
            Stage::Action => {
                mark(0);
                let claims = self.claims(state);
                let segments = (0..MAX_SEGMENTS as u32).filter(|segment| claims >> segment & 1 == 1);
                segments.for_each(|segment| mark(CLAIM + segment));
                // Without the tower rules there are no tower actions.
                for (number, tower) in (0..).zip(state.board.towers()).filter(|_| self.variant.towers) {
                    if self.may_build(state, tower) {
                        mark(FLOOR + number);
                    }
                    if self.may_close(state, tower) {
                        mark(CLOSE + number);
                    }
                }
            }
            Stage::Capture => {
                mark(DECLINE);
                let found = state.board.in_range(self.tables, usize::from(state.tower));
                found.for_each(|(cell, post, _)| mark(self.id_of(state, Action::Take { cell, post })));
            }
            Stage::Order | Stage::Draw | Stage::Over => return,
        }
        self.ransoms(state).for_each(|captor| mark(RANSOM + captor as u32));
    }

    /// Marks the mover's placements. Returns false if there are none.
    fn mark_placements(&self, state: &State, mask: &mut [u8]) -> bool {
        let (board, hand) = (&state.board, state.hands[state.mover()].tiles());
        let mut order = [0; MAX_FRONTIER];
        let order = reading_order(board, &mut order);
        let (places, _) = mask[PLACE as usize..self.first_take() as usize].as_chunks_mut::<4>();
        let on_cell = usize::from(self.variant.hand);
        let mut found = 0;
        for (slot, tile) in hand.iter().enumerate() {
            // Equal tiles share the id of the first one; the tiles of a hand are sorted.
            if slot > 0 && hand[slot - 1] == *tile {
                continue;
            }
            if tile.is_river() {
                let turns = self.river_mask(state, *tile);
                let end = state.river_end.map(|end| end.cell);
                let is_end = |number: &u8| Some(board.frontier()[usize::from(*number)]) == end;
                if let Some(rank) = order.iter().position(is_end) {
                    places[rank * on_cell + slot] = FLAGS[usize::from(turns) % 16];
                    found |= turns;
                }
                continue;
            }
            let (fit, codes) = (&self.tables.fit[tile.index()], board.codes());
            for (rank, number) in order.iter().enumerate() {
                let turns = fit[usize::from(codes[usize::from(*number)])].turns();
                places[rank * on_cell + slot] = FLAGS[usize::from(turns) % 16];
                found |= turns;
            }
        }
        found != 0
    }

    /// The legal action with this id.
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
                let (slot, turns) = (rest / 4, (rest % 4) as u8);
                let mut places = [0; MAX_FRONTIER];
                let places = open_places(board, &mut places);
                let rank = Some(rank as usize).filter(|rank| *rank < places.len())?;
                let tile = held(slot)?;
                let is_first = slot == 0 || held(slot - 1) != Some(tile);
                let cell = cell_of(*places.select_nth_unstable(rank).1);
                return is_first.then_some(Action::Place { tile, cell, turns });
            }
            _ => {
                let id = id - self.first_take();
                let placed = board.tiles().get((id / POSTS) as usize)?;
                let spot = placed.piece().spots.get((id % POSTS) as usize);
                Action::Take { cell: placed.cell, post: spot.map_or(Post::Guard, |spot| Post::On(*spot)) }
            }
        };
        // Ids of later equal tiles and of blank spots after the last segment are rejected.
        (self.id_of(state, action) == id).then_some(action)
    }
}

/// A number that orders cells in reading order. It has 16 bits, so vector code compares eight at a time.
fn place_of(cell: Cell) -> i16 {
    i16::from(cell.y) << 8 | (i16::from(cell.x) + 128)
}

/// The inverse of [`place_of`].
fn cell_of(place: i16) -> Cell {
    Cell::new(((place & 255) - 128) as i8, (place >> 8) as i8)
}

/// The open cells as numbers, in the order of the frontier.
fn open_places<'a>(board: &Board, places: &'a mut [i16; MAX_FRONTIER]) -> &'a mut [i16] {
    let open = board.frontier();
    let places = &mut places[..open.len()];
    places.iter_mut().zip(open).for_each(|(place, cell)| *place = place_of(*cell));
    places
}

/// The indices of the open cells in reading order: a counting sort by rows, then an insertion sort within
/// each row. Rows hold few cells.
fn reading_order<'a>(board: &Board, order: &'a mut [u8; MAX_FRONTIER]) -> &'a [u8] {
    let open = board.frontier();
    let row = |cell: Cell| usize::from(cell.y as u8 ^ 128);
    let mut counts = [0u8; 256];
    open.iter().for_each(|cell| counts[row(*cell)] += 1);
    let (mut first, mut next, mut before) = ([0u8; 256], [0u8; 256], 0);
    for (row, count) in counts.iter().enumerate() {
        (first[row], next[row]) = (before, before);
        before += count;
    }
    for (number, cell) in (0u8..).zip(open) {
        let row = row(*cell);
        let mut at = usize::from(next[row]);
        next[row] += 1;
        while at > usize::from(first[row]) && open[usize::from(order[at - 1])] > *cell {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = number;
    }
    &order[..open.len()]
}

/// The number of open cells before this one in reading order.
fn rank(places: &[i16], place: i16) -> u32 {
    places.iter().map(|other| u16::from(*other < place)).sum::<u16>().into()
}

/// The index of the first matching value; 0 if none matches.
fn place_in<T>(values: &[T], is_meant: impl Fn(&T) -> bool) -> u32 {
    values.iter().position(is_meant).unwrap_or(0) as u32
}
