//! Moves: leaving a tile, waiting, arriving.

use crate::allowed::Allowed;
use crate::event::{Event, Events};
use crate::game::Cartolan;
use crate::map::{AgentSet, CellId, Crossing, Ground, visit_bit};
use crate::state::{Done, State, Step};
use crate::tiles::Dir;
use crate::variant::MAX_ADVENTURERS;

impl Cartolan {
    #[inline(always)]
    pub(crate) fn go(&self, state: &mut State, dir: Dir, events: &mut impl Events) {
        let here = state.here();
        match self.crossing(state, state.map.cell(here), dir) {
            Crossing::Land => state.turn.land += 1,
            Crossing::Upwind => state.turn.upwind += 1,
            Crossing::Downwind => state.turn.downwind += 1,
        }
        self.cross(state, dir, events);
    }

    #[inline(always)]
    fn cross(&self, state: &mut State, dir: Dir, events: &mut impl Events) {
        let to = state.map.neighbour(state.here(), dir);
        if state.map.cell(to).is_placed() {
            self.arrive(state, to, false, events);
        } else {
            self.explore(state, dir, events);
        }
    }

    /// Applies the result of a roll for a gust.
    pub(crate) fn gust(&self, state: &mut State, dir: Dir, gust: bool, events: &mut impl Events) {
        // R9: the attempt spends a move, even if it fails.
        state.turn.upwind += 1;
        let (who, at) = (self.who(state), state.place(state.here()));
        if gust {
            events.tell(|| Event::Gusted { who, at, dir });
            self.cross(state, dir, events);
        } else {
            events.tell(|| Event::Becalmed { who, at, dir });
            self.after_move(state, events);
        }
    }

    /// Puts the acting Adventurer on a tile after a move.
    #[inline(always)]
    pub(crate) fn arrive(&self, state: &mut State, to: CellId, new_tile: bool, events: &mut impl Events) {
        let from = state.here();
        state.map.cell_mut(from).ships -= 1;
        state.map.cell_mut(to).ships += 1;
        let (seat, number) = (state.turn.seat, state.turn.adventurer);
        state.turn.here = to;
        state.owner_mut().at[usize::from(number) & (MAX_ADVENTURERS - 1)] = to;
        state.clock += 1;
        let clock = state.clock;
        let hero = state.hero_mut();
        hero.distance += 1;
        hero.arrived = clock;
        let (from, place) = (state.place(from), state.place(to));
        state.owner_mut().tally.range +=
            u32::from(place.0.unsigned_abs()) + u32::from(place.1.unsigned_abs());
        events.tell(|| Event::Moved { who: (seat, number), from, to: place });
        self.land_on(state, to, new_tile, false, events);
    }

    pub(crate) fn wait(&self, state: &mut State, events: &mut impl Events) {
        // R30: waiting counts as a move with the wind.
        state.turn.downwind += 1;
        let here = state.here();
        events.tell(|| Event::Waited { who: self.who(state), at: state.place(here) });
        self.land_on(state, here, false, true, events);
    }

    #[inline(always)]
    fn land_on(
        &self,
        state: &mut State,
        cell: CellId,
        new_tile: bool,
        waited: bool,
        events: &mut impl Events,
    ) {
        state.turn.done = Done { new_tile, waited, ..Done::default() };
        state.turn.just_placed = AgentSet::EMPTY;
        if self.variant.cards {
            let bit = visit_bit(self.who(state));
            state.map.cell_mut(cell).visited |= bit;
        }
        match state.map.cell(cell).ground {
            Ground::City => self.visit_city(state, cell, new_tile, events),
            Ground::Disaster if self.falls_to_disaster(state, new_tile) => self.meet_disaster(state, events),
            Ground::Wonder if new_tile => self.discover_wonder(state, events),
            Ground::Wonder => self.trade_or_act(state, events),
            _ => self.settle_act(state, events),
        }
    }

    /// Ends a move: another one follows, or the Adventurer's turn ends.
    #[inline]
    pub(crate) fn after_move(&self, state: &mut State, events: &mut impl Events) {
        if std::mem::take(&mut state.turn.done.will_buy) {
            return self.buy_on(state, events);
        }
        let allowed = self.allowed(state);
        // The original ends the turn of an Adventurer that cannot leave its tile.
        let stuck = self.is_scripted() && allowed.sides(state.map.cell(state.here())) == 0;
        if state.turn.over || !allowed.downwind || stuck {
            self.end_sub_turn(state, events);
        } else if state.turn.overtime && !state.turn.done.waited {
            self.close_sub_turn(state, events);
        } else {
            self.move_on(state, allowed);
        }
    }

    #[inline(always)]
    pub(crate) fn move_on(&self, state: &mut State, allowed: Allowed) {
        (state.turn.passable, state.turn.gusts) = self.sides(state, allowed);
        state.step = Step::Move;
    }

    #[inline]
    pub(crate) fn who(&self, state: &State) -> (u8, u8) {
        (state.turn.seat, state.turn.adventurer)
    }
}
