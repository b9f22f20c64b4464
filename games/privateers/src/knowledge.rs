//! What a viewer can conclude about a hold that it does not see.
//!
//! Nobody sees what others trade, but fights tell. Everybody hears how many fight points a winner has lost, so
//! he had at least so many cannons; and, if a fresh ship was sunk, what he took. The loser knows the winner's
//! fight points and all of the loot. Nobody hears whether the winner had to make room: where he may have had to,
//! he has all of that, or else a full hold. All that holds until the ship is in a port in its own turn. Each
//! viewer's conclusions follow from the events that it saw, and from nothing else; they are kept in the state,
//! and drawn worlds ([`determinize`](crate::determinize)) agree with them.

use meeple_core::{Seat, Viewer};
use serde::Serialize;

use crate::goods::{GOODS, PRODUCTS};
use crate::rules::Privateers;
use crate::ship::{Build, Class};
use crate::state::{Hold, Ship, State};
use crate::variant::MAX_SEATS;

/// Rows of conclusions: one for every seat, and one for who sees only what is public.
pub(crate) const ROWS: usize = MAX_SEATS + 1;
/// The row of who sees only what is public.
pub(crate) const PUBLIC: usize = MAX_SEATS;

/// What a viewer has concluded about a hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Knowledge {
    /// Clock of the last conclusion; 0 is none.
    pub(crate) clock: u32,
    /// Money that is there at least.
    pub(crate) money: u32,
    /// Units of goods that are there at least, unless `trimmed`.
    pub(crate) goods: [u16; GOODS],
    /// Units of goods, at most, beside these.
    pub(crate) more: u16,
    /// Cannons that are there at least; those above the mounts unless `trimmed`.
    pub(crate) cannons: u16,
    /// Whether there is no other money.
    pub(crate) all_money: bool,
    /// Whether there are no other cannons.
    pub(crate) all_cannons: bool,
    /// Whether room may have been made: then some of these units may be gone, but only out of a hold that is
    /// full.
    pub(crate) trimmed: bool,
}

impl Knowledge {
    /// Nothing is known but the size of the hold.
    fn nothing(build: &Build) -> Self {
        Self { more: build.hold, ..Self::default() }
    }

    /// Everything is known.
    fn exactly(hold: &Hold) -> Self {
        let money = u32::try_from(hold.money);
        Self {
            money: money.unwrap_or(u32::MAX),
            all_money: money.is_ok(),
            goods: hold.goods,
            cannons: hold.cannons,
            all_cannons: true,
            ..Self::default()
        }
    }

    /// The cannons that are certain to be there, whatever was thrown overboard.
    pub(crate) fn sure_cannons(&self, build: &Build) -> u16 {
        if self.trimmed { self.cannons.min(build.mounts) } else { self.cannons }
    }

    /// The most cannons there can be, if that is known.
    pub(crate) fn most_cannons(&self) -> Option<u16> {
        self.all_cannons.then_some(self.cannons)
    }

    /// Units of goods that are known of.
    pub(crate) fn units(&self) -> u16 {
        self.goods.iter().sum()
    }

    /// Only what is certain about the cannons, where some may have been thrown overboard.
    fn settle_cannons(&mut self, build: &Build) {
        self.all_cannons &= !self.trimmed || self.cannons <= build.mounts;
        self.cannons = self.sure_cannons(build);
    }

    /// R6.5, R6.6: a winner takes what a loser had, both as far as is known, and may have to make room.
    fn take(&mut self, mut loot: Self, builds: [&Build; 2]) {
        let [own, theirs] = builds;
        self.settle_cannons(own);
        loot.settle_cannons(theirs);
        let money = self.money.checked_add(loot.money);
        self.money = money.unwrap_or(u32::MAX);
        self.all_money &= loot.all_money && money.is_some();
        self.cannons += loot.cannons;
        self.all_cannons &= loot.all_cannons;
        if loot.trimmed {
            // Its hold may have been full of anything.
            loot.goods = [0; GOODS];
            loot.more = theirs.hold;
        }
        for (count, taken) in self.goods.iter_mut().zip(loot.goods) {
            *count += taken;
        }
        self.more = self.more.saturating_add(loot.more);
        let stowed = self.most_cannons().map(|most| most.saturating_sub(own.mounts));
        let fits = stowed
            .is_some_and(|stowed| self.units().saturating_add(self.more).saturating_add(stowed) <= own.hold);
        self.trimmed |= !fits;
    }

    /// What contradicts the conclusions.
    fn contradicted_by(&self, ship: &Ship, build: &Build) -> Option<String> {
        let hold = &ship.hold;
        let money = i64::from(self.money);
        if hold.money < money || (self.all_money && hold.money > money) {
            return Some(format!("money {} against {self:?}", hold.money));
        }
        let cannons = hold.cannons;
        let may_be_short = self.trimmed && hold.units() + cannons.saturating_sub(build.mounts) >= build.hold;
        if cannons < self.sure_cannons(build)
            || (cannons < self.cannons && !may_be_short)
            || self.most_cannons().is_some_and(|most| cannons > most)
        {
            return Some(format!("{cannons} cannons against {self:?}"));
        }
        let beside = hold.goods.iter().zip(self.goods).map(|(count, known)| count.saturating_sub(known));
        let missing = hold.goods.iter().zip(self.goods).any(|(count, known)| *count < known);
        let contradicts = beside.sum::<u16>() > self.more || (missing && !may_be_short);
        contradicts.then(|| format!("goods {:?} against {self:?}", hold.goods))
    }
}

