//! The turn: departures, majority, coins, and the next mover. Clause numbers are those of RULES.md.
//!
//! The inner loop is compiled for a few fixed lengths: `N` squares, in sets of `W` words. So no index needs a
//! check, and a set of the usual board stays in registers.

use meeple_core::{Audience, EventSink};

use crate::action::Action;
use crate::board::{Square, by_class, each_member, insert, next_member, remove, size};
use crate::chance::Coin;
use crate::event::{Event, TurnEvent, TurnTeller};
use crate::game::Game17;
use crate::state::{End, Stage, State};

impl Game17 {
    /// R3: applies the mover's departures, which must be legal.
    #[inline]
    pub(crate) fn take_turn(&self, state: &mut State, action: &Action, events: &mut impl EventSink<Event>) {
        let mut taken = false;
        // Listeners receive the changes. Playouts have none, so they skip the comparison of boards.
        events.emit(Audience::All, || {
            taken = true;
            by_class!(self.board.class(), Self::tell_turn(self, state, action))
        });
        if !taken {
            self.resolve(state, action);
        }
        if state.stage == Stage::Turn {
            self.end_turn(state, events);
        }
    }

    #[inline]
    fn resolve(&self, state: &mut State, action: &Action) {
        if !action.0.is_empty() {
            by_class!(self.board.class(), Self::resolve_turn(self, state, action));
        }
    }

    /// Subtracts departures, adds arrivals, and settles every square except tied ones.
    #[inline]
    fn resolve_turn<const N: usize, const W: usize>(&self, state: &mut State, action: &Action) {
        let neighbours: &[[u16; 4]; N] = self.board.neighbours.first_chunk().expect(FIXED);
        let size = self.board.size();
        let mover = state.order[usize::from(state.turn)];
        // Small boards have neighbours as sets. On large boards, setting four bits is faster.
        let near: &[[u64; W]] = self.board.near.as_chunks().0;
        let near: Option<&[[u64; W]; N]> = if W <= 4 { Some(near.first_chunk().expect(FIXED)) } else { None };
        let mut hot = Hot::<N, W>::of(state);
        let mut touched = [0; W];
        for departure in &action.0 {
            let origin = (departure.row as usize * size + departure.column as usize) % N;
            // R3.5: all departures are subtracted before arrivals are added.
            let mut leaving = 0u32;
            for (target, count) in neighbours[origin].iter().zip(departure.counts) {
                let target = usize::from(*target) % N;
                hot.arrivals[target] = hot.arrivals[target].wrapping_add(count as u32);
                leaving = leaving.wrapping_add(count as u32);
                if near.is_none() {
                    insert(&mut touched, target);
                }
            }
            hot.numbers[origin] = hot.numbers[origin].wrapping_sub(leaving);
            if let Some(near) = near {
                for (word, bits) in touched.iter_mut().zip(&near[origin]) {
                    *word |= bits;
                }
            }
        }
        let own = hot.owned[usize::from(mover) % N];
        for (word, bits) in touched.iter_mut().enumerate() {
            let mut friendly = *bits & own[word];
            *bits ^= friendly;
            // R3.6: pieces that arrive at an own square stay there.
            while friendly != 0 {
                let square = (word * 64 + friendly.trailing_zeros() as usize) % N;
                friendly &= friendly - 1;
                hot.numbers[square] = hot.numbers[square].wrapping_add(hot.arrivals[square]);
                hot.arrivals[square] = 0;
            }
        }
        for (word, bits) in touched.iter().enumerate() {
            let mut foreign = *bits;
            while foreign != 0 {
                let square = (word * 64 + foreign.trailing_zeros() as usize) % N;
                foreign &= foreign - 1;
                let incoming = hot.arrivals[square];
                if incoming > 0 {
                    hot.arrivals[square] = 0;
                    hot.settle(mover, square, incoming);
                }
            }
        }
        if hot.ties.iter().any(|word| *word != 0) {
            state.stage = Stage::Coins;
        }
    }

