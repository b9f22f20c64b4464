//! The legal actions: listing, sampling, counting.

use meeple_core::{Seat, Stream};

use crate::action::Action;
use crate::board::{Content, MAX_FRONTIER, MAX_TOWERS, Tower};
use crate::game::Carcassonne;
use crate::geometry::{Cell, Spot};
use crate::state::{Stage, State};
use crate::tiles::{Kind, MAX_SEGMENTS};
use crate::variant::MAX_HAND;

impl Carcassonne {
    #[inline]
    pub(crate) fn count_placements(&self, state: &State, kind: Kind) -> u32 {
        if kind.is_river() {
            self.river_mask(state, kind).count_ones()
        } else {
            state.board.count_placements(kind)
        }
    }

    /// Returns true if the mover may add a floor to this tower.
    #[inline]
    pub(crate) fn may_build(&self, state: &State, tower: &Tower) -> bool {
        tower.guard.is_none() && state.floors[state.mover()] > 0
    }

    #[inline]
    pub(crate) fn may_close(&self, state: &State, tower: &Tower) -> bool {
        tower.guard.is_none() && tower.height > 0 && state.supply[state.mover()] > 0
    }

    /// The seats from which the mover may ransom a meeple now.
    #[inline]
    pub(crate) fn ransoms<'a>(&'a self, state: &'a State) -> impl Iterator<Item = usize> + 'a {
        let mover = state.mover();
        let able = self.variant.towers
            && state.ransoms < self.variant.ransoms
            && state.points[mover] >= self.variant.ransom;
        (0..if able { self.seats } else { 0 }).filter(move |captor| state.prisoners[*captor][mover] > 0)
    }

    /// Bits of the segments of the tile just laid that the mover may claim.
    #[inline]
    pub(crate) fn claims(&self, state: &State) -> u8 {
        if state.supply[state.mover()] > 0 { state.claimable } else { 0 }
    }

    /// Bits of the orientations in which a tile may be laid on a cell.
    pub(crate) fn turns_on(&self, state: &State, kind: Kind, cell: Cell) -> u8 {
        match state.board.at(cell) {
            Content::Frontier(slot) if !kind.is_river() => {
                self.tables.fit[kind.index()][usize::from(state.board.codes()[slot])].turns()
            }
            Content::Frontier(_) if state.river_end.is_some_and(|end| end.cell == cell) => {
                self.river_mask(state, kind)
            }
            _ => 0,
        }
    }

    /// Appends the mover's legal actions, sorted.
    pub(crate) fn list(&self, state: &State, actions: &mut Vec<Action>) {
        match state.stage {
            Stage::Tile => self.list_tiles(state, actions),
            Stage::Action => {
                actions.push(Action::Pass);
                self.list_claims(state, actions);
                if self.variant.towers {
                    self.list_towers(state, actions);
                }
            }
            Stage::Capture => {
                let first = actions.len();
                let found = state.board.in_range(self.tables, usize::from(state.tower));
                actions.extend(found.map(|(cell, post, _)| Action::Take { cell, post }));
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
        // The cells where any tile of the hand fits, sorted once for all tiles.
        let (mut order, mut count) = ([0; MAX_FRONTIER], 0);
        let (cells, codes) = (state.board.frontier(), state.board.codes());
        for (slot, cell) in cells.iter().enumerate() {
            let code = usize::from(codes[slot]);
            if hand.tiles().iter().all(|tile| tile.is_river() || !self.tables.fit[tile.index()][code].any()) {
                continue;
            }
            // Row, column and slot are packed into one number, which sorts fastest.
            order[count] = u32::from_be_bytes([0, cell.y as u8 ^ 0x80, cell.x as u8 ^ 0x80, slot as u8]);
            count += 1;
        }
        let order = &mut order[..count];
        order.sort_unstable();
        for tile in hand.distinct() {
            if tile.is_river() {
                if let Some(end) = state.river_end {
                    push_turns(tile, end.cell, self.river_mask(state, tile), actions);
                }
                continue;
            }
            let fit = &self.tables.fit[tile.index()];
            for number in order.iter() {
                let slot = (number & 0xff) as usize;
                push_turns(tile, cells[slot], fit[usize::from(codes[slot])].turns(), actions);
            }
        }
        if actions.len() == first {
            // R5.3, rulings 12 and 13: a discard is legal only if no tile of the hand fits anywhere.
            actions.extend(hand.distinct().map(|tile| Action::Discard { tile }));
        }
    }

    fn list_claims(&self, state: &State, actions: &mut Vec<Action>) {
        let first = actions.len();
        actions.extend(self.claim_spots(state).map(Action::Claim));
        actions[first..].sort_unstable();
    }

    fn list_towers(&self, state: &State, actions: &mut Vec<Action>) {
        let first = actions.len();
        actions.extend(self.floors(state).map(Action::Floor));
        actions.extend(self.closes(state).map(Action::Close));
        actions[first..].sort_unstable();
    }

    /// The spots of the tile just laid that the mover may claim.
    #[inline]
    fn claim_spots<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Spot> + 'a {
        let placed = state.board.tiles()[state.board.len() - 1];
        let piece = self.tables.piece(placed.kind(), placed.turns());
        let mut claims = self.claims(state);
        std::iter::from_fn(move || {
            let segment = (claims != 0).then(|| claims.trailing_zeros() as usize)?;
            claims &= claims - 1;
            Some(piece.spots[segment])
        })
    }

    #[inline]
    fn floors<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Cell> + 'a {
        let open = state.board.towers().iter().filter(|tower| self.may_build(state, tower));
        open.map(|tower| state.board.tiles()[usize::from(tower.tile)].cell)
    }

