//! Sampling of the information hidden from a viewer.
//!
//! The prior, documented in R9.4 of the rules:
//!
//! * Prices: known prices stay. For every product the unseen prices are dealt to the unknown ports in a
//!   uniformly random permutation. This is exact.
//! * A ship that has had no turn since it was fitted out has its initial contents. This is exact.
//! * The viewer's conclusions from fights hold ([`Knowledge`]), if the ship has not been in a port on its
//!   turn since. They give money, goods and cannons that must still be there, or were thrown overboard to
//!   make room. In a fight, the mounted cannons are at least the points lost so far; a fighter knows their
//!   number.
//! * Other mounted cannons: with probability one half as fitted out, otherwise uniform over the mounts of the
//!   class.
//! * Other goods: one product, chosen uniformly, in a uniform number of units that fits.
//! * Other money: uniform up to a ceiling that grows with the class and with the rounds since the ship was
//!   fitted out.
//! * No ship is richer than the best trades in all ports on its way could have made it.
//! * Implications of the stage hold: an acting seat has a choice. If a sunk seat is not asked about a fresh
//!   ship, the winner makes room. For all other viewers the winner has already made room.
//!
//! Private counters of other seats start at zero, and their memories of fights are drawn again.

use meeple_core::{Seat, Stream, Viewer};

use crate::game::Privateers;
use crate::goods::{GOODS, PRODUCTS, Product};
use crate::knowledge::{Knowledge, row_of};
use crate::map::MAX_PORTS;
use crate::observe::Observation;
use crate::ship::Build;
use crate::state::{Fight, Hold, Ship, Stage, State};

/// Assumed maximal income of a trader per round, by class.
const INCOME: [u32; 3] = [30, 150, 400];

/// Samples a state that agrees with the observation.
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
            let hold = draw_hold(game, observation, rng, state, seat);
            state.ship_mut(seat).hold = hold;
        }
    }
    if matches!(state.stage, Stage::Roll | Stage::Loot | Stage::Respawn | Stage::Place) {
        fit_fight(game, observation, state);
    }
    if state.stage == Stage::Act && hidden(&state.current()) && !game.has_choice(state, state.current()) {
        // The seat has nothing to sell, and is in a port, because at sea the turn would have passed. It gets
        // one unit of the cheapest product.
        let cheapest = (0..PRODUCTS).min_by_key(|product| game.smallest_price(*product)).unwrap_or(0);
        let seat = state.current();
        let ship = state.ship_mut(seat);
        *ship.hold.count_mut(cheapest) = 1;
        let over = game.least_worth(&ship.hold) - ship.ceiling;
        ship.hold.money -= over.max(0);
    }
    draw_memories(game, observation, rng, state);
}

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

/// Draws a hold from the prior, restricted by the viewer's conclusions.
fn draw_hold(
    game: &Privateers,
    observation: &Observation<'_>,
    rng: &mut Stream,
    state: &State,
    seat: Seat,
) -> Hold {
    let fresh = game.fresh_hold();
    let ship = state.ship(seat);
    let build = game.build(ship.class);
    let mut known = game.known(state, row_of(observation.viewer()), seat);
    fight_tells(observation, state, seat, build, &mut known);
    let makes_room = game.is_won_by(state, seat) && !game.confirms_fights();
    // A winner who makes room has more units than fit.
    let least = if makes_room { build.hold + 1 } else { 0 };
    // Worth that is left under the ceiling, beside the certain contents.
    let mut hold =
        Hold { money: i64::from(known.money), goods: known.goods, cannons: known.cannons, ..Hold::default() };
    let left = |hold: &Hold| (ship.ceiling - game.least_worth(hold)).max(0);
    hold.cannons = draw_cannons(game, rng, build, &known, (least, left(&hold)));
    hold.goods = draw_goods(game, rng, build, &known, (hold.cannons, least), left(&hold));
    if !makes_room {
        make_room(rng, build, &mut hold);
    }
    if !known.all_money {
        let rounds = observation.round() + 1 - observation.fitted_in_round(seat).min(observation.round());
        let income = INCOME[ship.class.index()].saturating_mul(rounds);
        let most = fresh.money.saturating_add(i64::from(income)).min(left(&hold));
        hold.money += i64::from(rng.below(u32::try_from(most).unwrap_or(u32::MAX - 1) + 1));
    }
    hold
}