/// The rows that are in use at a table of so many seats.
pub(crate) fn rows(seats: usize) -> impl Iterator<Item = usize> {
    (0..seats).chain([PUBLIC])
}

/// The row of a viewer.
pub(crate) fn row_of(viewer: Viewer) -> usize {
    match viewer {
        Viewer::Seat(seat) => seat.index(),
        Viewer::Public | Viewer::Everything => PUBLIC,
    }
}

impl Privateers {
    /// What the viewer of this row knows now about a seat's hold.
    pub(crate) fn known(&self, state: &State, row: usize, seat: Seat) -> Knowledge {
        let ship = state.ship(seat);
        let knowledge = state.knowledge[row][seat.index()];
        if ship.fresh {
            Knowledge::exactly(&self.fresh_hold())
        } else if knowledge.clock > ship.traded {
            knowledge
        } else {
            Knowledge::nothing(self.build(ship.class))
        }
    }

    /// A fresh ship begins its turn at sea: everybody still knows what it has.
    pub(crate) fn remember_fresh(&self, state: &mut State, seat: Seat) {
        let clock = state.tick();
        let known = Knowledge { clock, ..Knowledge::exactly(&self.fresh_hold()) };
        for row in rows(self.seats) {
            state.knowledge[row][seat.index()] = known;
        }
    }

    /// What everybody concludes from a fight that is over, and from what was taken. The loser's ship was
    /// `sunk`; the winner is not yet marked as changed.
    pub(crate) fn conclude(&self, state: &mut State, sunk: &Hold) {
        let (winner, loser) = (state.fight.winner(), state.fight.loser());
        let side = usize::from(!state.fight.initiator_won);
        let (lost, start) = (state.fight.lost[side], state.fight.start[side]);
        let builds = [winner, loser].map(|seat| self.build(state.ship(seat).class));
        let mounts = builds[0].mounts;
        let clock = state.clock;
        for row in rows(self.seats) {
            let mut own = self.known(state, row, winner);
            let unarmed = mounts == 0 || own.most_cannons() == Some(0);
            let mut armed = (own.sure_cannons(builds[0]).min(mounts) > 0 || lost > 0)
                .then_some(true)
                .or(unarmed.then_some(false));
            let mut loot = self.known(state, row, loser);
            if row == loser.index() {
                (armed, loot) = (Some(start > 0), Knowledge::exactly(sunk));
                own.learn_points(u16::from(start), builds[0]);
            } else {
                own.learn_at_least(u16::from(lost));
            }
            match armed {
                Some(true) => own.take(loot, builds),
                Some(false) => {}
                None => {
                    // Perhaps he took everything, perhaps nothing.
                    own.all_money = false;
                    own.all_cannons = false;
                    own.more = u16::MAX;
                    own.trimmed = true;
                }
            }
            own.clock = clock;
            state.knowledge[row][winner.index()] = own;
        }
        for row in &mut state.knowledge {
            row[loser.index()] = Knowledge::default();
        }
    }

    /// What contradicts anybody's conclusions, or what a ship can be worth.
    pub(crate) fn find_contradiction(&self, state: &State) -> Option<String> {
        for seat in Seat::all(self.seats).filter(|seat| state.lives(*seat)) {
            let ship = state.ship(seat);
            let worth = self.least_worth(&ship.hold);
            if worth > ship.ceiling {
                return Some(format!("seat {seat} has {worth} $ of at most {}", ship.ceiling));
            }
            let build = self.build(ship.class);
            for row in rows(self.seats).filter(|row| *row != seat.index()) {
                let known = self.known(state, row, seat);
                if let Some(fault) = known.contradicted_by(ship, build) {
                    return Some(format!("row {row} of seat {seat}: {fault}"));
                }
            }
        }
        None
    }

    /// Money and cargo, every unit at the smallest price of any port.
    pub(crate) fn least_worth(&self, hold: &Hold) -> i64 {
        let units =
            (0..PRODUCTS).map(|product| i64::from(hold.count(product)) * self.smallest_price(product));
        hold.money + units.sum::<i64>()
    }

    /// The most that money and cargo of a ship worth `ceiling` at sea can be worth in a port: the best product
    /// only, from the smallest price to the largest.
    pub(crate) fn ceiling_in_port(&self, class: Class, ceiling: i64) -> i64 {
        let build = self.build(class);
        let room = i64::from(build.hold) + i64::from(build.mounts);
        let [ratio, step] = self.growth;
        let by_money = ceiling.saturating_mul(ratio) / GROWTH_UNIT;
        ceiling.saturating_add(by_money.min(room * step))
    }
}

/// Growth by trade is counted in parts of this.
pub(crate) const GROWTH_UNIT: i64 = 1000;

impl Knowledge {
    /// So many cannons are mounted; others are stowed only if there are no free mounts.
    pub(crate) fn learn_points(&mut self, mounted: u16, build: &Build) {
        if mounted < build.mounts {
            (self.cannons, self.all_cannons) = (mounted, true);
        } else {
            self.learn_at_least(mounted);
        }
    }

    /// At least so many cannons are mounted.
    pub(crate) fn learn_at_least(&mut self, mounted: u16) {
        self.cannons = self.cannons.max(mounted);
    }
}
