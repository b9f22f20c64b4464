//! The course of the game: turns, tiles, claims, towers.

use meeple_core::{Audience, EventSink, Permutation, Seat};

use crate::action::{Action, Post};
use crate::board::{Placed, node_of};
use crate::event::Event;
use crate::game::Carcassonne;
use crate::geometry::{Cell, Spot};
use crate::info::ends;
use crate::rules::scoring::Claimed;
use crate::state::{Pile, RiverEnd, Source, Stage, State};
use crate::tiles::{Kind, Piece};
use crate::variant::{Lake, MAX_SEATS, Order};

impl Carcassonne {
    #[inline]
    pub(crate) fn draw_due(&self, state: &State) -> (Pile, usize) {
        let held = usize::from(self.variant.hand) - 1;
        if state.stack.river() > 0 {
            (Pile::River, state.mover())
        } else if usize::from(state.dealt) < held * self.seats {
            (Pile::Land, usize::from(state.dealt) / held)
        } else {
            (Pile::Land, state.mover())
        }
    }

    pub(crate) fn begin(
        &self,
        state: &mut State,
        order: &Permutation<MAX_SEATS>,
        events: &mut impl EventSink<Event>,
    ) {
        state.order = order.padded();
        events.emit(Audience::All, || Event::TurnOrder { order: order.items().to_vec() });
        events.emit(Audience::All, || Event::Started { tile: state.board.tiles()[0].kind() });
        self.begin_turn(state, events);
    }

    /// Continues from a constructed position. A mover with a tile in its hand lays one.
    pub(crate) fn resume(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        if state.hands[state.mover()].tiles().is_empty() {
            self.begin_turn(state, events);
        } else {
            state.stage = Stage::Tile;
        }
    }

    fn begin_turn(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        loop {
            if state.stack.river() > 0 {
                state.stage = Stage::Draw;
                return;
            }
            if state.lake_due {
                state.lake_due = false;
                match self.variant.lake {
                    // R3.6: the lake is laid automatically after the turn of the tenth tile; nobody claims on
                    // it.
                    Lake::Auto => self.lay_lake(state, events),
                    Lake::Player if self.river_mask(state, Kind::LAKE) == 0 => {
                        self.break_river(state, events);
                    }
                    Lake::Player => {
                        state.hands[state.mover()].insert(Kind::LAKE);
                        state.stage = Stage::Tile;
                        return;
                    }
                }
            }
            if state.stack.land() > 0 {
                // `draw_due` selects the tile: one for the first hands, or the mover's.
                state.stage = Stage::Draw;
                return;
            }
            if state.hands[..self.seats].iter().all(|hand| hand.tiles().is_empty()) {
                self.finish(state, ends::TILES, events);
                return;
            }
            if !state.hands[state.mover()].tiles().is_empty() {
                state.stage = Stage::Tile;
                return;
            }
            self.pass_turn(state);
        }
    }

    #[inline]
    fn pass_turn(&self, state: &mut State) {
        let next = usize::from(state.turn) + 1;
        state.turn = if next == self.seats { 0 } else { next as u8 };
        state.ransoms = 0;
    }

    #[inline]
    fn next_turn(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        state.turns += 1;
        self.pass_turn(state);
        self.begin_turn(state, events);
    }

    #[inline]
    pub(crate) fn draw_tile(&self, state: &mut State, kind: Kind, events: &mut impl EventSink<Event>) {
        let (pile, seat) = self.draw_due(state);
        let dealing = pile == Pile::Land && state.dealt < (self.variant.hand - 1) * self.seats as u8;
        state.stack.take(kind);
        state.hands[seat].insert(kind);
        let known = if self.open_hands() {
            Audience::All
        } else {
            events.emit(Audience::All, || Event::Drew { seat: Seat::new(seat) });
            Audience::only(Seat::new(seat))
        };
        events.emit(known, || Event::DrewTile { seat: Seat::new(seat), tile: kind });
        if dealing {
            state.dealt += 1;
            self.begin_turn(state, events);
        } else {
            state.stage = Stage::Tile;
        }
    }

    fn lay_lake(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        let mask = self.river_mask(state, Kind::LAKE);
        let Some(end) = state.river_end else { return };
        if mask == 0 {
            self.break_river(state, events);
            return;
        }
        let turns = mask.trailing_zeros() as u8;
        state.board.place(self.tables, Kind::LAKE, end.cell, turns, self.fields);
        state.river_end = None;
        events.emit(Audience::All, || Event::Lake { cell: end.cell, turns });
    }