/// Adds conclusions from the current fight: for a fighter the points of both sides, for other viewers the
/// points lost so far.
fn fight_tells(
    observation: &Observation<'_>,
    state: &State,
    seat: Seat,
    build: &Build,
    known: &mut Knowledge,
) {
    let Some(view) = observation.fight() else { return };
    let Some(side) = view.seats.iter().position(|fighter| *fighter == seat) else { return };
    if state.stage != Stage::Roll {
        return;
    }
    match view.points {
        Some(_) => known.learn_points(u16::from(state.fight.start[side]), build),
        None => known.learn_at_least(u16::from(view.lost[side])),
    }
}

/// The certain cannons and a random number of further ones. The hold must reach at least `least` units, and
/// the additional contents may cost `left` dollars.
fn draw_cannons(
    game: &Privateers,
    rng: &mut Stream,
    build: &Build,
    known: &Knowledge,
    (least, left): (u16, i64),
) -> u16 {
    if let Some(most) = known.most_cannons() {
        return most;
    }
    // If goods cannot fill the hold to `least`, cannons do.
    let goods = known.units().saturating_add(known.more);
    let stowed = least.saturating_sub(goods);
    let sure = if stowed > 0 { known.cannons.max(build.mounts + stowed) } else { known.cannons };
    // Goods that fill the hold also have a price.
    let missing = least.saturating_sub(known.units() + sure.saturating_sub(build.mounts));
    let left = left - i64::from(missing) * game.smallest_price(cheapest(game));
    let affordable = left.max(0) / game.smallest_price(Product::Cannon.index()).max(1);
    let affordable = u16::try_from(affordable).unwrap_or(u16::MAX);
    let most = build.mounts.max(sure).min(known.cannons.saturating_add(affordable)).max(sure);
    let fitted = game.variant.start_cannons.min(build.mounts);
    if rng.coin() && (sure..=most).contains(&fitted) {
        fitted
    } else {
        sure + rng.below(u32::from(most - sure) + 1) as u16
    }
}

fn cheapest(game: &Privateers) -> usize {
    (0..GOODS).min_by_key(|product| game.smallest_price(*product)).unwrap_or(0)
}

/// The certain goods, and a random number of units of one product. They fit beside the cannons, and bring the
/// hold to at least `least` units.
fn draw_goods(
    game: &Privateers,
    rng: &mut Stream,
    build: &Build,
    known: &Knowledge,
    (cannons, least): (u16, u16),
    left: i64,
) -> [u16; GOODS] {
    let load = known.units() + cannons.saturating_sub(build.mounts);
    let least = least.saturating_sub(load).min(known.more);
    let most = build.hold.saturating_sub(load).min(known.more).max(least);
    let mut product = rng.index(GOODS);
    let mut affordable = left / game.smallest_price(product).max(1);
    if affordable < i64::from(least) {
        product = cheapest(game);
        affordable = left / game.smallest_price(product).max(1);
    }
    let most = most.min(u16::try_from(affordable).unwrap_or(u16::MAX)).max(least);
    let mut goods = known.goods;
    goods[product] += least + rng.below(u32::from(most - least) + 1) as u16;
    goods
}

/// R6.6: throws random single units overboard until the rest fits. All units are equally likely.
fn make_room(rng: &mut Stream, build: &Build, hold: &mut Hold) {
    loop {
        let stowed = hold.cannons.saturating_sub(build.mounts);
        let load = hold.units() + stowed;
        if load <= build.hold {
            return;
        }
        let mut pick = rng.below(u32::from(load)) as u16;
        let unit = hold.goods.iter_mut().find(|count| {
            let found = pick < **count;
            pick = pick.saturating_sub(**count);
            found
        });
        *unit.unwrap_or(&mut hold.cannons) -= 1;
    }
}

