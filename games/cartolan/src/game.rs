//! The contract: Cartolan as a [`Game`].

use meeple_core::{
    ActionKind, ChanceStreams, EventSink, FigureSheet, Game, GameInfo, Illegal, Information, NoEvents,
    Outcome, Phase, Seat, SetupError, Stream, Table, Viewer,
};

use crate::action::{Action, Chance};
use crate::event::Event;
use crate::observe::Observation;
use crate::rules::{Cartolan, end};
use crate::state::{State, Step};
use crate::variant::{MAX_SEATS, PRESETS, PROFILES, Start, Variant};

impl Game for Cartolan {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

    const INFO: GameInfo = GameInfo {
        summary: "explore the sea tile by tile, sail with the wind, trade at wonders, bank the lead",
        seats: 2..=MAX_SEATS,
        actions: ActionKind::Listed,
        information: Information::Hidden,
        simultaneous: false,
        presets: PRESETS,
        profiles: PROFILES,
        score_unit: "wealth",
        length_unit: "rounds",
        ends: crate::ENDS,
        episode_figures: crate::figures::EPISODE,
        seat_figures: crate::figures::SEAT,
        guide: include_str!("../GUIDE.md"),
        advisor: "merchant",
        demo: &["explorer", "trader", "router", "pirate"],
        input_help: crate::screen::HELP,
        ..GameInfo::new("cartolan", "Cartolan – Trade Winds", include_str!("../RULES.md"))
    };

    fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        Self::make(variant, seats)
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.seats
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
        self.phase_of(state)
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        if self.phase_of(state).owes(seat) {
            self.list(state, actions);
        }
    }

    fn action_bound(&self) -> u32 {
        Action::BOUND
    }

    fn action_id(&self, _state: &State, _seat: Seat, action: &Action) -> u32 {
        action.id()
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Illegal> {
        if self.phase_of(state).owes(seat) && self.is_legal(state, *action) {
            return Ok(());
        }
        Err(self.explain(state, *action))
    }

    #[inline]
    fn apply_unchecked(
        &self,
        state: &mut State,
        _seat: Seat,
        action: &Action,
        events: &mut impl EventSink<Event>,
    ) {
        self.take(state, *action, events);
    }

    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> Chance {
        self.sample(state, streams)
    }

    fn apply_chance(&self, state: &mut State, chance: &Chance, events: &mut impl EventSink<Event>) {
        self.happen(state, chance, events);
    }

    #[inline]
    fn resolve_chance(
        &self,
        state: &mut State,
        streams: &mut ChanceStreams,
        events: &mut impl EventSink<Event>,
    ) {
        self.resolve(state, streams, events);
    }

    fn chance_outcomes(&self, state: &State) -> Option<Vec<(Chance, f64)>> {
        Some(self.outcomes(state))
    }

    fn check_chance(&self, state: &State, chance: &Chance) -> Result<(), Illegal> {
        self.check_outcome(state, chance)
    }

    #[inline]
    fn observe<'a>(&'a self, state: &'a State, viewer: Viewer) -> Observation<'a> {
        Observation::new(self, state, viewer)
    }

    fn determinize(&self, observation: &Observation<'_>, rng: &mut Stream, state: &mut State) {
        observation.determinize(rng, state);
    }

    fn score(&self, state: &State, seat: Seat) -> i64 {
        i64::from(state.player(seat).vault)
    }

    fn outcome(&self, state: &State, outcome: &mut Outcome) {
        let players = &state.players[..self.seats];
        outcome.scores.extend(players.iter().map(|player| i64::from(player.vault)));
        outcome.rank_by(&self.ranking(state)[..self.seats]);
        outcome.end = match state.step {
            Step::Over(reason) => usize::from(reason),
            _ => usize::from(end::ROUNDS),
        };
    }

    fn length(&self, state: &State, _decisions: u64) -> u64 {
        u64::from(state.round)
    }

    fn draws_turn_order(&self) -> bool {
        self.variant.start != Start::FirstSeat
    }

    fn turn_place(&self, state: &State, seat: Seat) -> usize {
        (seat.index() + self.seats - usize::from(state.first)) % self.seats
    }

    fn figures(&self, state: &State, sheet: &mut FigureSheet) {
        self.fill_figures(state, sheet);
    }
}

impl Cartolan {
    /// The whole of an episode; see [`Playable::play_out`](meeple_core::Playable::play_out).
    #[inline]
    pub(crate) fn play_fast(&self, state: &mut State, table: &mut Table<Self>, streams: &mut ChanceStreams) {
        loop {
            let seat = match state.step {
                // Most of what happens.
                Step::Move | Step::Act | Step::Bank | Step::Buy => Seat::new(usize::from(state.turn.seat)),
                Step::Explore(..) => {
                    self.resolve(state, streams, &mut NoEvents);
                    continue;
                }
                _ => match self.phase_of(state) {
                    Phase::Chance => {
                        self.resolve(state, streams, &mut NoEvents);
                        continue;
                    }
                    Phase::Decide(seats) => seats.lowest().expect("somebody decides"),
                    Phase::Over => return,
                },
            };
            let action = table.ask(self, state, seat);
            debug_assert_eq!(self.check(state, seat, &action), Ok(()), "agents play legally");
            self.take(state, action, &mut NoEvents);
            table.recycle(seat, action);
        }
    }
}
