//! Estimates of cargoes and final values, for agents, hints and encodings.

use meeple_core::Seat;

use crate::fight::Fighter;
use crate::goods::{GOODS, Product};
use crate::observe::Observation;

/// Mean value of a lone admiral after 0, 10, 20, … rounds on the map with seven ports, from simulations.
pub(crate) const GROWTH: [f64; 11] =
    [240.0, 422.0, 747.0, 1380.0, 2670.0, 5113.0, 9330.0, 15_200.0, 21_815.0, 29_700.0, 38_068.0];
/// Income per round of a lone admiral after the last entry of [`GROWTH`].
pub(crate) const LATE_INCOME: f64 = 820.0;
/// Upper bound on the rounds that estimates consider; also their number without a round limit.
pub(crate) const HORIZON: f64 = 200.0;

/// Share of filled mounts when an admiral gets a ship, and its increase per round, by class.
const ARMAMENT: [[f64; 2]; 3] = [[0.25, 0.0], [0.05, 0.01], [0.1, 0.02]];
/// Share of filled mounts and its increase, as in [`ARMAMENT`], if sunk ships do not return.
const MORTAL_ARMAMENT: [[f64; 2]; 3] = [[0.6, 0.0], [0.3, 0.015], [0.45, 0.015]];

/// Estimated income per round of another seat's ship, by class.
pub(crate) const INCOME: [f64; 3] = [12.0, 50.0, 250.0];
/// Estimated value of another ship's cargo at the time when it got its class, by class.
pub(crate) const CARRIED: [f64; 3] = [60.0, 300.0, 500.0];

/// Assumed number of rounds until a fresh ship has reached each class.
const UPGRADED: [u32; 3] = [0, 12, 36];

/// Estimated number of rounds since a ship got its class.
pub(crate) fn age(obs: &Observation<'_>, other: Seat) -> u32 {
    let class = obs.class(other).index();
    let since_fitted = obs.round().saturating_sub(obs.fitted_in_round(other));
    since_fitted.saturating_sub(UPGRADED[class]).min(obs.tally(other).turns[class])
}

/// Assumed number of mounted cannons of another ship. By default it is that of an admiral's ship of this age.
pub(crate) fn supposed_cannons(obs: &Observation<'_>, other: Seat) -> u16 {
    let build = obs.game().build(obs.class(other));
    if obs.is_fresh(other) {
        return obs.variant().start_cannons.min(build.mounts);
    }
    if let Some(seen) = obs.sighting(other).filter(|seen| seen.exact) {
        return seen.mounted;
    }
    let armament = if obs.game().respawns() { &ARMAMENT } else { &MORTAL_ARMAMENT };
    let [first, more] = armament[obs.class(other).index()];
    let share = (first + more * f64::from(age(obs, other))).min(1.0);
    let least = obs.conclusions(other).map_or(0, |known| known.sure_cannons(build));
    ((share * f64::from(build.mounts) + 0.5) as u16).max(least).min(build.mounts)
}

/// Value of a ship to its owner. Cargo counts at about its later selling price.
pub(crate) fn wealth(obs: &Observation<'_>, seat: Seat, rounds: f64) -> f64 {
    let Some(cargo) = obs.cargo(seat) else { return 0.0 };
    let later = (rounds / 5.0).min(1.0);
    let mut wealth = obs.value(seat).unwrap_or(0) as f64;
    for product in 0..GOODS {
        let range = obs.game().price_range(Product::new(product));
        wealth += later * f64::from(cargo.units[product]) * f64::from(range.avg - range.min);
    }
    wealth
}

/// Expected value after `rounds` more rounds of a ship worth `wealth` now.
pub(crate) fn grown(wealth: f64, rounds: f64) -> f64 {
    let last = GROWTH.len() - 1;
    let age = match GROWTH.iter().position(|worth| *worth > wealth) {
        Some(0) => 10.0 * (wealth / GROWTH[0] - 1.0),
        Some(at) => 10.0 * ((at - 1) as f64 + (wealth - GROWTH[at - 1]) / (GROWTH[at] - GROWTH[at - 1])),
        None => return wealth + LATE_INCOME * rounds,
    };
    let then = (age + rounds) / 10.0;
    if then >= last as f64 {
        return GROWTH[last] + 10.0 * LATE_INCOME * (then - last as f64);
    }
    let at = then.max(0.0) as usize;
    GROWTH[at] + (then - at as f64) * (GROWTH[at + 1] - GROWTH[at])
}

