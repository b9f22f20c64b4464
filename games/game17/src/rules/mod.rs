//! The rules: set-up, legality, chance, outcome. The effect of a turn is in `turn`. Clause numbers are those
//! of RULES.md.

mod turn;

use meeple_core::{
    Audience, ChanceStreams, EventSink, FigureSheet, Game, GameInfo, Illegal, Outcome, Phase, Purpose, Seat,
    SetupError, Stream, TextWriter, Viewer, WriteText, json,
};

use crate::action::{Action, Departure};
use crate::board::{Board, by_class, members};
use crate::chance::{Chance, Coin};
use crate::event::Event;
use crate::game::Game17;
use crate::info::INFO;
use crate::observe::Observation;
use crate::state::{End, Stage, State};
use crate::variant::Variant;

/// Keys of the deal streams. Squares and turn order are drawn independently.
const PLACES: u32 = 0;
const TURN_ORDER: u32 = 1;

/// The index of an owner in a list. The search goes by chunks, so that it is vectorised.
fn position(list: &[u16], owner: u16) -> Option<usize> {
    let is_in = |some: &&[u16]| some.iter().fold(false, |found, id| found | (*id == owner));
    let (some, before) = list.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)).find(|(some, _)| is_in(some))?;
    Some(before + some.iter().position(|id| *id == owner)?)
}

/// Number of owners per chunk of the search.
const AT_ONCE: usize = 32;

#[inline]
fn leaving(departure: &Departure) -> i64 {
    departure.counts.iter().copied().map(i64::from).sum()
}

impl Game17 {
    /// Returns true for a legal action whose departures name squares in ascending order, each at most once.
    /// Most actions are of this form; others need the full check.
    #[inline]
    fn is_plainly_legal(&self, state: &State, seat: Seat, action: &Action) -> bool {
        let size = self.board.size();
        let (owners, numbers) = (state.owners(), state.numbers());
        let mut next = 0;
        action.0.iter().all(|departure| {
            // The casts make negative numbers large, so that the bounds reject them.
            let (row, column) = (departure.row as u16 as usize, departure.column as u16 as usize);
            let square = row * size + column;
            let is_next = column < size && next <= square && square < owners.len();
            next = square + 1;
            is_next
                && usize::from(owners[square]) == seat.index()
                // The bitwise or keeps the sign bit of any negative count.
                && departure.counts.iter().fold(0, |all, count| all | count) >= 0
                && leaving(departure) <= i64::from(numbers[square])
        })
    }

    /// Checks a single departure, without the sum over departures from the same square.
    fn check_departure(&self, state: &State, seat: Seat, departure: &Departure) -> Result<(), Illegal> {
        let size = self.board.size();
        let inside = |coordinate: i16| usize::try_from(coordinate).ok().filter(|value| *value < size);
        let (Some(row), Some(column)) = (inside(departure.row), inside(departure.column)) else {
            return Err(Illegal::new(format!(
                "{departure}: expected a row and a column from 0 to {}, found {},{} (R3.4)",
                size - 1,
                departure.row,
                departure.column
            )));
        };
        let square = row * size + column;
        let owner = state.owners[square];
        if usize::from(owner) != seat.index() {
            return Err(Illegal::new(format!(
                "{departure}: expected a square of player {seat}, found one of player {owner} (R3.4)"
            )));
        }
        if let Some(count) = departure.counts.iter().find(|count| **count < 0) {
            return Err(Illegal::new(format!(
                "{departure}: expected counts of 0 or more, found {count} (R3.4)"
            )));
        }
        Ok(())
    }

    fn check_leaving(&self, state: &State, square: usize, leaving: i64) -> Result<(), Illegal> {
        let present = state.numbers[square];
        if leaving <= i64::from(present) {
            return Ok(());
        }
        let place = self.board.places[square];
        Err(Illegal::new(format!(
            "expected at most {present} pieces to leave {},{}, found {leaving} (R3.4)",
            place.row, place.column
        )))
    }

    /// The origin of a departure, which must be on the board.
    #[inline]
    fn origin(&self, departure: &Departure) -> usize {
        departure.row as usize * self.board.size() + departure.column as usize
    }

    /// Applies [`check_leaving`](Self::check_leaving) to the sums over all departures from each square.
    fn check_sums<const N: usize, const W: usize>(
        &self,
        state: &State,
        action: &Action,
    ) -> Result<(), Illegal> {
        // The array is on the stack, so that checks in debug builds do not allocate.
        let mut sums = [0i64; N];
        for departure in &action.0 {
            sums[self.origin(departure)] += leaving(departure);
        }
        let sums = &sums[..self.board.squares()];
        sums.iter().enumerate().try_for_each(|(square, leaving)| self.check_leaving(state, square, *leaving))
    }

    #[inline]
    fn coin_key(&self, state: &State) -> u32 {
        u32::from(state.round) * self.board.squares() as u32 + u32::from(state.turn)
    }

