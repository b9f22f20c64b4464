//! Public and private conclusions from fights, kept in the state, and the upper bound on a ship's wealth.

use meeple_core::Seat;

use crate::game::{GROWTH_UNIT, Privateers};
use crate::goods::PRODUCTS;
use crate::knowledge::{Knowledge, rows};
use crate::ship::{Build, Class};
use crate::state::{Hold, Ship, State};

impl Knowledge {
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

impl Privateers {
    /// The current knowledge about a seat's hold, from the view of this row.
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

    /// Lets every row keep the contents of a fresh ship that begins its turn at sea: nobody can have changed
    /// them.
    pub(crate) fn remember_fresh(&self, state: &mut State, seat: Seat) {
        let clock = state.tick();
        let known = Knowledge { clock, ..Knowledge::exactly(&self.fresh_hold()) };
        for row in rows(self.seats) {
            state.knowledge[row][seat.index()] = known;
        }
    }

    /// Records every viewer's conclusions from a finished fight and its loot. `sunk` is the loser's hold. The
    /// winner's ship must not be marked as changed yet.
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
                    // The winner may have taken all of the loot, or nothing.
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

    /// A contradiction to the conclusions of any row, or to the upper bound on a ship's wealth.
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

    /// Money plus all units, each at the smallest price of any port.
    pub(crate) fn least_worth(&self, hold: &Hold) -> i64 {
        let units =
            (0..PRODUCTS).map(|product| i64::from(hold.count(product)) * self.smallest_price(product));
        hold.money + units.sum::<i64>()
    }

    /// Upper bound on the wealth after a stay in a port, for a ship worth at most `ceiling` at sea. It
    /// assumes that all units are the best product, bought at the smallest price and sold at the largest.
    pub(crate) fn ceiling_in_port(&self, class: Class, ceiling: i64) -> i64 {
        let build = self.build(class);
        let room = i64::from(build.hold) + i64::from(build.mounts);
        let [ratio, step] = self.growth;
        let by_money = ceiling.saturating_mul(ratio) / GROWTH_UNIT;
        ceiling.saturating_add(by_money.min(room * step))
    }
}
