//! Draws what a viewer cannot know.
//!
//! The prior, documented in R9.3 of the rules:
//!
//! * Prices: the known ones stay; of every product the prices not yet seen are dealt to the unknown ports,
//!   all permutations alike. That is exact.
//! * A ship that has had no turn since it was fitted out is as it was fitted out. That is exact.
//! * Mounted cannons are those that the viewer saw last, as long as the ship cannot have changed them; in a
//!   fight they are at least the points lost so far. Otherwise they are as fitted out with probability one
//!   half, or else uniform over what the class mounts.
//! * The hold carries one product, uniform, in a uniform number of units that fits.
//! * Money is uniform up to a ceiling that grows with the rounds since the ship was fitted out, and with its
//!   class. Its purchase is paid for: nobody's money is negative.
//! * What is public about hidden things is respected: a winner who makes room is overfull, an acting seat
//!   has something to do.
//!
//! Private counters of others start at zero, and what they remember of their fights is drawn anew.

use meeple_core::{Seat, Stream, Viewer};

use crate::goods::{GOODS, PRODUCTS, Product};
use crate::map::MAX_PORTS;
use crate::observe::Observation;
use crate::rules::Privateers;
use crate::state::{Hold, Stage, State};

/// Money a trader of each class is supposed to earn at most in a round.
const INCOME: [u32; 3] = [30, 150, 400];

/// Writes a state that agrees with the observation.
pub(crate) fn determinize(
    game: &Privateers,
    observation: &Observation<'_>,
    rng: &mut Stream,
    state: &mut State,
) {
    observation.public_part(state);
    observation.private_part(state);
    if observation.viewer() == Viewer::Everything {
        return;
    }
    let dealt = match state.stage {
        Stage::Order => 0,
        Stage::Prices(product) => usize::from(product),
        _ => PRODUCTS,
    };
    deal_prices(game, observation, rng, state, dealt);
    let hidden = |seat: &Seat| !observation.viewer().sees(*seat);
    for seat in Seat::all(game.seats).filter(hidden) {
        if state.lives(seat) {
            let hold = draw_hold(game, observation, rng, seat);
            state.ship_mut(seat).hold = hold;
        }
    }
    if matches!(state.stage, Stage::Roll | Stage::Loot | Stage::Respawn | Stage::Place) {
        fit_fight(game, observation, rng, state);
    }
    if state.stage == Stage::Loot && hidden(&state.fight.winner()) {
        overfill(game, rng, state);
    }
    if state.stage == Stage::Act && hidden(&state.current()) && !game.has_choice(state, state.current()) {
        // It is in a port, or the turn had passed: give it money for the dearest product, and room.
        let seat = state.current();
        let dearest = game.ranges.iter().map(|range| i64::from(range.max)).max().unwrap_or(1);
        let fixed = state.prices.iter().flatten().copied().max().unwrap_or(1);
        let ship = state.ship_mut(seat);
        ship.hold.money = ship.hold.money.max(dearest).max(i64::from(fixed));
    }
    draw_memories(game, observation, rng, state);
}

/// The prices not yet seen, dealt to the unknown ports.
fn deal_prices(
    game: &Privateers,
    observation: &Observation<'_>,
    rng: &mut Stream,
    state: &mut State,
    dealt: usize,
) {
    let ports = game.map.ports();
    if (0..ports).all(|port| observation.sees_port(port)) {
        return;
    }
    for product in &Product::ALL[..dealt] {
        let index = product.index();
        let mut left = [0u16; MAX_PORTS];
        left[..ports].copy_from_slice(game.price_list(*product));
        let mut count = ports;
        for port in (0..ports).filter(|port| observation.sees_port(*port)) {
            let price = state.prices[port][index];
            if let Some(position) = left[..count].iter().position(|known| *known == price) {
                left.copy_within(position + 1..count, position);
                count -= 1;
            }
        }
        rng.shuffle(&mut left[..count]);
        let unknown = (0..ports).filter(|port| !observation.sees_port(*port));
        for (port, price) in unknown.zip(&left[..count]) {
            state.prices[port][index] = *price;
        }
    }
}

fn draw_hold(game: &Privateers, observation: &Observation<'_>, rng: &mut Stream, seat: Seat) -> Hold {
    let fresh = game.fresh_hold();
    if observation.is_fresh(seat) {
        return fresh;
    }
    let class = observation.class(seat);
    let build = game.build(class);
    let cannons = match observation.sighting(seat) {
        Some(sighting) if sighting.exact => sighting.mounted,
        _ if rng.coin() => fresh.cannons.min(build.mounts),
        _ => rng.below(u32::from(build.mounts) + 1) as u16,
    };
    let mut goods = [0; GOODS];
    goods[rng.index(GOODS)] = rng.below(u32::from(build.hold) + 1) as u16;
    let rounds = observation.round() + 1 - observation.fitted_in_round(seat).min(observation.round());
    let income = INCOME[class.index()].saturating_mul(rounds);
    let ceiling = game.variant.start_money.saturating_add(income);
    Hold { money: i64::from(rng.below(ceiling.saturating_add(1))), goods, cannons, ..Hold::default() }
}