    /// The owners that are not placed yet, or not ordered yet.
    fn undealt<'a>(&self, state: &'a State) -> &'a [u16] {
        let list = if state.stage == Stage::Placing { &state.owners } else { &state.order };
        &list[state.dealt.into()..self.board.squares()]
    }

    #[inline]
    fn deal(&self, state: &mut State, index: usize, events: &mut impl EventSink<Event>) {
        let dealt = usize::from(state.dealt);
        let list = if state.stage == Stage::Placing { &mut state.owners } else { &mut state.order };
        list.swap(dealt, index);
        state.dealt += 1;
        if usize::from(state.dealt) < self.board.squares() {
            return;
        }
        state.dealt = 0;
        if state.stage == Stage::Placing {
            state.stage = Stage::Ordering;
            events.emit(Audience::All, || Event::Board {
                size: self.variant.size,
                owners: state.owners().to_vec(),
                numbers: state.numbers().to_vec(),
            });
        } else {
            state.index();
            state.stage = Stage::Turn;
            events.emit(Audience::All, || Event::TurnOrder { owners: state.turn_order().to_vec() });
        }
    }
}

impl Game17 {
    /// Fails if the number of seats is not that of the squares.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        // R1.4: there are as many owners as squares.
        if seats != variant.squares() {
            return Err(SetupError::new(format!(
                "a board of {size} x {size} has {} owners, found {seats} seats\n\
                 hint: seats that no player takes belong to zombies",
                variant.squares(),
                size = variant.size
            )));
        }
        let board = Board::new(variant.size.into());
        let initial = State::new(&board, variant.pieces);
        Ok(Self { variant, board, initial })
    }
}