/// Sets the points of fighters with hidden points to their mounted cannons.
fn fit_fight(game: &Privateers, observation: &Observation<'_>, state: &mut State) {
    let Some(view) = observation.fight() else { return };
    if view.points.is_some() {
        return;
    }
    for (side, seat) in view.seats.into_iter().enumerate() {
        let lost = view.lost[side];
        let start = if state.stage == Stage::Roll || (state.lives(seat) && seat != state.fight.loser()) {
            let ship = state.ship(seat);
            game.mounted(ship.class, ship.hold.cannons) as u8
        } else {
            // The points of a sunk ship do not matter.
            lost
        };
        state.fight.start[side] = start.max(lost);
        state.fight.points[side] = start.saturating_sub(lost);
    }
}

/// Draws the other seats' memories of the ships that sank them. Sinkings and their times are public.
fn draw_memories(game: &Privateers, observation: &Observation<'_>, rng: &mut Stream, state: &mut State) {
    for seat in Seat::all(game.seats).filter(|seat| !observation.viewer().sees(*seat)) {
        for other in Seat::all(game.seats) {
            let Ship { class, changed, hold, .. } = *state.ship(other);
            let memory = &mut state.memories[seat.index()][other.index()];
            if memory.clock == 0 {
                continue;
            }
            memory.mounted = if memory.clock > changed {
                game.mounted(class, hold.cannons)
            } else {
                rng.below(u32::from(game.build(class).mounts) + 1) as u16
            };
            memory.money = rng.below(hold.money.clamp(0, i64::from(u32::MAX - 1)) as u32 + 1);
        }
    }
}

impl Privateers {
    /// Finds a violation of the invariants of reachable states. Money is never negative. Holds are overfull
    /// only while room is made. Ships are at sea or in ports. The prices of a product are its price list.
    /// Fighters have lost the points recorded. Nothing contradicts the conclusions from fights.
    pub fn find_fault(&self, state: &State) -> Option<String> {
        for seat in Seat::all(self.seats).filter(|seat| state.lives(*seat)) {
            let ship = state.ship(seat);
            let room = self.build(ship.class).hold;
            let makes_room = self.is_won_by(state, seat);
            let load = self.load(ship.class, &ship.hold);
            if ship.hold.money < 0 {
                return Some(format!("seat {seat} has {} $", ship.hold.money));
            }
            if load > room && !makes_room || load <= room && makes_room && !self.confirms_fights() {
                return Some(format!("seat {seat} carries {load} of {room}"));
            }
            let fighter = |side: &usize| usize::from(state.fight.seats[*side]) == seat.index();
            if state.stage == Stage::Roll
                && let Some(side) = (0..2).find(fighter)
            {
                let Fight { start, points, lost, .. } = state.fight;
                let mounted = self.mounted(ship.class, ship.hold.cannons);
                if u16::from(start[side]) != mounted || points[side] + lost[side] != start[side] {
                    return Some(format!("seat {seat} fights with {mounted} cannons: {:?}", state.fight));
                }
            }
            if !self.map.is_water(ship.cell) {
                return Some(format!("seat {seat} is on land: {}", ship.cell));
            }
        }
        if let Some(fault) = self.find_contradiction(state) {
            return Some(fault);
        }
        if matches!(state.stage, Stage::Wind | Stage::Act | Stage::Roll) && !self.prices_are_fixed() {
            for product in 0..PRODUCTS {
                let mut prices: Vec<u16> =
                    state.prices[..self.map.ports()].iter().map(|row| row[product]).collect();
                prices.sort_unstable();
                if prices != self.price_list(Product::new(product)) {
                    return Some(format!("prices of product {product} are {prices:?}"));
                }
            }
        }
        None
    }
}
