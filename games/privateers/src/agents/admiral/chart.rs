//! The choice of the cell where a turn ends.

use meeple_core::Seat;

use super::{Admiral, hostility};
use crate::fight::Fighter;
use crate::map::Cell;
use crate::observe::Observation;
use crate::prospects::SAILS;
use crate::reach::Nearest;
use crate::variant::MAX_SEATS;

/// A ship that may attack.
#[derive(Clone, Copy)]
struct Threat {
    seat: Seat,
    cell: Cell,
    range: u16,
    /// Probability that the ship attacks if it can, and wins. It is computed at the first cell that the ship
    /// can reach.
    robs: Option<f64>,
    plans: Option<Plans>,
}

#[derive(Clone, Copy)]
struct Plans {
    /// The nearest unknown port of the ship.
    unknown: Option<usize>,
    /// Probability that this port is the ship's target.
    explores: f64,
    /// Probability of every other port as the target.
    others: f64,
}

impl Plans {
    fn new(obs: &Observation<'_>, other: Seat) -> Self {
        let (map, cell) = (obs.map(), obs.cell(other));
        let known = obs.known_ports(other);
        let all = u64::MAX >> (64 - map.ports());
        let elsewhere = map.port_at(cell).map_or(all, |here| all & !(1 << here));
        let away = map.port_distances(cell);
        let (mut left, mut unknown, mut least) = (elsewhere & !known, None, u16::MAX);
        while left != 0 {
            let port = left.trailing_zeros() as usize;
            left &= left - 1;
            if away[port] < least {
                (unknown, least) = (Some(port), away[port]);
            }
        }
        // A ship that knows at most one port usually explores.
        let explores = match known.count_ones() {
            _ if unknown.is_none() => 0.0,
            0 | 1 => FIRST_EXPLORE_PROBABILITY,
            _ => LATER_EXPLORE_PROBABILITY,
        };
        let rest = (f64::from(elsewhere.count_ones()) - f64::from(u8::from(unknown.is_some()))).max(1.0);
        Self { unknown, explores, others: (1.0 - explores) / rest }
    }
}

/// Probability that a ship sails to the nearest unknown port, if it knows at most one port.
const FIRST_EXPLORE_PROBABILITY: f64 = 0.8;
/// Probability that a ship sails to the nearest unknown port, if it knows more ports.
const LATER_EXPLORE_PROBABILITY: f64 = 0.4;

struct Threats {
    near: [Threat; MAX_SEATS],
    count: usize,
    own: Fighter,
    stake: f64,
    suspicion: f64,
}

impl Threats {
    fn new(obs: &Observation<'_>, seat: Seat, stake: f64, suspicion: f64) -> Self {
        let cell = obs.cell(seat);
        let own = Fighter::new(obs.class(seat), obs.mounted(seat).unwrap_or(0));
        let nobody = Threat { seat, cell, range: 0, robs: None, plans: None };
        let mut threats = Self { near: [nobody; MAX_SEATS], count: 0, own, stake, suspicion };
        for other in obs.living().filter(|other| *other != seat) {
            let at = obs.cell(other);
            if at.manhattan(cell) <= MAX_THREAT_DISTANCE {
                let range = u16::from(obs.game().build(obs.class(other)).range);
                threats.near[threats.count] = Threat { seat: other, cell: at, range, ..nobody };
                threats.count += 1;
            }
        }
        threats
    }

    /// A price plus the danger of a cell. If the sum exceeds `limit`, the result is any number above `limit`,
    /// because all parts of the danger are at least 0.
    fn danger(&mut self, obs: &Observation<'_>, cell: Cell, price: f64, limit: f64) -> f64 {
        let mut sum = 0.0;
        for threat in &mut self.near[..self.count] {
            if usize::from(threat.cell.manhattan(cell)) >= SAILS.len() + usize::from(threat.range) {
                continue;
            }
            let meets = threat.meets(obs, cell);
            if meets > 0.0 {
                sum += threat.robs(obs, self.own, self.suspicion) * self.stake * meets;
                if price + sum > limit {
                    break;
                }
            }
        }
        price + sum
    }
}

/// Largest distance at which ships count as threats, in cells.
const MAX_THREAT_DISTANCE: u16 = 26;

