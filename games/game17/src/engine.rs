//! The turn: departures, majority, coins, and whose turn is next. Clauses as numbered in RULES.md.
//!
//! The inner loop is compiled for a few fixed lengths (`N` squares in sets of `W` words), so that no index
//! needs a check and a set of the usual board stays in registers.

use meeple_core::{Audience, EventSink};

use crate::action::Action;
use crate::board::{by_class, insert, members, next_member, remove};
use crate::chance::Coin;
use crate::event::{Change, Event};
use crate::rules::Game17;
use crate::state::{End, Stage, State};

impl Game17 {
    /// R3: the mover's departures, which must be legal.
    #[inline]
    pub(crate) fn take_turn(&self, state: &mut State, action: &Action, events: &mut impl EventSink<Event>) {
        events.emit(Audience::All, || self.describe_turn(state, action));
        if !action.0.is_empty() {
            by_class!(self.board.class(), Self::resolve_turn(self, state, action));
        }
        if state.stage == Stage::Turn {
            self.end_turn(state, events);
        }
    }

    /// Subtracts departures, adds arrivals, and settles every square but the tied ones.
    #[inline]
    fn resolve_turn<const N: usize, const W: usize>(&self, state: &mut State, action: &Action) {
        const FIXED: &str = "arrays by square are padded to the class of the board";
        let neighbours: &[[u16; 4]; N] = self.board.neighbours.first_chunk().expect(FIXED);
        let arrivals: &mut [u32; N] = state.arrivals.first_chunk_mut().expect(FIXED);
        let numbers: &mut [u32; N] = state.numbers.first_chunk_mut().expect(FIXED);
        let size = self.board.size();
        let mover = state.order[usize::from(state.turn)];
        let mut touched = [0; W];
        for departure in &action.0 {
            let origin = (departure.row as usize * size + departure.column as usize) % N;
            // R3.5: all departures are subtracted first.
            let mut leaving = 0u32;
            for (target, count) in neighbours[origin].iter().zip(departure.counts) {
                let target = usize::from(*target) % N;
                arrivals[target] = arrivals[target].wrapping_add(count as u32);
                leaving = leaving.wrapping_add(count as u32);
                if W > 4 {
                    insert(&mut touched, target);
                }
            }
            numbers[origin] = numbers[origin].wrapping_sub(leaving);
            if W <= 4 {
                let near: &[[u64; W]] = self.board.near.as_chunks().0;
                for (word, bits) in touched.iter_mut().zip(&near[origin]) {
                    *word |= bits;
                }
            }
        }
        let own: [u64; W] = *state.owned[usize::from(mover) * W..].first_chunk().expect(FIXED);
        for (word, bits) in touched.iter_mut().enumerate() {
            let mut friendly = *bits & own[word];
            *bits ^= friendly;
            // R3.6: arrivals at an own square stay there.
            while friendly != 0 {
                let square = (word * 64 + friendly.trailing_zeros() as usize) % N;
                friendly &= friendly - 1;
                numbers[square] = numbers[square].wrapping_add(arrivals[square]);
                arrivals[square] = 0;
            }
        }
        for (word, bits) in touched.iter().enumerate() {
            let mut foreign = *bits;
            while foreign != 0 {
                let square = (word * 64 + foreign.trailing_zeros() as usize) % N;
                foreign &= foreign - 1;
                let incoming = state.arrivals[square];
                if incoming > 0 {
                    state.arrivals[square] = 0;
                    self.settle(state, mover, square, incoming);
                }
            }
        }
    }

    /// Arrivals meet what stayed on a foreign square.
    #[inline]
    fn settle(&self, state: &mut State, mover: u16, square: usize, incoming: u32) {
        let staying = state.numbers[square];
        let owner = state.owners[square];
        // R3.7: no piece dies.
        state.numbers[square] = staying.wrapping_add(incoming);
        match incoming.cmp(&staying) {
            std::cmp::Ordering::Greater => {
                give_pieces(state, owner, mover, staying);
                self.give_square(state, square, owner, mover);
            }
            std::cmp::Ordering::Less => give_pieces(state, mover, owner, incoming),
            std::cmp::Ordering::Equal => {
                insert(&mut state.ties, square);
                state.stage = Stage::Coins;
            }
        }
    }

