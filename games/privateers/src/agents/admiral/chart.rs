//! Where to end a turn.

use meeple_core::Seat;

use super::Admiral;
use crate::fight::Fighter;
use crate::map::Cell;
use crate::observe::Observation;

/// Probability that a ship sails at least so many cells in a turn towards a place, about.
const SAILS: [f64; 13] = [1.0, 0.8, 0.72, 0.6, 0.48, 0.36, 0.25, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02];

/// A ship that may attack.
#[derive(Clone, Copy)]
struct Threat {
    cell: Cell,
    range: u16,
    /// Probability that it attacks if it can, and wins.
    robs: f64,
}

/// Probability that a ship takes a given cell of its way to a port when it comes that far.
const TAKES: f64 = 0.5;

impl Admiral {
    /// The cell in reach with the least way left and danger, both in money.
    pub(super) fn choose_course(&self, obs: &Observation<'_>, seat: Seat, port: usize) -> Option<Cell> {
        let map = obs.map();
        let own = Fighter::new(obs.class(seat), obs.mounted(seat).unwrap_or(0));
        let mut threats = [Threat { cell: Cell::new(0, 0), range: 0, robs: 0.0 }; 16];
        let mut count = 0;
        let near = |other: &Seat| obs.cell(*other).manhattan(obs.cell(seat)) <= 26;
        for other in obs.living().filter(|other| *other != seat).filter(near) {
            let cannons = super::supposed_cannons(obs, other);
            let range = obs.game().build(obs.class(other)).range;
            let them = Fighter::new(obs.class(other), cannons);
            let wins = obs.game().win_probability(them, own, range);
            threats[count] = Threat {
                cell: obs.cell(other),
                range: u16::from(range),
                robs: Self::hostility(obs, other) * wins,
            };
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
        let danger = |cell: Cell| -> f64 {
            threats[..count].iter().map(|threat| threat.robs * stake * self.meets(obs, *threat, cell)).sum()
        };
        // Danger is dear to compute and never negative: most cells are out by their delay alone, once the
        // nearest one's price is known.
        let mut nearest = (f64::INFINITY, obs.cell(seat));
        for (cell, cost) in self.reach.cells() {
            let price = delay(cell, cost);
            if price < nearest.0 {
                nearest = (price, cell);
            }
        }
        let mut best = (nearest.0 + danger(nearest.1), Some(nearest.1));
        for (cell, cost) in self.reach.cells() {
            let price = delay(cell, cost);
            if price < best.0 && cell != nearest.1 {
                let price = price + danger(cell);
                if price < best.0 {
                    best = (price, Some(cell));
                }
            }
        }
        best.1
    }

    /// Probability that a ship comes in range of a cell in its next turn: if it gets so far, and if the cell
    /// lies by its way to some port.
    fn meets(&self, obs: &Observation<'_>, threat: Threat, cell: Cell) -> f64 {
        let map = obs.map();
        let way = map.distance(threat.cell, cell);
        let comes = SAILS.get(usize::from(way.saturating_sub(threat.range))).copied().unwrap_or(0.0);
        if comes == 0.0 {
            return 0.0;
        }
        if way <= threat.range {
            return 1.0;
        }
        let by_the_way = |port: &usize| {
            let direct = map.port_distance(*port, threat.cell);
            direct > 0 && way + map.port_distance(*port, cell) <= direct + 2 * threat.range
        };
        let ways = (0..map.ports()).filter(by_the_way).count() as f64;
        comes * (TAKES * ways / (map.ports() - 1) as f64).min(1.0)
    }
}
