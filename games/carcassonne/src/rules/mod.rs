//! The rules: Carcassonne as a [`Game`].
//!
//! The modules for legality (`river`, `legal`) are independent of those for effects (`turn`, `scoring`).
//! `ids` and `explain` use both, and only the game uses them.

mod explain;
mod ids;
mod legal;
mod river;
mod scoring;
mod turn;

use meeple_core::{
    ChanceStreams, EventSink, FigureSheet, Game, GameInfo, Illegal, Outcome, Permutation, Phase, Purpose,
    Seat, Stream, TextWriter, Viewer, WriteText,
};

use crate::action::Action;
use crate::event::{Chance, Event};
use crate::game::Carcassonne;
use crate::info::INFO;
use crate::observe::Observation;
use crate::state::{Pile, Stage, State};
use crate::variant::Variant;

/// Keys of the streams of [`Purpose::Deal`]. Each deck has its own stream, so decisions do not change its
/// order.
mod keys {
    pub const ORDER: u32 = 0;
    pub const RIVER: u32 = 1;
    pub const LAND: u32 = 2;
}

impl Game for Carcassonne {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    // R3: the order of turns is public and independent of the hands.
    fn decides_openly(&self) -> bool {
        true
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> State {
        *self.start
    }

    #[inline]
    fn reset(&self, state: &mut State) {
        state.restart(&self.start);
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.stage {
            Stage::Order | Stage::Draw => Phase::Chance,
            Stage::Tile | Stage::Action | Stage::Capture => Phase::turn(Seat::new(state.mover())),
            Stage::Over => Phase::Over,
        }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        if self.phase(state).owes(seat) {
            self.list(state, actions);
        }
    }

    fn action_bound(&self) -> u32 {
        self.id_bound()
    }

    fn action_id(&self, state: &State, _seat: Seat, action: &Action) -> u32 {
        self.id_of(state, *action)
    }

    fn mark_ids(&self, state: &State, seat: Seat, _scratch: &mut Vec<Action>, mask: &mut [u8]) {
        if self.phase(state).owes(seat) {
            self.mark_all(state, mask);
        }
    }

    fn action_of(&self, state: &State, seat: Seat, id: u32) -> Option<Action> {
        let owes = self.phase(state).owes(seat);
        self.action_with(state, id).filter(|action| owes && self.explain(state, action).is_ok())
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Illegal> {
        if !self.phase(state).owes(seat) {
            return Err(Illegal::new(format!("it is not the turn of seat {seat}")));
        }
        self.explain(state, action).map_err(Illegal::new)
    }

    #[inline]
    fn apply_unchecked(
        &self,
        state: &mut State,
        _seat: Seat,
        action: &Action,
        events: &mut impl EventSink<Event>,
    ) {
        self.take_action(state, *action, events);
    }

    #[inline]
    fn sample_action(
        &self,
        state: &State,
        _seat: Seat,
        rng: &mut Stream,
        scratch: &mut Vec<Action>,
    ) -> Action {
        self.sample(state, rng, scratch)
    }

    fn write_action(action: &Action, text: &mut TextWriter<'_>) {
        action.write_text(text);
    }

    fn write_chance(chance: &Chance, text: &mut TextWriter<'_>) {
        chance.write_text(text);
    }

    #[inline]
    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> Chance {
        if state.stage == Stage::Order {
            let mut order = Permutation::identity(self.seats);
            streams.stream(Purpose::Deal, keys::ORDER).shuffle(order.items_mut());
            return Chance::Order(order);
        }
        let (pile, _) = self.draw_due(state);
        let (key, left) = match pile {
            Pile::River => (keys::RIVER, state.stack.river()),
            Pile::Land => (keys::LAND, state.stack.land()),
        };
        let number = streams.stream(Purpose::Deal, key).below(left);
        Chance::Draw(state.stack.pick(pile, number))
    }

    #[inline]
    fn apply_chance(&self, state: &mut State, chance: &Chance, events: &mut impl EventSink<Event>) {
        match chance {
            Chance::Order(order) => self.begin(state, order, events),
            Chance::Draw(kind) => self.draw_tile(state, *kind, events),
        }
    }

    fn check_chance(&self, state: &State, chance: &Chance) -> Result<(), Illegal> {
        let wrong = match (state.stage, chance) {
            (Stage::Order, Chance::Order(order)) if order.items().len() == self.seats => {
                return Ok(());
            }
            (Stage::Order, _) => format!("expected the order of {} seats, found '{chance}'", self.seats),
            (_, Chance::Order(_)) => "the turn order has been drawn".into(),
            (_, Chance::Draw(kind)) => match (self.draw_due(state).0, kind.is_river()) {
                (Pile::River, false) => format!("the river is drawn first, found {kind}"),
                _ if state.stack.count(*kind) > 0 => return Ok(()),
                _ => format!("no tile {kind} is left to draw"),
            },
        };
        Err(Illegal::new(wrong))
    }

    fn chance_outcomes(&self, state: &State) -> Option<Vec<(Chance, f64)>> {
        if state.stage == Stage::Order {
            let orders = Permutation::all(self.seats);
            let share = 1.0 / orders.len() as f64;
            return Some(orders.into_iter().map(|order| (Chance::Order(order), share)).collect());
        }
        let (pile, _) = self.draw_due(state);
        let of_pile = state.stack.iter().filter(|(kind, _)| kind.is_river() == (pile == Pile::River));
        let total = if pile == Pile::River { state.stack.river() } else { state.stack.land() };
        Some(of_pile.map(|(kind, n)| (Chance::Draw(kind), f64::from(n) / f64::from(total))).collect())
    }

    #[inline]
    fn observe<'a>(&'a self, state: &'a State, viewer: Viewer) -> Observation<'a> {
        Observation::new(self, state, viewer)
    }

    fn determinize(&self, observation: &Observation<'_>, rng: &mut Stream, state: &mut State) {
        observation.determinize(rng, state);
    }

    #[inline]
    fn score(&self, state: &State, seat: Seat) -> i64 {
        i64::from(state.points[seat.index()])
    }

    #[inline]
    fn outcome(&self, state: &State, outcome: &mut Outcome) {
        outcome.scores.extend(state.points[..self.seats].iter().map(|points| i64::from(*points)));
        // Ruling 29: seats with equal points share their rank.
        outcome.rank_by_score();
        outcome.end = usize::from(state.end);
    }

    #[inline]
    fn length(&self, state: &State, _decisions: u64) -> u64 {
        u64::from(state.turns)
    }

    #[inline]
    fn draws_turn_order(&self) -> bool {
        true
    }

    fn turn_place(&self, state: &State, seat: Seat) -> usize {
        let order = &state.order[..self.seats];
        order.iter().position(|other| usize::from(*other) == seat.index()).unwrap_or(seat.index())
    }

    fn figures(&self, state: &State, sheet: &mut FigureSheet) {
        let share = f64::from(state.placements) / f64::from(state.laid.max(1));
        let tiles = state.board.len() as f64;
        let captures: u16 = state.captures.iter().sum();
        sheet.episode([tiles, f64::from(state.discards), share, f64::from(captures)]);
        for seat in 0..self.seats {
            let [road, city, monastery, farm, ransom] = state.sources[seat].map(f64::from);
            let left = f64::from(state.supply[seat]);
            sheet.seat([road, city, monastery, farm, ransom, left, f64::from(state.captures[seat])]);
        }
    }
}
