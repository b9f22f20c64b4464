//! Movement: crossings, their limits, waiting, arriving.

use meeple_core::EventSink;

use crate::cards::Effect;
use crate::event::Event;
use crate::map::{Cell, CellId, Crossing, Ground};
use crate::rules::{Cartolan, tell};
use crate::state::{Done, State, Step};
use crate::tiles::Dir;
use crate::variant::{Budget, DisasterEdges, DisasterEntry, Gust, MAX_ADVENTURERS, Movement};

/// How many moves of which kind an Adventurer has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// In all.
    pub moves: u8,
    /// Over land.
    pub land: u8,
    /// Against the wind.
    pub upwind: u8,
}

/// Which crossings an Adventurer may make now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// Over land.
    pub land: bool,
    /// Against the wind.
    pub upwind: bool,
    /// With the wind, and waiting.
    pub downwind: bool,
}

impl Allowed {
    /// The sides of a placed tile that may be left, disasters apart.
    #[inline]
    pub fn sides(self, cell: &Cell) -> u8 {
        let only = |may: bool, sides: u8| u8::from(may).wrapping_neg() & sides;
        let [land, upwind, downwind] = cell.exits;
        only(self.land, land) | only(self.upwind, upwind) | only(self.downwind, downwind)
    }

    /// Whether this crossing is allowed.
    #[inline]
    pub fn allows(self, crossing: Crossing) -> bool {
        match crossing {
            Crossing::Land => self.land,
            Crossing::Upwind => self.upwind,
            Crossing::Downwind => self.downwind,
        }
    }
}

impl Cartolan {
    /// The acting Adventurer's limits.
    #[inline(always)]
    pub(crate) fn limits(&self, state: &State) -> Limits {
        let hero = state.hero();
        let mut limits = self.limits[usize::from(hero.chest == 0)];
        if self.variant.cards {
            let keel = hero.count(Effect::Upwind);
            limits.land += keel;
            limits.upwind += keel;
            limits.moves += hero.count(Effect::Downwind);
        }
        limits
    }

    /// Which crossings the acting Adventurer may make now.
    #[inline(always)]
    pub(crate) fn allowed(&self, state: &State) -> Allowed {
        let limits = self.limits(state);
        let turn = &state.turn;
        let total = turn.total();
        let downwind = total < limits.moves;
        match self.variant.movement {
            Movement::Initial => Allowed {
                land: downwind && total < limits.land,
                upwind: downwind && total < limits.upwind,
                downwind,
            },
            Movement::Budgetted => {
                let lenient = self.variant.inland && self.variant.budget == Budget::LandAfterUpwind;
                Allowed {
                    land: downwind && turn.land < limits.land && (lenient || turn.upwind == 0),
                    upwind: downwind && turn.upwind < limits.upwind && turn.land == 0,
                    downwind,
                }
            }
        }
    }

    /// How the acting Adventurer leaves a tile over this side.
    #[inline(always)]
    pub(crate) fn crossing(&self, state: &State, from: &Cell, dir: Dir) -> Crossing {
        if self.sees_land_at_disasters(state) {
            // R15: to pirates, the edges of a disaster are like land.
            let to = state.map.cell(from.neighbours[dir.index()]);
            if from.ground == Ground::Disaster || to.ground == Ground::Disaster {
                return Crossing::Land;
            }
        }
        from.crossing(dir)
    }

    /// Whether the acting Adventurer may move onto this cell.
    #[inline]
    pub(crate) fn may_enter(&self, state: &State, cell: CellId) -> bool {
        // R17: a known disaster is for pirates.
        state.map.cell(cell).ground != Ground::Disaster
            || state.hero().pirate
            || self.variant.disaster_entry == DisasterEntry::Anyone
    }

    /// The sides of its tile over which the acting Adventurer may leave, whatever lies there.
    #[inline(always)]
    pub(crate) fn passable(&self, state: &State, allowed: Allowed) -> u8 {
        let cell = state.map.cell(state.here());
        if self.sees_land_at_disasters(state) {
            self.passable_to_pirates(state, cell, allowed)
        } else {
            allowed.sides(cell)
        }
    }

    #[inline(never)]
    fn passable_to_pirates(&self, state: &State, cell: &Cell, allowed: Allowed) -> u8 {
        let may = |dir: &Dir| allowed.allows(self.crossing(state, cell, *dir));
        Dir::ALL.iter().filter(|dir| may(dir)).fold(0, |mask, dir| mask | dir.bit())
    }

    /// Whether the edges of disasters are like land to the acting Adventurer.
    #[inline(always)]
    fn sees_land_at_disasters(&self, state: &State) -> bool {
        state.map.disasters() > 0
            && state.hero().pirate
            && self.variant.disaster_edges == DisasterEdges::ByBack
    }