/// Makes the cannons of hidden fighters fit what has been seen of the fight.
fn fit_fight(game: &Privateers, observation: &Observation<'_>, rng: &mut Stream, state: &mut State) {
    let Some(view) = observation.fight() else { return };
    let goes_on = state.stage == Stage::Roll;
    for (side, seat) in view.seats.into_iter().enumerate() {
        if observation.viewer().sees(seat) {
            continue;
        }
        let class = state.ship(seat).class;
        let mounts = game.build(class).mounts;
        if view.points.is_some() {
            if goes_on {
                state.ship_mut(seat).hold.cannons = u16::from(state.fight.start[side]);
            }
            continue;
        }
        let lost = u16::from(view.lost[side]);
        if goes_on {
            let cannons = &mut state.ship_mut(seat).hold.cannons;
            if *cannons < lost {
                *cannons = lost + rng.below(u32::from(mounts.saturating_sub(lost)) + 1) as u16;
            }
            let start = (*cannons).min(mounts);
            state.fight.start[side] = start as u8;
            state.fight.points[side] = start.saturating_sub(lost) as u8;
        } else {
            // The fight is over: its points matter no more, but the winner had the ones he lost.
            state.fight.start[side] = lost.min(mounts) as u8;
            state.fight.points[side] = 0;
        }
    }
}

/// A winner who makes room has at least one unit too many.
fn overfill(game: &Privateers, rng: &mut Stream, state: &mut State) {
    let winner = state.fight.winner();
    let class = state.ship(winner).class;
    let room = game.build(class).hold;
    let hold = state.ship(winner).hold;
    let load = game.load(class, &hold);
    if load <= room {
        let extra = 1 + rng.below(u32::from(room)) as u16;
        state.ship_mut(winner).hold.goods[rng.index(GOODS)] += room - load + extra;
    }
}

/// What others remember of who sank them. That they were sunk, and when, is public.
fn draw_memories(game: &Privateers, observation: &Observation<'_>, rng: &mut Stream, state: &mut State) {
    for seat in Seat::all(game.seats).filter(|seat| !observation.viewer().sees(*seat)) {
        for other in Seat::all(game.seats) {
            let ship = state.ship(other);
            let (class, cannons, changed) = (ship.class, ship.hold.cannons, ship.changed);
            let money = ship.hold.money;
            let memory = &mut state.memories[seat.index()][other.index()];
            if memory.clock == 0 {
                continue;
            }
            let mounts = game.build(class).mounts;
            memory.mounted = if memory.clock > changed {
                game.mounted(class, cannons)
            } else {
                rng.below(u32::from(mounts) + 1) as u16
            };
            memory.money = rng.below(money.clamp(0, i64::from(u32::MAX - 1)) as u32 + 1);
        }
    }
}

impl Privateers {
    /// Checks what every state that can be reached keeps, and says what is broken: nobody owes money, holds
    /// are overfull only while room is made, ships swim, and the prices of a product are its price list.
    pub fn find_fault(&self, state: &State) -> Option<String> {
        find_fault(self, state)
    }
}

fn find_fault(game: &Privateers, state: &State) -> Option<String> {
    for seat in Seat::all(game.seats).filter(|seat| state.lives(*seat)) {
        let ship = state.ship(seat);
        let room = game.build(ship.class).hold;
        let makes_room = state.stage == Stage::Loot && state.fight.winner() == seat;
        let load = game.load(ship.class, &ship.hold);
        if ship.hold.money < 0 {
            return Some(format!("seat {seat} has {} $", ship.hold.money));
        }
        if (load > room) != makes_room {
            return Some(format!("seat {seat} carries {load} of {room}"));
        }
        if !game.map.is_water(ship.cell) {
            return Some(format!("seat {seat} is on land: {}", ship.cell));
        }
    }
    if matches!(state.stage, Stage::Wind | Stage::Act | Stage::Roll) && !game.prices_are_fixed() {
        for product in 0..PRODUCTS {
            let mut prices: Vec<u16> =
                state.prices[..game.map.ports()].iter().map(|row| row[product]).collect();
            prices.sort_unstable();
            if prices != game.price_list(Product::new(product)) {
                return Some(format!("prices of product {product} are {prices:?}"));
            }
        }
    }
    None
}