    fn break_river(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        if let Some(end) = state.river_end.take() {
            state.board.bury(self.tables, end.cell);
            events.emit(Audience::All, || Event::RiverBroken { cell: end.cell });
        }
    }

    #[inline]
    pub(crate) fn take_action(&self, state: &mut State, action: Action, events: &mut impl EventSink<Event>) {
        state.last = Some((state.mover() as u8, action));
        match action {
            Action::Place { tile, cell, turns } => self.lay(state, tile, cell, turns, events),
            Action::Discard { tile } => self.discard(state, tile, events),
            Action::Pass | Action::Decline => self.end_turn(state, events),
            Action::Claim(spot) => self.claim(state, spot, events),
            Action::Floor(cell) => self.build_floor(state, cell, events),
            Action::Close(cell) => self.close_tower(state, cell, events),
            Action::Take { cell, post } => self.capture(state, cell, post, events),
            Action::Ransom(captor) => self.pay_ransom(state, captor.index(), events),
        }
    }

    #[inline]
    fn lay(&self, state: &mut State, kind: Kind, cell: Cell, turns: u8, events: &mut impl EventSink<Event>) {
        let mover = state.mover();
        state.placements += self.count_placements(state, kind);
        state.laid += 1;
        state.hands[mover].remove(kind);
        let tile = state.board.len();
        state.board.place(self.tables, kind, cell, turns, self.fields);
        if kind.is_river() {
            state.river_end = RiverEnd::after(kind, turns, cell, state.river_end);
        }
        events.emit(Audience::All, || Event::Placed { seat: Seat::new(mover), tile: kind, cell, turns });
        let piece = self.tables.piece(kind, turns);
        if self.variant.order == Order::ScoreFirst {
            return self.score_then_ask(state, piece, events);
        }
        state.claimable = state.board.claimable(piece, tile, self.fields);
        if self.may_act(state) {
            state.stage = Stage::Action;
        } else {
            self.end_turn(state, events);
        }
    }

    /// R9.1: completed features score before the claim, and the player is asked in every turn.
    #[cold]
    fn score_then_ask(&self, state: &mut State, piece: &Piece, events: &mut impl EventSink<Event>) {
        let scored = self.score_complete(state, Claimed::Before, events);
        if self.limit_reached(state) {
            state.turns += 1;
            return self.finish(state, ends::LIMIT, events);
        }
        let tile = state.board.len() - 1;
        // R9.3: features that have just scored cannot be claimed.
        state.claimable = state.board.claimable(piece, tile, self.fields) & !scored;
        if state.supply[state.mover()] == 0 && !self.variant.towers {
            state.claimable = 0;
        }
        state.stage = Stage::Action;
    }

    /// Returns true if the mover can do anything but pass.
    #[inline]
    fn may_act(&self, state: &State) -> bool {
        if self.claims(state) != 0 {
            return true;
        }
        if !self.variant.towers {
            return false;
        }
        let mut towers = state.board.towers().iter();
        towers.any(|tower| self.may_build(state, tower) || self.may_close(state, tower))
            || self.ransoms(state).next().is_some()
    }

    fn discard(&self, state: &mut State, kind: Kind, events: &mut impl EventSink<Event>) {
        let mover = state.mover();
        state.hands[mover].remove(kind);
        state.discarded[kind.index()] += 1;
        state.discards += 1;
        events.emit(Audience::All, || Event::Discarded { seat: Seat::new(mover), tile: kind });
        let left = if kind.is_river() { state.stack.river() } else { state.stack.land() };
        if left > 0 {
            state.stage = Stage::Draw;
        } else {
            // R5.3: no tile is left to draw, so the turn ends.
            self.next_turn(state, events);
        }
    }

    fn claim(&self, state: &mut State, spot: Spot, events: &mut impl EventSink<Event>) {
        let mover = state.mover();
        let tile = state.board.len() - 1;
        let placed = state.board.tiles()[tile];
        if let Some(segment) = self.piece_of(placed).segment_at(spot) {
            state.board.man(node_of(tile, segment), mover);
            state.supply[mover] -= 1;
            events.emit(Audience::All, || Event::Claimed { seat: Seat::new(mover), cell: placed.cell, spot });
        }
        self.end_turn(state, events);
    }

    /// The piece of a placed tile, without access to the global tables.
    #[inline]
    fn piece_of(&self, placed: Placed) -> &Piece {
        self.tables.piece(placed.kind(), placed.turns())
    }