    #[inline]
    fn closes<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Cell> + 'a {
        let open = state.board.towers().iter().filter(|tower| self.may_close(state, tower));
        open.map(|tower| state.board.tiles()[usize::from(tower.tile)].cell)
    }

    /// Draws a legal action uniformly: among all placements of the hand, or among all actions of the stage.
    #[inline]
    pub(crate) fn sample(&self, state: &State, rng: &mut Stream, scratch: &mut Vec<Action>) -> Action {
        match state.stage {
            Stage::Tile if self.ransoms(state).next().is_none() => self.sample_tile(state, rng, scratch),
            Stage::Action if !self.variant.towers => self.sample_claim(state, rng),
            Stage::Action => self.sample_with_towers(state, rng),
            _ => self.sample_listed(state, rng, scratch),
        }
    }

    #[inline]
    fn sample_tile(&self, state: &State, rng: &mut Stream, scratch: &mut Vec<Action>) -> Action {
        let hand = &state.hands[state.mover()];
        let mut counts = [0; MAX_HAND];
        for (count, tile) in counts.iter_mut().zip(hand.distinct()) {
            *count = self.count_placements(state, tile);
        }
        let total = counts.iter().sum();
        match hand.tiles() {
            // No random number is drawn without a choice.
            [tile] if total == 0 => return Action::Discard { tile: *tile },
            _ if total == 0 => return self.sample_listed(state, rng, scratch),
            _ => {}
        }
        let mut left = rng.below(total);
        let mut tiles = hand.distinct().zip(counts);
        loop {
            let (tile, count) = tiles.next().expect("the counts sum up to the bound of the draw");
            if left < count {
                return self.placement(state, tile, left);
            }
            left -= count;
        }
    }

    /// The placement of a tile with this number; placements are numbered by frontier cell, then by turns.
    #[inline]
    fn placement(&self, state: &State, tile: Kind, number: u32) -> Action {
        let (mut left, mut cell, mut mask) = (number, Cell::default(), 0);
        if tile.is_river() {
            cell = state.river_end.map_or(cell, |end| end.cell);
            mask = self.river_mask(state, tile);
        } else {
            let fit = &self.tables.fit[tile.index()];
            for (near, code) in state.board.frontier().iter().zip(state.board.codes()) {
                let fit = fit[usize::from(*code)];
                if left < fit.count() {
                    (cell, mask) = (*near, fit.turns());
                    break;
                }
                left -= fit.count();
            }
        }
        for _ in 0..left {
            mask &= mask - 1;
        }
        Action::Place { tile, cell, turns: mask.trailing_zeros() as u8 }
    }

    fn sample_listed(&self, state: &State, rng: &mut Stream, scratch: &mut Vec<Action>) -> Action {
        self.list(state, scratch);
        scratch[rng.index(scratch.len())]
    }

    /// Draws the same action as a draw from the sorted list, but uses only counts.
    fn sample_with_towers(&self, state: &State, rng: &mut Stream) -> Action {
        let counts = [
            1,
            self.claims(state).count_ones() as usize,
            self.floors(state).count(),
            self.closes(state).count(),
            self.ransoms(state).count(),
        ];
        let mut left = rng.index(counts.iter().sum());
        let mut kind = 0;
        while left >= counts[kind] {
            left -= counts[kind];
            kind += 1;
        }
        match kind {
            0 => Action::Pass,
            1 => {
                Action::Claim(nth_smallest::<_, MAX_SEGMENTS>(self.claim_spots(state), left, Spot::Monastery))
            }
            2 => Action::Floor(nth_smallest::<_, MAX_TOWERS>(self.floors(state), left, Cell::default())),
            3 => Action::Close(nth_smallest::<_, MAX_TOWERS>(self.closes(state), left, Cell::default())),
            _ => {
                let captor = self.ransoms(state).nth(left).expect("the place is below the number of captors");
                Action::Ransom(Seat::new(captor))
            }
        }
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
}

/// The `n`-th smallest item, counted from 0, of at most `CAPACITY` items. `any` initialises the buffer.
fn nth_smallest<T: Copy + Ord, const CAPACITY: usize>(items: impl Iterator<Item = T>, n: usize, any: T) -> T {
    let mut found = [any; CAPACITY];
    let mut len = 0;
    for item in items {
        found[len] = item;
        len += 1;
    }
    *found[..len].select_nth_unstable(n).1
}

#[inline]
fn push_turns(tile: Kind, cell: Cell, mask: u8, actions: &mut Vec<Action>) {
    let mut mask = mask;
    while mask != 0 {
        let turns = mask.trailing_zeros() as u8;
        mask &= mask - 1;
        actions.push(Action::Place { tile, cell, turns });
    }
}
