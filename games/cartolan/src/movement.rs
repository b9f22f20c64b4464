//! The legal moves of an Adventurer.

use crate::allowed::Allowed;
use crate::cards::Effect;
use crate::game::Cartolan;
use crate::map::{Cell, CellId, Crossing, Ground};
use crate::state::{State, SubTurn};
use crate::tiles::Dir;
use crate::variant::{DisasterEdges, Gust, Limits};

impl Cartolan {
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

    /// The crossings that the acting Adventurer may make now.
    #[inline(always)]
    pub(crate) fn allowed(&self, state: &State) -> Allowed {
        let limits = self.limits(state);
        let SubTurn { land, upwind, downwind, .. } = state.turn;
        Allowed::after([land, upwind, downwind], limits, &self.variant)
    }

    /// The acting Adventurer's crossing of this side.
    #[inline(always)]
    pub(crate) fn crossing(&self, state: &State, from: &Cell, dir: Dir) -> Crossing {
        if self.sees_land_at_disasters(state) {
            // R15: for pirates, the edges of a disaster count as land.
            let to = state.map.cell(from.neighbours[dir.index()]);
            if from.ground == Ground::Disaster || to.ground == Ground::Disaster {
                return Crossing::Land;
            }
        }
        from.crossing(dir)
    }

    /// Returns true if the acting Adventurer may move onto this cell.
    #[inline]
    pub(crate) fn may_enter(&self, state: &State, cell: CellId) -> bool {
        state.map.cell(cell).ground != Ground::Disaster || !self.keeps_off_disasters(state)
    }

    /// Returns true if there are known disasters that the acting Adventurer may not enter.
    #[inline]
    fn keeps_off_disasters(&self, state: &State) -> bool {
        state.map.disasters() > 0 && self.variant.bars_from_disasters(state.hero().pirate)
    }

    /// Mask of the sides that the acting Adventurer may cross, before disasters that it may not enter are
    /// excluded.
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
        let disasters = match cell.ground {
            Ground::Disaster => 15,
            _ => Self::disasters_beside(state, cell),
        };
        let over_land = if allowed.land { disasters } else { 0 };
        over_land | allowed.sides(cell) & !disasters
    }

    /// Mask of the sides of a placed tile with a known disaster beyond.
    #[inline]
    fn disasters_beside(state: &State, cell: &Cell) -> u8 {
        let lies = |dir: usize| state.map.cell(cell.neighbours[dir]).ground == Ground::Disaster;
        (0..4).fold(0, |mask, dir| mask | u8::from(lies(dir)) << dir)
    }

    /// Returns true if edges of disasters count as land for the acting Adventurer.
    #[inline(always)]
    fn sees_land_at_disasters(&self, state: &State) -> bool {
        state.map.disasters() > 0
            && state.hero().pirate
            && self.variant.disaster_edges == DisasterEdges::ByBack
    }

    /// Masks of the sides that may be crossed, and of those where a gust may be rolled for. Disasters that
    /// may not be entered are not excluded.
    #[inline(always)]
    pub(crate) fn sides(&self, state: &State, allowed: Allowed) -> (u8, u8) {
        let against = Allowed { land: false, upwind: true, downwind: false };
        let rolls = self.variant.gust == Gust::Attempt && allowed.downwind && !allowed.upwind;
        (self.passable(state, allowed), if rolls { self.passable(state, against) } else { 0 })
    }

    /// Masks of the legal moves and of the legal rolls for a gust. The acting Adventurer must be about to
    /// move.
    #[inline]
    pub(crate) fn ways(&self, state: &State) -> (u8, u8) {
        let (mut go, mut roll) = (state.turn.passable, state.turn.gusts);
        debug_assert_eq!((go, roll), self.sides(state, self.allowed(state)));
        if self.keeps_off_disasters(state) {
            let barred = Self::disasters_beside(state, state.map.cell(state.here()));
            go &= !barred;
            roll &= !barred;
        }
        (go, roll)
    }
}
