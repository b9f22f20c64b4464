//! Where to end a turn.

use meeple_core::Seat;

use super::{Admiral, hostility};
use crate::fight::Fighter;
use crate::map::{Cell, MAX_PORTS};
use crate::observe::Observation;
use crate::variant::MAX_SEATS;

/// Probability that a ship sails at least so many cells in a turn towards a place, about.
const SAILS: [f64; 13] = [1.0, 0.8, 0.72, 0.6, 0.48, 0.36, 0.25, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02];

/// A ship that may attack.
#[derive(Clone, Copy)]
struct Threat {
    cell: Cell,
    range: u16,
    /// Probability that it attacks if it can, and wins.
    robs: f64,
    /// The unknown port nearest to it, which it sails to with probability `explores`; every other port shares
    /// the rest.
    unknown: Option<usize>,
    explores: f64,
    others: f64,
    /// By port: the longest way by a cell to it that is still no detour; 0 for the port where it is.
    limits: [u16; MAX_PORTS],
}

impl Threat {
    fn new(obs: &Observation<'_>, other: Seat, robs: f64) -> Self {
        let (map, cell) = (obs.map(), obs.cell(other));
        let known = obs.known_ports(other);
        let here = map.port_at(cell);
        let ports = (0..map.ports()).filter(|port| Some(*port) != here);
        let unknown = ports.clone().filter(|port| known >> port & 1 == 0);
        let unknown = unknown.min_by_key(|port| map.port_distance(*port, cell));
        // Who knows one port only can but explore.
        let explores = match known.count_ones() {
            _ if unknown.is_none() => 0.0,
            0 | 1 => EXPLORES,
            _ => EXPLORES_ON,
        };
        let range = u16::from(obs.game().build(obs.class(other)).range);
        let mut limits = [0; MAX_PORTS];
        for (port, limit) in limits.iter_mut().enumerate().take(map.ports()) {
            let direct = map.port_distance(port, cell);
            *limit = if direct == 0 { 0 } else { direct + 2 * range };
        }
        let rest = (ports.count() as f64 - f64::from(u8::from(unknown.is_some()))).max(1.0);
        Self { cell, range, robs, unknown, explores, others: (1.0 - explores) / rest, limits }
    }
}

/// Probability that a ship that knows one port sails to the nearest unknown one; and one that knows more.
const EXPLORES: f64 = 0.8;
const EXPLORES_ON: f64 = 0.4;

impl Admiral {
    /// The cell in reach with the least way left and danger, both in money.
    pub(super) fn choose_course(&self, obs: &Observation<'_>, seat: Seat, port: usize) -> Option<Cell> {
        let map = obs.map();
        let own = Fighter::new(obs.class(seat), obs.mounted(seat).unwrap_or(0));
        let mut threats = [const { None }; MAX_SEATS];
        let mut count = 0;
        let near = |other: &Seat| obs.cell(*other).manhattan(obs.cell(seat)) <= 26;
        for other in obs.living().filter(|other| *other != seat).filter(near) {
            let cannons = super::supposed_cannons(obs, other);
            let range = obs.game().build(obs.class(other)).range;
            let them = Fighter::new(obs.class(other), cannons);
            let wins = obs.game().win_probability(them, own, range);
            threats[count] =
                Some(Threat::new(obs, other, hostility(obs, other, self.params.suspicion) * wins));
            count += 1;
        }
        let stake = self.params.caution * Self::stake(obs, seat);
        // Money per cell of delay: the slope of what is to come.
        let rounds = obs.rounds_left().map_or(super::HORIZON, f64::from).clamp(1.0, super::HORIZON);
        let slope = super::OWN_INCOME[obs.class(seat).index()].max(2.0 * super::GROWTH * rounds);
        let pace = slope / self.params.pace;
        // Of equals the cheaper way.
        let delay =
            |cell: Cell, cost: u8| pace * f64::from(map.port_distance(port, cell)) + 1e-6 * f64::from(cost);
        // The sum is made only as far as it is below a limit: parts of it are never negative.
        let danger = |cell: Cell, price: f64, limit: f64| -> f64 {
            let mut sum = 0.0;
            for threat in threats[..count].iter().flatten() {
                sum += threat.robs * stake * meets(obs, threat, cell);
                if price + sum >= limit {
                    break;
                }
            }
            price + sum
        };
        // Danger is dear to compute and never negative: most cells are out by their delay alone, once the
        // nearest one's price is known.
        let mut nearest = (f64::INFINITY, obs.cell(seat));
        self.reach.each(|cell, cost| {
            let price = delay(cell, cost);
            if price < nearest.0 {
                nearest = (price, cell);
            }
        });
        let mut best = (danger(nearest.1, nearest.0, f64::INFINITY), Some(nearest.1));
        self.reach.each(|cell, cost| {
            let price = delay(cell, cost);
            if price < best.0 && cell != nearest.1 {
                let price = danger(cell, price, best.0);
                if price < best.0 {
                    best = (price, Some(cell));
                }
            }
        });
        best.1
    }
}

/// Probability that a ship comes in range of a cell in its next turn: if it gets so far, and if the cell lies by its way to
/// some port.
fn meets(obs: &Observation<'_>, threat: &Threat, cell: Cell) -> f64 {
    let map = obs.map();
    let way = map.distance(threat.cell, cell);
    let comes = SAILS.get(usize::from(way.saturating_sub(threat.range))).copied().unwrap_or(0.0);
    if comes == 0.0 {
        return 0.0;
    }
    if way <= threat.range {
        return 1.0;
    }
    // To the port itself it comes for certain if it sails there; a cell at sea is one of several ways.
    let (columns, rows) =
        (cell.column().abs_diff(threat.cell.column()), cell.row().abs_diff(threat.cell.row()));
    let passes = (f64::from(2 * threat.range + 1) / (1.0 + columns.min(rows) as f64)).min(1.0);
    let mut met = 0.0;
    for (port, limit) in threat.limits.iter().enumerate().take(map.ports()) {
        // Most ports are out by this alone.
        if way > *limit {
            continue;
        }
        let on = map.port_distance(port, cell);
        if way + on > *limit {
            continue;
        }
        let sails = if threat.unknown == Some(port) { threat.explores } else { threat.others };
        met += sails * if on <= threat.range { 1.0 } else { passes };
    }
    comes * met
}
