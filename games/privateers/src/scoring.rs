//! Value, ranking and figures.

use meeple_core::{Figure, FigureSheet, Outcome, Seat};

use crate::game::Privateers;
use crate::goods::PRODUCTS;
use crate::ship::{CLASSES, Class};
use crate::state::{End, Hold, Stage, State};
use crate::variant::MAX_SEATS;

impl Privateers {
    /// R8.1: money if it counts (`value_money`), the ship's list price, and every unit at the smallest price
    /// of its product.
    #[inline]
    pub(crate) fn worth(&self, class: Class, hold: &Hold) -> i64 {
        let money = if self.variant.value_money { hold.money } else { 0 };
        money + i64::from(self.build(class).price) + self.cargo_worth(hold)
    }

    #[inline]
    pub(crate) fn cargo_worth(&self, hold: &Hold) -> i64 {
        (0..PRODUCTS)
            .map(|product| i64::from(hold.count(product)) * i64::from(self.ranges[product].min))
            .sum()
    }

    /// Value of a seat; 0 without a ship.
    #[inline]
    pub(crate) fn value(&self, state: &State, seat: Seat) -> i64 {
        let ship = state.ship(seat);
        if state.lives(seat) { self.worth(ship.class, &ship.hold) } else { 0 }
    }

    /// R8.3: ranks seats with a ship by value, then the others by elimination; a later elimination ranks
    /// higher.
    pub(crate) fn rank(&self, state: &State, outcome: &mut Outcome) {
        let mut keys = [(false, 0u8, 0i64); MAX_SEATS];
        for seat in Seat::all(self.seats) {
            let value = self.value(state, seat);
            outcome.scores.push(value);
            // A seat that is sunk when the limit on decisions ends the game counts as eliminated last.
            let lives = state.lives(seat);
            let out = match state.ship(seat).out {
                0 if !lives => u8::MAX,
                out => out,
            };
            keys[seat.index()] = (lives, out, value);
        }
        outcome.rank_by(&keys[..self.seats]);
        outcome.end = match state.stage {
            Stage::Over(end) => end as usize,
            _ => End::Rounds as usize,
        };
    }

    pub(crate) fn fill_figures(&self, state: &State, sheet: &mut FigureSheet) {
        let seats = || Seat::all(self.seats).map(|seat| state.ship(seat));
        let fights: u64 = seats().map(|ship| u64::from(ship.tally.attacks)).sum();
        let won: u64 = seats().map(|ship| u64::from(ship.tally.attacks_won)).sum();
        let respawns: u64 = seats().map(|ship| u64::from(ship.tally.respawns)).sum();
        let traded: u64 = seats().map(|ship| u64::from(ship.books.bought) + u64::from(ship.books.sold)).sum();
        let profit: i64 = seats().flat_map(|ship| ship.books.profit).sum();
        sheet.episode([
            f64::from(state.round),
            f64::from(state.turns),
            fights as f64,
            won as f64,
            f64::from(state.rolls),
            respawns as f64,
            f64::from(state.eliminated),
            traded as f64,
            profit as f64,
        ]);
        for seat in Seat::all(self.seats) {
            let ship = state.ship(seat);
            let (tally, books) = (&ship.tally, &ship.books);
            let profit = books.profit.map(|profit| profit as f64);
            let alive = state.lives(seat);
            sheet.seat([
                f64::from(u8::from(alive)),
                // The word after the classes' words stands for no ship.
                if alive { ship.class.index() as f64 } else { CLASSES as f64 },
                ship.hold.money as f64,
                f64::from(ship.known.count_ones()),
                f64::from(tally.moves),
                f64::from(books.bought),
                f64::from(books.sold),
                profit.iter().sum(),
            ]);
            sheet.seat(profit);
            sheet.seat(tally.turns.map(f64::from));
            sheet.seat(books.profit_in.map(|profit| profit as f64));
            sheet.seat([
                f64::from(tally.attacks),
                f64::from(tally.attacks_won),
                f64::from(tally.defences),
                f64::from(tally.defences_won),
            ]);
            sheet.seat(tally.attacks_in.map(f64::from));
            sheet.seat(tally.attacks_won_in.map(f64::from));
            sheet.seat(tally.sank.map(f64::from));
            sheet.seat([
                books.loot as f64,
                f64::from(books.discarded),
                f64::from(tally.sunk_by.iter().sum::<u16>()),
                f64::from(tally.sunk_by[0]),
                f64::from(tally.sunk_by[1]),
                f64::from(tally.sunk_by[2]),
                // 0 stands for nobody; larger numbers are seats counted from 1.
                f64::from(tally.sunk_last_by) + Figure::NOBODY,
                f64::from(tally.respawns),
            ]);
        }
    }
}