    /// R3.8: applies the coin of the first tied square.
    #[inline]
    pub(crate) fn toss(&self, state: &mut State, coin: Coin, events: &mut impl EventSink<Event>) {
        let Some(square) = next_member(&state.ties, 0) else {
            return;
        };
        let owner = state.owners[square];
        by_class!(self.board.class(), Self::settle_tie(state, square, coin));
        events.emit(Audience::All, || {
            let place = self.board.places[square];
            let now = state.owners[square];
            Event::Coin { row: place.row, column: place.column, from: owner, owner: now }
        });
        if next_member(&state.ties, 0).is_none() {
            state.stage = Stage::Turn;
            self.end_turn(state, events);
        }
    }

    #[inline]
    fn settle_tie<const N: usize, const W: usize>(state: &mut State, square: usize, coin: Coin) {
        let mover = state.order[usize::from(state.turn)];
        let mut hot = Hot::<N, W>::of(state);
        remove(hot.ties, square % N);
        let owner = hot.owners[square % N];
        // Both sides brought the same number of pieces.
        let half = hot.numbers[square % N] / 2;
        match coin {
            Coin::Mover => {
                hot.give_pieces(owner, mover, half);
                hot.give_square(square % N, owner, mover);
            }
            Coin::Owner => hot.give_pieces(mover, owner, half),
        }
    }

    /// Ends a turn: the game is over, or the next mover is determined.
    #[inline]
    fn end_turn(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        // R4.1: the game can end after every turn, not only at the end of a round.
        if state.sides <= 1 {
            return self.finish(state, End::OneSide, events);
        }
        let mut place = usize::from(state.turn) + 1;
        loop {
            match next_member(&state.living, place) {
                None => {
                    state.round += 1;
                    place = 0;
                    if state.round == self.variant.rounds {
                        // R4.2: the game ends after the last round.
                        return self.finish(state, End::LastRound, events);
                    }
                }
                Some(next) => {
                    let owner = state.order[next];
                    if state.pieces[usize::from(owner)] > 0 {
                        state.turn = next as u16;
                        return;
                    }
                    // R3.2: an owner with only empty squares has a turn without a decision.
                    let round = state.round;
                    events.emit(Audience::All, || Event::Turn(TurnEvent::new(round, owner, [], [], [])));
                    place = next + 1;
                }
            }
        }
    }

    #[cold]
    fn finish(&self, state: &mut State, end: End, events: &mut impl EventSink<Event>) {
        state.stage = Stage::Over(end);
        events.emit(Audience::All, || {
            let most = state.squares.iter().copied().max().unwrap_or(0);
            let winners = (0..self.board.squares()).filter(|owner| state.squares[*owner] == most);
            Event::End {
                reason: crate::info::INFO.ends[end as usize],
                winners: winners.map(|owner| owner as u16).collect(),
                squares: most,
            }
        });
    }

    fn tell_turn<const N: usize, const W: usize>(&self, state: &mut State, action: &Action) -> Event {
        let mover = state.order[usize::from(state.turn)];
        let own = |state: &State| -> [u64; W] { state.owned.as_chunks().0[usize::from(mover)] };
        let before = own(state);
        let numbers: [u32; N] = *state.numbers.first_chunk().expect(FIXED);
        let reached = self.reached::<N, W>(action);
        if !action.0.is_empty() {
            self.resolve_turn::<N, W>(state, action);
        }
        // Only the mover can gain squares.
        let mut taken = own(state);
        taken.iter_mut().zip(before).for_each(|(word, before)| *word &= !before);
        let ties: &[u64; W] = state.ties.first_chunk().expect(FIXED);
        let after: &[u32; N] = state.numbers.first_chunk().expect(FIXED);
        let places: &[Square; N] = self.board.places.first_chunk().expect(FIXED);
        // The capacity is an estimate: few reached squares keep their number.
        let mut turn = TurnTeller::new(state.round, mover, size(&taken) + size(&reached) + size(ties));
        each_member(&taken, |square| {
            let place = places[square % N];
            turn.push((place.row, place.column, mover.into()));
        });
        turn.end_of_owners();
        each_member(&reached, |square| {
            let (square, place) = (square % N, places[square % N]);
            if numbers[square] != after[square] {
                turn.push((place.row, place.column, after[square]));
            }
        });
        turn.end_of_numbers();
        each_member(ties, |square| {
            let place = places[square % N];
            turn.push((place.row, place.column, 0));
        });
        Event::Turn(turn.into_event())
    }