impl Game for Game17 {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.board.squares()
    }

    fn initial_state(&self) -> State {
        self.initial.clone()
    }

    #[inline]
    fn reset(&self, state: &mut State) {
        state.clone_from(&self.initial);
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.stage {
            Stage::Turn => Phase::turn(Seat::new(state.order[usize::from(state.turn)].into())),
            Stage::Placing | Stage::Ordering | Stage::Coins => Phase::Chance,
            Stage::Over(_) => Phase::Over,
        }
    }

    fn legal_actions(&self, _state: &State, _seat: Seat, _actions: &mut Vec<Action>) {}

    fn can_still_decide(&self, state: &State, seat: Seat) -> bool {
        // R3.2: without pieces there is nothing to decide, and only pieces can gain pieces.
        state.pieces[seat.index()] > 0
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Illegal> {
        if self.is_plainly_legal(state, seat, action) {
            return Ok(());
        }
        // R3.4: one illegal departure makes the whole turn illegal.
        for departure in &action.0 {
            self.check_departure(state, seat, departure)?;
        }
        by_class!(self.board.class(), Self::check_sums(self, state, action))
    }

    #[inline]
    fn apply_unchecked(
        &self,
        state: &mut State,
        _seat: Seat,
        action: &Action,
        events: &mut impl EventSink<Event>,
    ) {
        self.take_turn(state, action, events);
    }

    fn write_action(action: &Action, text: &mut TextWriter<'_>) {
        action.write_text(text);
    }

    fn write_chance(chance: &Chance, text: &mut TextWriter<'_>) {
        chance.write_text(text);
    }

    fn write_event(event: &Event, out: &mut Vec<u8>) {
        match event {
            Event::Turn(turn) => turn.write_json(out),
            _ => json::write(event, out).expect("events serialise: a law checks it"),
        }
    }

    fn action_schema(&self) -> serde_json::Value {
        serde_json::json!({
            "description": "piece moves: row, column, direction, count; pieces that are not named stay",
            "type": "array",
            "items": {
                "type": "array",
                "prefixItems": [
                    { "type": "integer" },
                    { "type": "integer" },
                    { "enum": ["n", "s", "e", "w"] },
                    { "type": "integer" }
                ],
                "minItems": 4,
                "maxItems": 4
            }
        })
    }

    fn read_json(&self, json: &str) -> Result<Action, String> {
        serde_json::from_str(json)
            .map_err(|error| format!("expected a list of [row, column, direction, count]: {error}"))
    }

    fn sample_action(
        &self,
        state: &State,
        seat: Seat,
        rng: &mut Stream,
        _scratch: &mut Vec<Action>,
    ) -> Action {
        let mut action = Action::default();
        for square in self.observe(state, Viewer::Seat(seat)).squares(seat) {
            let place = self.board.places[square];
            let mut departure =
                Departure { row: place.row.into(), column: place.column.into(), counts: [0; 4] };
            // Every piece moves in one of four directions or stays, with equal probability.
            for _ in 0..state.numbers[square] {
                if let Some(count) = departure.counts.get_mut(rng.index(5)) {
                    *count += 1;
                }
            }
            if departure.counts != [0; 4] {
                action.0.push(departure);
            }
        }
        action
    }

    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> Chance {
        match state.stage {
            Stage::Placing => {
                let rest = self.undealt(state);
                Chance::Place(rest[streams.stream(Purpose::Deal, PLACES).index(rest.len())])
            }
            Stage::Ordering => {
                let rest = self.undealt(state);
                Chance::Next(rest[streams.stream(Purpose::Deal, TURN_ORDER).index(rest.len())])
            }
            _ => {
                let mover = streams.stream(Purpose::Ties, self.coin_key(state)).coin();
                Chance::Coin(if mover { Coin::Mover } else { Coin::Owner })
            }
        }
    }

    fn apply_chance(&self, state: &mut State, chance: &Chance, events: &mut impl EventSink<Event>) {
        match *chance {
            Chance::Place(owner) | Chance::Next(owner) => {
                let dealt = usize::from(state.dealt);
                let index = position(self.undealt(state), owner);
                self.deal(state, dealt + index.unwrap_or(0), events);
            }
            Chance::Coin(coin) => self.toss(state, coin, events),
        }
    }

    #[inline]
    fn resolve_chance(
        &self,
        state: &mut State,
        streams: &mut ChanceStreams,
        events: &mut impl EventSink<Event>,
    ) {
        // The drawn index is known here, so no search for the owner is needed.
        let key = match state.stage {
            Stage::Placing => PLACES,
            Stage::Ordering => TURN_ORDER,
            _ => {
                let mover = streams.stream(Purpose::Ties, self.coin_key(state)).coin();
                return self.toss(state, if mover { Coin::Mover } else { Coin::Owner }, events);
            }
        };
        let dealt = usize::from(state.dealt);
        let index = streams.stream(Purpose::Deal, key).index(self.board.squares() - dealt);
        self.deal(state, dealt + index, events);
    }

    fn chance_outcomes(&self, state: &State) -> Option<Vec<(Chance, f64)>> {
        let outcome: fn(u16) -> Chance = match state.stage {
            Stage::Placing => Chance::Place,
            Stage::Ordering => Chance::Next,
            _ => {
                return Some(vec![(Chance::Coin(Coin::Mover), 0.5), (Chance::Coin(Coin::Owner), 0.5)]);
            }
        };
        let rest = self.undealt(state);
        Some(rest.iter().map(|owner| (outcome(*owner), 1.0 / rest.len() as f64)).collect())
    }

    fn check_chance(&self, state: &State, chance: &Chance) -> Result<(), Illegal> {
        let possible = match (state.stage, *chance) {
            (Stage::Placing, Chance::Place(owner)) | (Stage::Ordering, Chance::Next(owner)) => {
                self.undealt(state).contains(&owner)
            }
            (Stage::Coins, Chance::Coin(_)) => true,
            _ => false,
        };
        if possible { Ok(()) } else { Err(Illegal::new(format!("chance cannot draw {chance} here"))) }
    }

    #[inline]
    fn observe<'a>(&'a self, state: &'a State, _viewer: Viewer) -> Observation<'a> {
        Observation::new(self, state)
    }

    fn determinize(&self, observation: &Observation<'_>, _rng: &mut Stream, state: &mut State) {
        observation.copy_to(state);
    }

    fn score(&self, state: &State, seat: Seat) -> i64 {
        // R4.3: squares count, with or without pieces.
        state.squares_of(seat).into()
    }

    fn outcome(&self, state: &State, outcome: &mut Outcome) {
        outcome.end = match state.stage {
            Stage::Over(end) => end as usize,
            _ => End::LastRound as usize,
        };
        // Most owners have no square left. They share the last rank.
        let living = || members(&state.living).map(|place| state.squares[usize::from(state.order[place])]);
        let last = 1 + living().count() as u32;
        for squares in &state.squares[..self.board.squares()] {
            outcome.scores.push((*squares).into());
            // R4.4: the most squares win; owners with equal squares share the rank.
            let better = || 1 + living().filter(|other| other > squares).count() as u32;
            outcome.places.push(if *squares == 0 { last } else { better() });
        }
    }

    fn length(&self, state: &State, _decisions: u64) -> u64 {
        match state.stage {
            // The current round counts as played.
            Stage::Over(End::OneSide) => u64::from(state.round) + 1,
            _ => state.round.into(),
        }
    }

    fn draws_turn_order(&self) -> bool {
        true
    }

    fn turn_place(&self, state: &State, seat: Seat) -> usize {
        usize::from(state.place[seat.index()])
    }

    fn figures(&self, state: &State, sheet: &mut FigureSheet) {
        let most = state.squares.iter().copied().max().unwrap_or(0);
        let (mut owners, mut winners, mut places) = (0u32, 0u32, 0u32);
        let mut quarters = [0u32; 4];
        let squares_in_all = self.board.squares();
        for place in members(&state.living) {
            let squares = state.squares[usize::from(state.order[place])];
            owners += 1;
            if squares == most {
                winners += 1;
                places += place as u32 + 1;
                quarters[place * 4 / squares_in_all] += 1;
            }
        }
        let share = |count: u32| f64::from(count) / f64::from(winners.max(1));
        let [first, second, third, last] = quarters.map(share);
        sheet.episode([
            state.sides.into(),
            owners.into(),
            most.into(),
            winners.into(),
            share(places),
            first,
            second,
            third,
            last,
        ]);
        for (pieces, place) in state.pieces.iter().zip(&state.place).take(squares_in_all) {
            sheet.seat([f64::from(*pieces), f64::from(*place) + 1.0]);
        }
    }
}
