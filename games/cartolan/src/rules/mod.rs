//! The rules: Cartolan as a [`Game`]. Clause numbers are those of RULES.md.
//!
//! One set of rule functions serves both orders of acts. In the free order a player sees all options of a
//! tile at once; in the scripted order they come one after another.

mod act;
mod chance;
mod city;
mod conflict;
mod explore;
mod figures;
mod ids;
mod legal;
mod moves;
pub(crate) mod options;
mod turns;

use meeple_core::{
    ChanceStreams, EventSink, FigureSheet, Game, GameInfo, Illegal, Outcome, Phase, Seat, Stream, TextWriter,
    Viewer, WriteText,
};

use crate::action::{Action, Chance};
use crate::event::{Event, Events};
use crate::game::Cartolan;
use crate::info::{INFO, end};
use crate::observe::Observation;
use crate::state::{State, Step};
use crate::variant::{Start, Variant};

impl Game for Cartolan {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    // The player to move is public, and makes all its decisions in a row.
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
        self.initial.clone()
    }

    #[inline]
    fn reset(&self, state: &mut State) {
        state.clone_from(&self.initial);
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        state.phase()
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        if state.phase().owes(seat) {
            self.list(state, actions);
        }
    }

    #[inline]
    fn sample_action(
        &self,
        state: &State,
        _seat: Seat,
        rng: &mut Stream,
        scratch: &mut Vec<Action>,
    ) -> Action {
        self.sample_legal(state, rng, scratch)
    }

    fn action_bound(&self) -> u32 {
        ids::BOUND
    }

    fn action_id(&self, state: &State, _seat: Seat, action: &Action) -> u32 {
        self.id_of(state, *action)
    }

    fn mark_ids(&self, state: &State, seat: Seat, _scratch: &mut Vec<Action>, mask: &mut [u8]) {
        if state.phase().owes(seat) {
            self.mark_all(state, mask);
        }
    }

    fn action_of(&self, state: &State, seat: Seat, id: u32) -> Option<Action> {
        if !state.phase().owes(seat) {
            return None;
        }
        self.find_legal(state, |action| self.id_of(state, action) == id)
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Illegal> {
        if state.phase().owes(seat) && self.is_legal(state, *action) {
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

    fn write_action(action: &Action, text: &mut TextWriter<'_>) {
        action.write_text(text);
    }

    fn write_chance(chance: &Chance, text: &mut TextWriter<'_>) {
        chance.write_text(text);
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
    #[inline(always)]
    pub(crate) fn take(&self, state: &mut State, action: Action, events: &mut impl Events) {
        match action {
            Action::Pick(number) => self.begin_sub_turn(state, number),
            Action::Go(dir) => self.go(state, dir, events),
            Action::Gust(dir) => state.step = Step::Gust(dir),
            Action::Wait => self.wait(state, events),
            Action::End if state.turn.overtime => self.close_sub_turn(state, events),
            Action::End => self.end_sub_turn(state, events),
            Action::Chart(which) => self.try_chart(state, which, events),
            Action::Draw => {
                if let Step::TryChart(dir) = state.step {
                    self.draw_next(state, dir, 0, events);
                }
            }
            Action::Wealth => self.take_reward(state, events),
            Action::Card => self.draw_card(state),
            Action::Trade => self.trade(state, events),
            Action::Collect => self.collect(state, events),
            Action::Rest => self.rest(state, events),
            Action::AttackAgent => self.attack(state, options::ATTACK_AGENT),
            Action::Restore => self.restore(state, events),
            Action::Attack { seat, adventurer } => self.attack(state, options::attack(seat, adventurer)),
            Action::Court => self.attack(state, options::COURT),
            Action::Place => self.place_here(state, events),
            Action::Courier(agent) => state.step = Step::Send(agent),
            Action::Send(wealth) => self.send(state, wealth, events),
            Action::Done => self.done(state, events),
            Action::Relocate(agent) => self.relocate(state, agent, events),
            Action::Bank(wealth) => self.bank(state, wealth, events),
            Action::HireAdventurer => self.hire_adventurer(state, events),
            Action::HireAgent { x, y } => self.hire_agent(state, (x, y), events),
            Action::Equip(effect) => self.equip(state, effect, events),
            Action::Keep => self.next_adventurer(state, events),
            Action::Drop(which) => {
                self.drop_chart(state, which, events);
                self.shed_charts(state, events);
            }
            Action::Name(effect) => self.choose_person(state, effect, events),
        }
    }
}
