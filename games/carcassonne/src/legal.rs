//! What is legal: listed, drawn at random, counted.

use std::fmt;

use meeple_core::{Seat, Stream};

use crate::action::Action;
use crate::board::{Content, MAX_FRONTIER, node_of};
use crate::geometry::{Cell, Side};
use crate::rules::{Carcassonne, Found};
use crate::state::{Stage, State};
use crate::tiles::{Kind, fits};
use crate::variant::Uturn;

/// Straight tiles of the river.
const STRAIGHTS: u32 = 6;

/// Why a curve of the river is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Uturned {
    /// With the straight tiles to come it could run into a tile.
    WouldTouch { straights: u32, ahead: Side, steps: i8, near: Cell },
    /// The cells ahead or beside them are not free.
    NotFree { ahead: Side, near: Cell },
    /// The curve before turned the same way.
    SameTurn,
}

impl fmt::Display for Uturned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the river would make a U-turn: ")?;
        match self {
            Self::WouldTouch { straights, ahead, steps, near } => write!(
                f,
                "{straights} straight tiles are still to come, and {steps} cells on to the {} it would touch the \
                 tile on {near}",
                ahead.word()
            ),
            Self::NotFree { ahead, near } => write!(
                f,
                "the two cells to the {} and their flanks must be free, and a tile lies on {near}",
                ahead.word()
            ),
            Self::SameTurn => f.write_str("the curve before it turned the same way"),
        }
    }
}

impl Carcassonne {
    /// The orientations in which a river tile may be laid at the river's open end, as bits.
    pub(crate) fn river_mask(&self, state: &State, kind: Kind) -> u8 {
        let Some(end) = state.river_end else { return 0 };
        let Content::Frontier(slot) = state.board.at(end.cell) else { return 0 };
        let code = state.board.codes()[slot];
        let turns = 0..kind.tile().rotations;
        turns.fold(0, |mask, turns| {
            let piece = self.tables.piece(kind, turns);
            let joins = piece.river >> end.from.index() & 1 == 1 && fits(&piece.terrain, code);
            let allowed = joins && self.bend_refused(state, kind, turns).is_none();
            mask | u8::from(allowed) << turns
        })
    }

    /// Why the U-turn rule refuses a river tile in this orientation at the river's open end, if it does.
    /// Only curves are ever refused.
    pub(crate) fn bend_refused(&self, state: &State, kind: Kind, turns: u8) -> Option<Uturned> {
        let end = state.river_end?;
        let next = Self::river_after(kind, turns, end.cell, Some(end))?;
        if next.bend == 0 {
            return None;
        }
        let ahead = next.from.opposite();
        let occupied = |cell: Cell| cell != end.cell && state.board.tile_at(cell).is_some();
        match self.variant.uturn {
            Uturn::Lookahead => {
                let laid = state.board.tiles().iter().filter(|placed| placed.kind().tile().is_straight());
                let lost: u32 = Kind::all()
                    .filter(|kind| kind.tile().is_straight())
                    .map(|kind| u32::from(state.discarded[kind.index()]))
                    .sum();
                let straights = STRAIGHTS - laid.count() as u32 - lost;
                (1..=straights as i8 + 1).find_map(|steps| {
                    let cell = end.cell.steps(ahead, steps);
                    let near =
                        Side::ALL.into_iter().map(|side| cell.step(side)).find(|near| occupied(*near))?;
                    Some(Uturned::WouldTouch { straights, ahead, steps, near })
                })
            }
            Uturn::TwoCells => (1..=2).find_map(|step| {
                let cell = end.cell.steps(ahead, step);
                let flanks = [cell, cell.step(ahead.turned(1)), cell.step(ahead.turned(3))];
                let near = flanks.into_iter().find(|near| occupied(*near))?;
                Some(Uturned::NotFree { ahead, near })
            }),
            Uturn::TwoCurves => (next.bend == end.bend).then_some(Uturned::SameTurn),
        }
    }