fn square(number: f64) -> f64 {
    number * number
}

/// A seat's expectations of the rest of the game. A seat's share of the win is modelled as the square of its
/// final value over the sum of all squares. The model was fitted to admirals.
pub(crate) struct Prospects<'o, 'a> {
    obs: &'o Observation<'a>,
    seat: Seat,
    rounds: f64,
    /// Expected final value of the own ship if it sells in the best port.
    pub(crate) own: f64,
    /// Expected final value of a fresh ship; 0 if sunk ships do not return.
    pub(crate) again: f64,
    /// Sum of the squares of the others' expected final values.
    rest: f64,
    ship: Fighter,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rivalry {
    pub(crate) cannons: u16,
    pub(crate) then: f64,
    /// Probability of winning a fight that the own ship begins from its largest range.
    pub(crate) begins: f64,
    /// Probability of winning a fight that the other ship begins.
    pub(crate) waits: f64,
    /// Probability that the own ship gets in range in a turn.
    pub(crate) hunts: f64,
    /// Probability that the other ship gets in range in a turn.
    pub(crate) comes: f64,
    /// Probability that the other ship attacks if it can, from its past attacks.
    pub(crate) hostility: f64,
    /// Change of the own share of the win by a fight between the two, if the own ship begins it.
    pub(crate) gain: f64,
    /// Change of the own share of the win by a fight between the two, if the other ship begins it.
    pub(crate) loss: f64,
}

/// Approximate probability that a ship sails at least `i` cells towards a place in a turn, by `i`.
pub(crate) const SAILS: [f64; 13] =
    [1.0, 0.8, 0.72, 0.6, 0.48, 0.36, 0.25, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02];

/// Approximate number of cells that a ship sails in a turn.
const PACE: f64 = 3.5;
/// Income of other seats as a share of an admiral's income.
const OTHERS: f64 = 0.7;
/// Approximate probability that a seat attacks if it can, before it has attacked anybody.
const SUSPICION: f64 = 0.3;

impl<'o, 'a> Prospects<'o, 'a> {
    pub(crate) fn new(obs: &'o Observation<'a>, seat: Seat) -> Self {
        let rounds = obs.rounds_left().map_or(HORIZON, f64::from).min(HORIZON);
        let again = if obs.game().respawns() { grown(GROWTH[0], rounds) } else { 0.0 };
        let ship = Fighter::new(obs.class(seat), obs.mounted(seat).unwrap_or(0));
        let mut prospects = Self { obs, seat, rounds, own: 0.0, again, rest: 0.0, ship };
        prospects.own = prospects.best_sale();
        prospects.rest =
            obs.living().filter(|other| *other != seat).map(|other| square(prospects.then(other))).sum();
        prospects
    }

    /// Expected final value if the own ship sails to the best port, sells there, and continues.
    fn best_sale(&self) -> f64 {
        let (obs, map) = (self.obs, self.obs.map());
        let Some(cargo) = obs.cargo(self.seat) else { return 0.0 };
        let value = obs.value(self.seat).unwrap_or(0) as f64;
        let mut best: f64 = 0.0;
        for (port, away) in map.port_distances(obs.cell(self.seat))[..map.ports()].iter().enumerate() {
            let way = f64::from(*away) / PACE;
            if way > self.rounds {
                continue;
            }
            let mut wealth = value;
            for product in (0..GOODS).filter(|product| cargo.units[*product] > 0) {
                if *away == 0 && cargo.bought.contains(product) {
                    continue;
                }
                let range = obs.game().price_range(Product::new(product));
                let price = obs.price(port, Product::new(product)).unwrap_or(range.avg);
                wealth +=
                    f64::from(cargo.units[product]) * (f64::from(price) - f64::from(range.min)).max(0.0);
            }
            best = best.max(grown(wealth, self.rounds - way));
        }
        best.max(value)
    }