    /// The squares whose numbers these departures may change.
    fn reached<const N: usize, const W: usize>(&self, action: &Action) -> [u64; W] {
        // Large boards have no sets of neighbours.
        let near: Option<&[[u64; W]; N]> = self.board.near.as_chunks().0.first_chunk();
        let mut reached = [0; W];
        for departure in &action.0 {
            let origin = self.origin(departure) % N;
            insert(&mut reached, origin);
            match near {
                Some(near) => {
                    for (word, bits) in reached.iter_mut().zip(&near[origin]) {
                        *word |= bits;
                    }
                }
                None => {
                    for target in self.board.neighbours[origin] {
                        insert(&mut reached, target.into());
                    }
                }
            }
        }
        reached
    }
}

const FIXED: &str = "arrays by square are padded to the class of the board";

/// The data that a turn changes, as arrays of fixed length.
struct Hot<'a, const N: usize, const W: usize> {
    numbers: &'a mut [u32; N],
    arrivals: &'a mut [u32; N],
    owners: &'a mut [u16; N],
    owned: &'a mut [[u64; W]; N],
    squares: &'a mut [u16; N],
    pieces: &'a mut [u32; N],
    place: &'a [u16; N],
    living: &'a mut [u64; W],
    ties: &'a mut [u64; W],
    sides: &'a mut u16,
}

impl<'a, const N: usize, const W: usize> Hot<'a, N, W> {
    #[inline]
    fn of(state: &'a mut State) -> Self {
        Self {
            numbers: state.numbers.first_chunk_mut().expect(FIXED),
            arrivals: state.arrivals.first_chunk_mut().expect(FIXED),
            owners: state.owners.first_chunk_mut().expect(FIXED),
            owned: state.owned.as_chunks_mut().0.first_chunk_mut().expect(FIXED),
            squares: state.squares.first_chunk_mut().expect(FIXED),
            pieces: state.pieces.first_chunk_mut().expect(FIXED),
            place: state.place.first_chunk().expect(FIXED),
            living: state.living.first_chunk_mut().expect(FIXED),
            ties: state.ties.first_chunk_mut().expect(FIXED),
            sides: &mut state.sides,
        }
    }

    #[inline]
    fn settle(&mut self, mover: u16, square: usize, incoming: u32) {
        let staying = self.numbers[square % N];
        let owner = self.owners[square % N];
        // R3.7: no piece is lost.
        self.numbers[square % N] = staying.wrapping_add(incoming);
        match incoming.cmp(&staying) {
            std::cmp::Ordering::Greater => {
                self.give_pieces(owner, mover, staying);
                self.give_square(square, owner, mover);
            }
            std::cmp::Ordering::Less => self.give_pieces(mover, owner, incoming),
            std::cmp::Ordering::Equal => insert(self.ties, square % N),
        }
    }

    /// Transfers pieces on a square to another owner. An owner that loses its last piece no longer counts as
    /// a side. An owner without pieces cannot gain any, because every arrival takes an empty square.
    #[inline]
    fn give_pieces(&mut self, from: u16, to: u16, count: u32) {
        let gained = &mut self.pieces[usize::from(to) % N];
        *gained = gained.wrapping_add(count);
        let left = &mut self.pieces[usize::from(from) % N];
        *left = left.wrapping_sub(count);
        if *left == 0 && count > 0 {
            *self.sides -= 1;
        }
    }

    #[inline]
    fn give_square(&mut self, square: usize, from: u16, to: u16) {
        let (from, to) = (usize::from(from) % N, usize::from(to) % N);
        self.owners[square % N] = to as u16;
        remove(&mut self.owned[from], square % N);
        insert(&mut self.owned[to], square % N);
        self.squares[to] += 1;
        self.squares[from] -= 1;
        if self.squares[from] == 0 {
            // R2.4: an owner without squares has no more turns.
            remove(self.living, usize::from(self.place[from]) % N);
        }
    }
}