    /// Number of placements of a tile.
    #[inline]
    pub(crate) fn count_placements(&self, state: &State, kind: Kind) -> u32 {
        if kind.is_river() {
            self.river_mask(state, kind).count_ones()
        } else {
            state.board.count_placements(self.tables, kind)
        }
    }

    /// The placements of a tile; see [`Board::placements`](crate::board::Board::placements).
    #[inline]
    pub(crate) fn find_placements(&self, state: &State, kind: Kind, found: &mut Found) -> (usize, u32) {
        if !kind.is_river() {
            return state.board.placements(self.tables, kind, found);
        }
        let mask = self.river_mask(state, kind);
        let end = state.river_end.and_then(|end| match state.board.at(end.cell) {
            Content::Frontier(slot) => Some(slot),
            _ => None,
        });
        match end {
            Some(slot) if mask != 0 => {
                let count = mask.count_ones();
                found[0] = (slot as u8, (count as u8) << 4 | mask);
                (1, count)
            }
            _ => (0, 0),
        }
    }

    /// Appends the mover's legal actions, sorted.
    pub(crate) fn list(&self, state: &State, actions: &mut Vec<Action>) {
        match state.stage {
            Stage::Tile => self.list_tiles(state, actions),
            Stage::Action => {
                actions.push(Action::Pass);
                self.list_claims(state, actions);
                self.list_towers(state, actions);
            }
            Stage::Capture => {
                let first = actions.len();
                actions.extend(self.in_range(state).map(|(cell, post, _)| Action::Take { cell, post }));
                actions[first..].sort_unstable();
                actions.push(Action::Decline);
            }
            Stage::Order | Stage::Draw | Stage::Over => return,
        }
        actions.extend(self.ransoms(state).map(|captor| Action::Ransom(Seat::new(captor))));
    }

    fn list_tiles(&self, state: &State, actions: &mut Vec<Action>) {
        let hand = &state.hands[state.mover()];
        let first = actions.len();
        // The cells in order, once for all tiles of the hand.
        let mut order = [(Cell::default(), 0u8); MAX_FRONTIER];
        let cells = state.board.frontier();
        for (slot, cell) in cells.iter().enumerate() {
            order[slot] = (*cell, slot as u8);
        }
        let order = &mut order[..cells.len()];
        order.sort_unstable_by_key(|(cell, _)| {
            u16::from((cell.y as u8) ^ 0x80) << 8 | u16::from((cell.x as u8) ^ 0x80)
        });
        for tile in hand.distinct() {
            if tile.is_river() {
                if let Some(end) = state.river_end {
                    push_turns(tile, end.cell, self.river_mask(state, tile), actions);
                }
                continue;
            }
            let fit = &self.tables.fit[tile.index()];
            let codes = state.board.codes();
            for (cell, slot) in order.iter() {
                push_turns(tile, *cell, fit[usize::from(codes[usize::from(*slot)])], actions);
            }
        }
        if actions.len() == first {
            // R5.3 and rulings 12, 13: only when no tile of the hand fits anywhere.
            actions.extend(hand.distinct().map(|tile| Action::Discard { tile }));
        }
    }

    fn list_claims(&self, state: &State, actions: &mut Vec<Action>) {
        if state.supply[state.mover()] == 0 {
            return;
        }
        let first = actions.len();
        let placed = state.board.tiles()[state.board.len() - 1];
        let piece = self.tables.piece(placed.kind(), placed.turns());
        let claimable =
            (0..usize::from(piece.segments)).filter(|segment| state.claimable >> segment & 1 == 1);
        actions.extend(claimable.map(|segment| Action::Claim(piece.spots[segment])));
        actions[first..].sort_unstable();
    }

    fn list_towers(&self, state: &State, actions: &mut Vec<Action>) {
        if !self.variant.towers {
            return;
        }
        let board = &state.board;
        let cell = |tile: u8| board.tiles()[usize::from(tile)].cell;
        let first = actions.len();
        let open = board.towers().iter().filter(|tower| self.may_build(state, tower));
        actions.extend(open.map(|tower| Action::Floor(cell(tower.tile))));
        let open = board.towers().iter().filter(|tower| self.may_close(state, tower));
        actions.extend(open.map(|tower| Action::Close(cell(tower.tile))));
        actions[first..].sort_unstable();
    }