impl Admiral {
    /// The reachable cell with the smallest sum of remaining distance and danger, both in money.
    pub(super) fn choose_course(&self, obs: &Observation<'_>, seat: Seat, port: usize) -> Option<Cell> {
        let map = obs.map();
        // Money per cell of delay: the slope of the future gain over the pace.
        let rounds = obs.rounds_left().map_or(super::HORIZON, f64::from).clamp(1.0, super::HORIZON);
        let slope = super::OWN_INCOME[obs.class(seat).index()].max(2.0 * super::GROWTH * rounds);
        let pace = slope / self.params.pace;
        // The cost in half points breaks ties.
        let delay = |away: u16, cost: u8| pace * f64::from(away) + 1e-6 * f64::from(cost);
        let place = map.port_cell(port);
        let Nearest { cell: nearest, away, cost, is_alone } =
            self.reach.nearest(place, |cell| map.port_distance(port, cell));
        let least = delay(away, cost);
        let stake = self.params.caution * Self::stake(obs, seat);
        // One cell of delay usually costs more than any danger. Then the dangers need not be computed one by
        // one.
        if is_alone && least + self.most_danger(obs, seat, stake, nearest) < delay(away + 1, 0) {
            return Some(nearest);
        }
        let mut threats = Threats::new(obs, seat, stake, self.params.suspicion);
        // Danger is expensive to compute and never negative. So the delay alone rules out most cells, once
        // the price of the nearest cell is known. Ties go to the nearest cell, then to the cheapest, then to
        // the first.
        let mut best = ((threats.danger(obs, nearest, least, f64::INFINITY), None), nearest);
        if best.0.0 > least {
            let farthest = (best.0.0 / pace) as u16;
            self.reach.each_within(place, farthest, |cell| {
                let away = map.port_distance(port, cell);
                if delay(away, 0) >= best.0.0 || cell == nearest {
                    return;
                }
                let cost = self.reach.cost(cell).unwrap_or(0);
                let price = delay(away, cost);
                if price < best.0.0 {
                    let price = threats.danger(obs, cell, price, best.0.0);
                    if (price, Some(cost)) < best.0 {
                        best = ((price, Some(cost)), cell);
                    }
                }
            });
        }
        Some(best.1)
    }
}

impl Admiral {
    /// An upper bound on the danger of a cell. It assumes that every ship in range wins, and that every ship
    /// that can come in range does so.
    fn most_danger(&self, obs: &Observation<'_>, seat: Seat, stake: f64, cell: Cell) -> f64 {
        let mut most = 0.0;
        for other in obs.living().filter(|other| *other != seat) {
            let range = u16::from(obs.game().build(obs.class(other)).range);
            let away = obs.cell(other).manhattan(cell).saturating_sub(range);
            if let Some(comes) = SAILS.get(usize::from(away)) {
                most += comes * hostility(obs, other, self.params.suspicion);
            }
        }
        // The factor covers rounding errors.
        most * stake * 1.000_001
    }
}

impl Threat {
    fn robs(&mut self, obs: &Observation<'_>, own: Fighter, suspicion: f64) -> f64 {
        *self.robs.get_or_insert_with(|| {
            let them = Fighter::new(obs.class(self.seat), super::supposed_cannons(obs, self.seat));
            let wins = obs.game().win_probability(them, own, self.range as u8);
            hostility(obs, self.seat, suspicion) * wins
        })
    }

    /// Probability that the ship comes in range of a cell in its next turn. It must sail far enough, and the
    /// cell must lie on its way to a port.
    fn meets(&mut self, obs: &Observation<'_>, cell: Cell) -> f64 {
        let map = obs.map();
        let way = map.distance(self.cell, cell);
        let comes = SAILS.get(usize::from(way.saturating_sub(self.range))).copied().unwrap_or(0.0);
        if comes == 0.0 {
            return 0.0;
        }
        if way <= self.range {
            return 1.0;
        }
        // The ship certainly passes its target port. A cell at sea lies on one of several ways, so the ship
        // passes it with probability `passes`.
        let (columns, rows) =
            (cell.column().abs_diff(self.cell.column()), cell.row().abs_diff(self.cell.row()));
        let passes = (f64::from(2 * self.range + 1) / (1.0 + columns.min(rows) as f64)).min(1.0);
        let ports = map.ports();
        let (from, on) = (&map.port_distances(self.cell)[..ports], &map.port_distances(cell)[..ports]);
        // For most ports the cell would be a detour.
        let mut by_the_way = 0_u64;
        for port in 0..ports {
            by_the_way |= u64::from(way + on[port] <= from[port] + 2 * self.range) << port;
        }
        if by_the_way == 0 {
            return 0.0;
        }
        let plans = self.plans.get_or_insert_with(|| Plans::new(obs, self.seat));
        let mut met = 0.0;
        while by_the_way != 0 {
            let port = by_the_way.trailing_zeros() as usize;
            by_the_way &= by_the_way - 1;
            let sails = if plans.unknown == Some(port) { plans.explores } else { plans.others };
            met += sails * if on[port] <= self.range { 1.0 } else { passes };
        }
        comes * met
    }
}