    /// R3.8: the coin of the first tied square has fallen.
    #[inline]
    pub(crate) fn toss(&self, state: &mut State, coin: Coin, events: &mut impl EventSink<Event>) {
        let Some(square) = next_member(&state.ties, 0) else {
            return;
        };
        remove(&mut state.ties, square);
        let mover = state.order[usize::from(state.turn)];
        let owner = state.owners[square];
        // Both sides brought the same number.
        let half = state.numbers[square] / 2;
        match coin {
            Coin::Mover => {
                give_pieces(state, owner, mover, half);
                self.give_square(state, square, owner, mover);
            }
            Coin::Owner => give_pieces(state, mover, owner, half),
        }
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
    fn give_square(&self, state: &mut State, square: usize, from: u16, to: u16) {
        let words = state.ties.len();
        state.owners[square] = to;
        remove(&mut state.owned[usize::from(from) * words..][..words], square);
        insert(&mut state.owned[usize::from(to) * words..][..words], square);
        state.squares[usize::from(to)] += 1;
        state.squares[usize::from(from)] -= 1;
        if state.squares[usize::from(from)] == 0 {
            // R2.4: without a square there are no more turns.
            let place = state.place[usize::from(from)];
            remove(&mut state.living, place.into());
        }
    }

    /// After a turn: is it over, and if not, whose turn is next?
    #[inline]
    fn end_turn(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        // R4.1: after every turn, not only at the end of a round.
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
                        // R4.2
                        return self.finish(state, End::LastRound, events);
                    }
                }
                Some(next) => {
                    let owner = state.order[next];
                    if state.pieces[usize::from(owner)] > 0 {
                        state.turn = next as u16;
                        return;
                    }
                    // R3.2: an owner of empty squares has a turn, but nothing to decide.
                    let round = state.round;
                    events.emit(Audience::All, || Event::Turn {
                        round,
                        owner,
                        owners: Vec::new(),
                        numbers: Vec::new(),
                        ties: Vec::new(),
                    });
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
            let winners = (0..state.squares.len()).filter(|owner| state.squares[*owner] == most);
            Event::End {
                reason: crate::INFO.ends[end as usize],
                winners: winners.map(|owner| owner as u16).collect(),
                squares: most,
            }
        });
    }

    /// The event of a turn that is about to be taken.
    fn describe_turn(&self, state: &State, action: &Action) -> Event {
        let mut after = state.clone();
        if !action.0.is_empty() {
            by_class!(self.board.class(), Self::resolve_turn(self, &mut after, action));
        }
        let place = |square: usize| self.board.places[square];
        let changes = |before: &dyn Fn(usize) -> u32, after: &dyn Fn(usize) -> u32| -> Vec<Change> {
            (0..self.board.squares())
                .filter(|square| before(*square) != after(*square))
                .map(|square| (place(square).row, place(square).column, after(square)))
                .collect()
        };
        Event::Turn {
            round: state.round,
            owner: state.order[usize::from(state.turn)],
            owners: changes(&|square| state.owners[square].into(), &|square| after.owners[square].into()),
            numbers: changes(&|square| state.numbers[square], &|square| after.numbers[square]),
            ties: members(&after.ties).map(|square| (place(square).row, place(square).column)).collect(),
        }
    }
}

/// Pieces change sides where they stand. Only a side that loses its last one leaves the count of sides:
/// who has none cannot gain any, because an empty square is taken by whoever comes.
#[inline]
fn give_pieces(state: &mut State, from: u16, to: u16, count: u32) {
    state.pieces[usize::from(to)] = state.pieces[usize::from(to)].wrapping_add(count);
    let left = &mut state.pieces[usize::from(from)];
    *left = left.wrapping_sub(count);
    if count > 0 && *left == 0 {
        state.sides -= 1;
    }
}