    /// Draws a legal action: a placement uniformly among all placements of the hand, an action uniformly
    /// among all of its stage.
    #[inline]
    pub(crate) fn sample(&self, state: &State, rng: &mut Stream, scratch: &mut Vec<Action>) -> Action {
        match state.stage {
            Stage::Tile if self.ransoms(state).next().is_none() => self.sample_tile(state, rng, scratch),
            Stage::Action if !self.variant.towers => self.sample_claim(state, rng),
            _ => {
                self.list(state, scratch);
                scratch[rng.index(scratch.len())]
            }
        }
    }

    #[inline]
    fn sample_tile(&self, state: &State, rng: &mut Stream, scratch: &mut Vec<Action>) -> Action {
        let hand = &state.hands[state.mover()];
        let mut counts = [0; crate::variant::MAX_HAND];
        let mut found: Found = [(0, 0); MAX_FRONTIER];
        let mut tiles = hand.distinct();
        let first = tiles.next();
        let (Some(mut tile), 1) = (first, hand.tiles().len()) else {
            let mut total = 0;
            for (number, tile) in hand.distinct().enumerate() {
                counts[number] = self.count_placements(state, tile);
                total += counts[number];
            }
            if total == 0 {
                return self.sample_listed(state, rng, scratch);
            }
            let mut left = rng.below(total);
            for (number, tile) in hand.distinct().enumerate() {
                if left < counts[number] {
                    self.find_placements(state, tile, &mut found);
                    return pick(state, tile, &found, left);
                }
                left -= counts[number];
            }
            return self.sample_listed(state, rng, scratch);
        };
        let (_, total) = self.find_placements(state, tile, &mut found);
        if total == 0 {
            tile = hand.tiles()[0];
            return Action::Discard { tile };
        }
        pick(state, tile, &found, rng.below(total))
    }

    #[cold]
    fn sample_listed(&self, state: &State, rng: &mut Stream, scratch: &mut Vec<Action>) -> Action {
        self.list(state, scratch);
        scratch[rng.index(scratch.len())]
    }

    #[inline]
    fn sample_claim(&self, state: &State, rng: &mut Stream) -> Action {
        let placed = state.board.tiles()[state.board.len() - 1];
        let mut claimable = state.claimable;
        let mut left = rng.below(claimable.count_ones() + 1);
        if left == 0 {
            return Action::Pass;
        }
        while left > 1 {
            claimable &= claimable - 1;
            left -= 1;
        }
        Action::Claim(
            self.tables.piece(placed.kind(), placed.turns()).spots[claimable.trailing_zeros() as usize],
        )
    }

    /// Who holds the feature of a segment of the last tile.
    pub(crate) fn holders(&self, state: &State, segment: usize) -> Vec<usize> {
        let tile = state.board.len() - 1;
        let feature = state.board.feature(node_of(tile, segment));
        (0..self.seats).filter(|seat| feature.meeples[*seat] > 0).collect()
    }
}

#[inline]
fn push_turns(tile: Kind, cell: Cell, mask: u8, actions: &mut Vec<Action>) {
    let mut mask = mask & 0xf;
    while mask != 0 {
        let turns = mask.trailing_zeros() as u8;
        mask &= mask - 1;
        actions.push(Action::Place { tile, cell, turns });
    }
}

/// The placement with this number among those found.
#[inline]
fn pick(state: &State, tile: Kind, found: &Found, number: u32) -> Action {
    let mut left = number;
    let mut at = 0;
    loop {
        let (slot, mut mask) = found[at];
        let here = u32::from(mask >> 4);
        if left < here {
            while left > 0 {
                mask &= mask - 1;
                left -= 1;
            }
            let cell = state.board.frontier()[usize::from(slot)];
            return Action::Place { tile, cell, turns: mask.trailing_zeros() as u8 };
        }
        left -= here;
        at += 1;
    }
}