    fn build_floor(&self, state: &mut State, cell: Cell, events: &mut impl EventSink<Event>) {
        let mover = state.mover();
        let Some(number) = state.board.tower_at(cell) else { return };
        let tower = state.board.tower_mut(number);
        tower.height += 1;
        let height = tower.height;
        state.floors[mover] -= 1;
        events.emit(Audience::All, || Event::Floor { seat: Seat::new(mover), cell, height });
        state.tower = number as u8;
        if state.board.in_range(self.tables, number).next().is_some() {
            state.stage = Stage::Capture;
        } else {
            self.end_turn(state, events);
        }
    }

    fn close_tower(&self, state: &mut State, cell: Cell, events: &mut impl EventSink<Event>) {
        let mover = state.mover();
        if let Some(number) = state.board.tower_at(cell) {
            state.board.tower_mut(number).guard = Some(mover as u8);
            state.supply[mover] -= 1;
            events.emit(Audience::All, || Event::Closed { seat: Seat::new(mover), cell });
        }
        self.end_turn(state, events);
    }

    fn capture(&self, state: &mut State, cell: Cell, post: Post, events: &mut impl EventSink<Event>) {
        let mover = state.mover();
        let owner = match post {
            Post::Guard => state.board.tower_at(cell).and_then(|number| {
                // R7.4: without its guard the tower is open again.
                state.board.tower_mut(number).guard.take().map(usize::from)
            }),
            Post::On(spot) => state.board.tile_at(cell).and_then(|tile| {
                let segment = self.piece_of(state.board.tiles()[tile]).segment_at(spot)?;
                state.board.unman(node_of(tile, segment))
            }),
        };
        if let Some(owner) = owner {
            events.emit(Audience::All, || Event::captured(Seat::new(mover), Seat::new(owner), cell, post));
            if owner == mover {
                state.supply[mover] += 1;
            } else {
                state.captures[mover] += 1;
                state.prisoners[mover][owner] += 1;
                self.exchange(state, mover, owner, events);
            }
        }
        self.end_turn(state, events);
    }

    /// R7.6: two seats that hold meeples of each other exchange one each at once.
    fn exchange(&self, state: &mut State, one: usize, other: usize, events: &mut impl EventSink<Event>) {
        if state.prisoners[one][other] > 0 && state.prisoners[other][one] > 0 {
            state.prisoners[one][other] -= 1;
            state.prisoners[other][one] -= 1;
            state.supply[one] += 1;
            state.supply[other] += 1;
            events.emit(Audience::All, || Event::Exchanged { seats: [Seat::new(one), Seat::new(other)] });
        }
    }

    fn pay_ransom(&self, state: &mut State, captor: usize, events: &mut impl EventSink<Event>) {
        let mover = state.mover();
        let price = self.variant.ransom;
        state.ransoms += 1;
        state.prisoners[captor][mover] -= 1;
        state.supply[mover] += 1;
        state.points[mover] -= price;
        state.points[captor] += price;
        state.sources[mover][Source::Ransom as usize] -= price;
        state.sources[captor][Source::Ransom as usize] += price;
        events.emit(Audience::All, || Event::Ransomed {
            seat: Seat::new(mover),
            captor: Seat::new(captor),
            points: price,
        });
        // Ruling 26: a captor that reaches the limit ends the game at once.
        if self.limit_reached(state) {
            self.finish(state, ends::LIMIT, events);
        } else if state.stage == Stage::Action && !self.variant.lone_pass && !self.may_act(state) {
            // R5.2: a question that only a pass would answer is skipped.
            self.end_turn(state, events);
        }
    }

    #[inline]
    fn limit_reached(&self, state: &State) -> bool {
        let limit = self.variant.point_limit;
        limit > 0 && state.points[..self.seats].iter().any(|points| *points >= limit)
    }

    /// Ends the mover's turn: complete features score, and the next seat's turn starts.
    #[inline]
    fn end_turn(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        let claimed =
            if self.variant.order == Order::ClaimFirst { Claimed::Before } else { Claimed::Complete };
        self.score_complete(state, claimed, events);
        if self.limit_reached(state) {
            state.turns += 1;
            self.finish(state, ends::LIMIT, events);
        } else {
            self.next_turn(state, events);
        }
    }

    fn finish(&self, state: &mut State, end: u8, events: &mut impl EventSink<Event>) {
        events.emit(Audience::All, || Event::Ended { reason: ends::NAMES[usize::from(end)] });
        self.score_end(state, events);
        state.end = end;
        state.stage = Stage::Over;
    }
}