    fn then(&self, other: Seat) -> f64 {
        let obs = self.obs;
        let (class, cannons) = (obs.class(other), supposed_cannons(obs, other));
        let ship = f64::from(obs.game().build(class).price) + CANNON * f64::from(cannons);
        OTHERS * grown(self.cargo_of(other) + ship, self.rounds)
    }

    fn cargo_of(&self, other: Seat) -> f64 {
        let obs = self.obs;
        if obs.is_fresh(other) {
            return f64::from(obs.variant().start_money);
        }
        let class = obs.class(other).index();
        let taken = obs.sighting(other).map_or(0.0, |seen| f64::from(seen.money));
        (CARRIED[class] + INCOME[class] * f64::from(age(obs, other))).max(taken)
    }

    pub(crate) fn share(&self) -> f64 {
        share(self.own, self.rest)
    }

    /// The own share of the win after a fight that the own ship wins with probability `win`.
    fn share_after(&self, other: Seat, win: f64) -> f64 {
        let (theirs, cannons) = (self.then(other), supposed_cannons(self.obs, other));
        let rest = (self.rest - square(theirs)).max(0.0);
        let now = wealth(self.obs, self.seat, self.rounds);
        let loot =
            if self.ship.mounted > 0 { self.cargo_of(other) + CANNON * f64::from(cannons) } else { 0.0 };
        let won = share(grown(now + loot, self.rounds).max(self.own), rest + square(OTHERS * self.again));
        let lost = share(self.again, rest + square(theirs + OTHERS * (self.own - self.again).max(0.0)));
        win * won + (1.0 - win) * lost
    }

    pub(crate) fn rivalry(&self, other: Seat) -> Rivalry {
        let (obs, game) = (self.obs, self.obs.game());
        let cannons = supposed_cannons(obs, other);
        let them = Fighter::new(obs.class(other), cannons);
        let [range, their_range] = [self.ship.class, them.class].map(|class| game.build(class).range);
        let begins = game.win_probability(self.ship, them, range);
        let waits = 1.0 - game.win_probability(them, self.ship, their_range);
        let away = obs.map().distance(obs.cell(self.seat), obs.cell(other));
        let sails = |range: u8| {
            let cells = usize::from(away.saturating_sub(u16::from(range)));
            SAILS.get(cells).copied().unwrap_or(0.0)
        };
        let attacks = f64::from(obs.tally(other).attacks);
        let now = self.share();
        Rivalry {
            cannons,
            then: self.then(other),
            begins,
            waits,
            hunts: if obs.fought(other) { 0.0 } else { sails(range) },
            comes: sails(their_range),
            hostility: (attacks + SUSPICION) / (attacks + 1.0 + f64::from(obs.round()) / 20.0),
            gain: self.share_after(other, begins) - now,
            loss: self.share_after(other, waits) - now,
        }
    }

    /// Probability of winning the own current fight, and the effect of the fight on the own share of the win.
    /// Points are estimates, because sampled worlds know no better.
    pub(crate) fn fight(&self) -> Option<[f64; 2]> {
        let fight = self.obs.fight()?;
        let side = fight.seats.iter().position(|seat| *seat == self.seat)?;
        let other = fight.seats[1 - side];
        let (game, obs) = (self.obs.game(), self.obs);
        let left = |cannons: u16, lost: u8| cannons.saturating_sub(u16::from(lost));
        let own = Fighter::new(self.ship.class, left(self.ship.mounted, fight.lost[side]));
        let them = Fighter::new(obs.class(other), left(supposed_cannons(obs, other), fight.lost[1 - side]));
        let win = match side {
            0 => game.win_probability(own, them, fight.distance),
            _ => 1.0 - game.win_probability(them, own, fight.distance),
        };
        Some([win, self.share_after(other, win) - self.share()])
    }
}

const CANNON: f64 = 95.0;

/// A seat's share of the win. `own` is its expected final value, `rest` the sum of the squares of the others.
fn share(own: f64, rest: f64) -> f64 {
    square(own) / (square(own) + rest).max(1.0)
}