    /// The sides over which the acting Adventurer may go, and those where it may roll for a gust.
    #[inline]
    pub(crate) fn ways(&self, state: &State) -> (u8, u8) {
        let allowed = self.allowed(state);
        let cell = state.map.cell(state.here());
        let (mut go, mut roll) = (self.passable(state, allowed), 0);
        if self.variant.gust == Gust::Attempt && allowed.downwind && !allowed.upwind {
            roll = self.passable(state, Allowed { land: false, upwind: true, downwind: false });
        }
        for dir in Dir::ALL.iter().copied() {
            if !self.may_enter(state, cell.neighbours[dir.index()]) {
                go &= !dir.bit();
                roll &= !dir.bit();
            }
        }
        (go, roll)
    }

    /// Leaves the tile over this side.
    #[inline(always)]
    pub(crate) fn go(&self, state: &mut State, dir: Dir, events: &mut impl EventSink<Event>) {
        let here = state.here();
        let crossing = self.crossing(state, state.map.cell(here), dir);
        match crossing {
            Crossing::Land => state.turn.land += 1,
            Crossing::Upwind => state.turn.upwind += 1,
            Crossing::Downwind => state.turn.downwind += 1,
        }
        self.cross(state, dir, crossing, events);
    }

    #[inline(always)]
    fn cross(&self, state: &mut State, dir: Dir, crossing: Crossing, events: &mut impl EventSink<Event>) {
        let to = state.map.neighbour(state.here(), dir);
        if state.map.cell(to).is_placed() {
            self.arrive(state, to, false, events);
        } else {
            self.explore(state, dir, crossing, events);
        }
    }

    /// The die was rolled for a gust.
    pub(crate) fn gust(&self, state: &mut State, dir: Dir, gust: bool, events: &mut impl EventSink<Event>) {
        // R9: the attempt spends a move, successful or not.
        state.turn.upwind += 1;
        let (who, at) = (self.who(state), state.place(state.here()));
        if gust {
            tell(events, || Event::Gusted { who, at, dir });
            self.cross(state, dir, Crossing::Upwind, events);
        } else {
            tell(events, || Event::Becalmed { who, at, dir });
            self.after_move(state, events);
        }
    }

    /// The acting Adventurer stands on a tile after a move.
    #[inline(always)]
    pub(crate) fn arrive(
        &self,
        state: &mut State,
        to: CellId,
        new_tile: bool,
        events: &mut impl EventSink<Event>,
    ) {
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
        tell(events, || Event::Moved { who: (seat, number), from, to: place });
        self.land_on(state, to, new_tile, false, events);
    }

    /// Spends a move on the tile.
    pub(crate) fn wait(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        // R30: waiting is a move, with the wind.
        state.turn.downwind += 1;
        let here = state.here();
        let (who, at) = (self.who(state), state.place(here));
        tell(events, || Event::Waited { who, at });
        self.land_on(state, here, false, true, events);
    }

    #[inline(always)]
    fn land_on(
        &self,
        state: &mut State,
        cell: CellId,
        new_tile: bool,
        waited: bool,
        events: &mut impl EventSink<Event>,
    ) {
        state.turn.done = Done { new_tile, waited, ..Done::default() };
        state.turn.just_placed = 0;
        if self.variant.cards {
            let bit = hero_bit(state);
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

    /// The move is over: another one, or the end of the Adventurer's turn.
    #[inline]
    pub(crate) fn after_move(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        let allowed = self.allowed(state);
        // The original ends the turn of an Adventurer that has no way on.
        let stuck = self.is_scripted() && allowed.sides(state.map.cell(state.here())) == 0;
        if state.turn.over || !allowed.downwind || stuck {
            self.end_sub_turn(state, events);
        } else if state.turn.overtime && !state.turn.done.waited {
            self.close_sub_turn(state, events);
        } else {
            self.move_on(state, allowed);
        }
    }

    /// The acting Adventurer may move.
    #[inline(always)]
    pub(crate) fn move_on(&self, state: &mut State, allowed: Allowed) {
        state.turn.passable = self.passable(state, allowed);
        state.step = Step::Move;
    }

    /// The acting Adventurer.
    #[inline]
    pub(crate) fn who(&self, state: &State) -> (u8, u8) {
        (state.turn.seat, state.turn.adventurer)
    }
}

/// The acting Adventurer's bit in [`Cell::visited`].
pub(crate) fn hero_bit(state: &State) -> u16 {
    1 << (state.turn.seat * 4 + state.turn.adventurer)
}
