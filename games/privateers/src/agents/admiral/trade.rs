//! The choice of goods to buy and of the port to sell them in.

use meeple_core::Seat;

use super::params::AdmiralParams;
use crate::action::Action;
use crate::agents::merchant::{buy, last_call, room_for_goods, sell_above};
use crate::game::Privateers;
use crate::goods::{GOODS, Product, Products};
use crate::map::MAX_PORTS;
use crate::observe::{CargoView, Observation};
use crate::ship::Class;

/// Prices of the goods in one port. Expected prices have fractions.
type Row = [f64; GOODS];

#[derive(Clone)]
pub(super) struct Trade {
    params: AdmiralParams,
    /// Expected number of hostile rivals when the plan was made.
    danger: f64,
    table: [Row; MAX_PORTS],
    margins: Margins,
    seen: u64,
    stay: u32,
    selling: bool,
    target: Option<usize>,
    cargo: [u16; GOODS],
    /// True if all money goes into goods, because money does not count in the value.
    last_call: bool,
}

/// By pair of ports: the largest gain per unit, and per dollar. Computed when first needed after a change of
/// the table.
#[derive(Default)]
struct Margins(Vec<[f64; 2]>);

impl Clone for Margins {
    /// The clone is empty, because most copies never plan.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Margins {
    fn fill(&mut self, table: &[Row]) {
        if self.0.is_empty() {
            for here in table {
                self.0.extend(table.iter().map(|there| margins(here, there)));
            }
        }
    }
}

/// Cost of time at sea, as a share of the best return trade's gain in that time.
const TIME_COST_SHARE: f64 = 0.6;

struct Leg {
    cargo: [u16; GOODS],
    profit: f64,
}

impl Trade {
    pub(super) fn new(params: AdmiralParams) -> Self {
        Self {
            params,
            danger: 0.0,
            table: [[0.0; GOODS]; MAX_PORTS],
            margins: Margins::default(),
            seen: 0,
            stay: u32::MAX,
            selling: true,
            target: None,
            cargo: [0; GOODS],
            last_call: false,
        }
    }

    pub(super) fn begin(&mut self, game: &Privateers) {
        let average = std::array::from_fn(|product| f64::from(game.price_range(Product::new(product)).avg));
        self.replace(Self::new(self.params.clone()));
        self.table[..game.map().ports()].fill(average);
    }

    pub(super) fn follow(&mut self, other: &Self) {
        self.replace(other.clone());
    }

    /// Replaces all fields except the buffers.
    fn replace(&mut self, other: Self) {
        let mut margins = std::mem::take(&mut self.margins);
        margins.0.clear();
        *self = Self { margins, ..other };
    }

    /// Resumes a voyage whose plan is unknown, from the cargo on board.
    pub(super) fn resume(&mut self, obs: &Observation<'_>, seat: Seat, danger: f64) {
        let here = obs.port(seat);
        let Some(cargo) = obs.cargo(seat) else { return };
        let has_bought = (0..GOODS).any(|product| cargo.bought.contains(product));
        if here.is_some() && !has_bought {
            return;
        }
        self.look(obs, seat);
        self.target = self.outlet(obs, seat, here, &cargo);
        if let Some(here) = here {
            // Goods bought during this stay already have a destination. The remaining money buys more goods
            // for the same port.
            self.stay = obs.stay(seat);
            self.danger = danger;
            self.selling = false;
            self.cargo.copy_from_slice(&cargo.units[..GOODS]);
            if let Some(target) = self.target {
                let more = self.fill_up(obs, seat, here, target, &cargo);
                for (planned, more) in self.cargo.iter_mut().zip(more.cargo) {
                    *planned += more;
                }
            }
        }
    }

    /// The goods that can be bought in addition to the cargo on board.
    fn fill_up(
        &self,
        obs: &Observation<'_>,
        seat: Seat,
        here: usize,
        target: usize,
        cargo: &CargoView,
    ) -> Leg {
        let held: u16 = cargo.units[..GOODS].iter().sum();
        let room = f64::from(room_for_goods(obs, seat, cargo).saturating_sub(held));
        let money = cargo.money as f64;
        fill(&self.table[here], &self.table[target], money, room, cargo.sold, &[0; 7])
    }

    /// The port to sell the cargo in. Candidates pay more than the mean. The choice maximises the gain there
    /// and on the next leg, minus the value of the time. The course is stable without a memory, because every
    /// cell of the way favours the same port.
    fn outlet(
        &self,
        obs: &Observation<'_>,
        seat: Seat,
        here: Option<usize>,
        cargo: &CargoView,
    ) -> Option<usize> {
        let map = obs.map();
        let ports = map.ports();
        let left = obs.rounds_left().map_or(f64::INFINITY, f64::from);
        let mut sales = [0.0; MAX_PORTS];
        for (sale, prices) in sales.iter_mut().zip(&self.table[..ports]) {
            *sale = (0..GOODS).map(|product| f64::from(cargo.units[product]) * prices[product]).sum();
        }
        let mean = sales[..ports].iter().sum::<f64>() / ports as f64;
        let room = f64::from(room_for_goods(obs, seat, cargo));
        let wealth = cargo.money as f64 + mean;
        let time =
            |from: usize, to: usize| f64::from(map.port_distance(to, map.port_cell(from))) / self.params.pace;
        let mut profits = [[0.0; MAX_PORTS]; MAX_PORTS];
        let mut pace: f64 = 0.0;
        for (from, row) in profits.iter_mut().enumerate().take(ports) {
            for (to, profit) in row.iter_mut().enumerate().take(ports).filter(|(to, _)| *to != from) {
                let (here, there) = (&self.table[from], &self.table[to]);
                *profit = self::profit(here, there, wealth, room);
            }
        }
        for (from, row) in profits.iter().enumerate().take(ports) {
            for (to, profit) in row.iter().enumerate().take(from) {
                pace = pace.max((profit + profits[to][from]) / (2.0 * time(from, to)));
            }
        }
        pace *= TIME_COST_SHARE;
        let bonus = self.news(obs, seat, left);
        let (mut best, mut highest) = (None, f64::NEG_INFINITY);
        for port in (0..ports).filter(|port| Some(*port) != here) {
            let way = f64::from(map.port_distance(port, obs.cell(seat))) / self.params.pace;
            let news = if self.seen >> port & 1 == 0 { bonus } else { 0.0 };
            if way + 1.0 > left || sales[port] + news < mean {
                continue;
            }
            let beside = here.map_or(0.0, |here| self.fill_up(obs, seat, here, port, cargo).profit);
            let others = (0..ports).filter(|to| *to != port && way + time(port, *to) + 1.0 <= left);
            let onward = others.map(|to| profits[port][to] - pace * time(port, to)).fold(0.0, f64::max);
            let promise = sales[port] + beside + news + onward - pace * way;
            if promise > highest {
                (best, highest) = (Some(port), promise);
            }
        }
        best
    }

    pub(super) fn stay(&self) -> u32 {
        self.stay
    }

    /// Updates the table. Unknown ports get the mean of the prices not seen yet.
    fn look(&mut self, obs: &Observation<'_>, seat: Seat) {
        let known = obs.known_ports(seat);
        if known == self.seen {
            return;
        }
        self.seen = known;
        let ports = obs.map().ports();
        for product in 0..GOODS {
            let list = obs.game().price_list(Product::new(product));
            let mut left: f64 = list.iter().copied().map(f64::from).sum();
            let mut unknown = ports;
            for port in 0..ports {
                if let Some(price) = obs.price(port, Product::new(product)) {
                    self.table[port][product] = f64::from(price);
                    left -= f64::from(price);
                    unknown -= 1;
                }
            }
            for port in (0..ports).filter(|port| known >> port & 1 == 0) {
                self.table[port][product] = left / unknown as f64;
            }
        }
        self.margins.0.clear();
    }

    /// The next trade in the ship's port; `None` when all trades are done, or at sea. `danger` is called when
    /// a stay begins.
    pub(super) fn next(
        &mut self,
        obs: &Observation<'_>,
        seat: Seat,
        danger: impl FnOnce() -> f64,
    ) -> Option<Action> {
        let here = obs.port(seat)?;
        let cargo = obs.cargo(seat)?;
        let stay = obs.stay(seat);
        if self.stay != stay {
            self.look(obs, seat);
            self.stay = stay;
            self.danger = danger();
            self.selling = true;
            self.plan(obs, seat, here, &cargo);
        }
        let class = obs.class(seat);
        if self.selling {
            let upgrade = self.upgrade(obs, class, self.wealth(here, &cargo));
            let keep = if upgrade.is_some() { [0; GOODS] } else { self.cargo };
            if let Some(action) = sell_above(obs, &cargo, keep) {
                return Some(action);
            }
            if let Some(class) = upgrade.filter(|class| obs.may_upgrade(*class)) {
                self.stay = u32::MAX;
                return Some(Action::BuyShip(class));
            }
            let cannons = cargo.units[Product::Cannon.index()];
            if self.sells_cannons(obs, seat, &cargo)
                && cannons > 0
                && !cargo.bought.contains(Product::Cannon.index())
            {
                // The plan already counts this money.
                return Some(if obs.variant().bulk {
                    Action::SellAll(Product::Cannon)
                } else {
                    Action::Sell(Product::Cannon)
                });
            }
            self.selling = false;
        }
        let build = obs.game().build(class);
        let rivals = (obs.living().len() as f64 - 1.0).max(1.0);
        let alarm = if obs.game().respawns() { self.params.alarm } else { self.params.mortal / rivals };
        let spice = f64::from(obs.game().price_range(Product::Spice).avg);
        let capital = self.params.capital * f64::from(build.hold) * spice / (1.0 + alarm * self.danger);
        let spare = cargo.money as f64 - capital;
        let cannons = cargo.units[Product::Cannon.index()];
        if cannons < build.mounts && spare > 105.0 && !self.last_call && obs.buyable(Product::Cannon) > 0 {
            return Some(Action::Buy(Product::Cannon));
        }
        for product in (0..GOODS).rev() {
            let (planned, have) = (self.cargo[product], cargo.units[product]);
            if planned > have && obs.buyable(Product::new(product)) > 0 {
                return Some(buy(obs, Product::new(product), planned - have));
            }
        }
        // The remaining money buys cannons, which count nearly in full.
        (self.last_call && obs.buyable(Product::Cannon) > 0).then(|| buy(obs, Product::Cannon, u16::MAX))
    }

    /// Returns true if a poor schooner should sell its cannons for capital.
    fn sells_cannons(&self, obs: &Observation<'_>, seat: Seat, cargo: &CargoView) -> bool {
        // If sunk ships do not return, a ship keeps its cannons.
        self.params.disarm
            && !self.last_call
            && obs.game().respawns()
            && self.danger < self.params.peace
            && obs.class(seat) == Class::Schooner
            && cargo.money < 600
    }

    /// Money after the sale of all goods that may be sold here.
    fn wealth(&self, here: usize, cargo: &CargoView) -> i64 {
        let mut wealth = cargo.money;
        for product in (0..GOODS).filter(|product| !cargo.bought.contains(*product)) {
            wealth += i64::from(cargo.units[product]) * self.table[here][product] as i64;
        }
        wealth
    }

    fn upgrade(&self, obs: &Observation<'_>, class: Class, wealth: i64) -> Option<Class> {
        let arms = (self.params.outfit * self.danger.min(1.0)) as i64;
        let reserve = |to| match to {
            _ if self.last_call => 0,
            Class::Frigate => self.params.frigate + arms,
            _ => self.params.galleon + arms / 3,
        };
        [Class::Frigate, Class::Galleon].into_iter().find(|to| {
            let price = obs.game().upgrade_price(class, *to);
            price.is_some_and(|price| wealth >= i64::from(price) + reserve(*to))
        })
    }

    pub(super) fn target(&mut self, obs: &Observation<'_>, seat: Seat) -> Option<usize> {
        let here = obs.port(seat);
        if self.target.is_none() || here == self.target {
            self.look(obs, seat);
            let cell = obs.cell(seat);
            let ports = (0..obs.map().ports()).filter(|port| Some(*port) != here);
            self.target = ports.min_by_key(|port| obs.map().port_distance(*port, cell));
        }
        self.target
    }

    /// The value of seeing an unknown port, with `left` rounds left.
    fn news(&self, obs: &Observation<'_>, seat: Seat, left: f64) -> f64 {
        let value = obs.value(seat).unwrap_or(0) as f64;
        self.params.curiosity / 100.0 * value * (left / 100.0).min(1.0)
    }

    /// Chooses the next port and the cargo for it, by the best gain per turn over two legs.
    fn plan(&mut self, obs: &Observation<'_>, seat: Seat, here: usize, cargo: &CargoView) {
        let map = obs.map();
        let ports = map.ports();
        self.margins.fill(&self.table[..ports]);
        let mut wealth = self.wealth(here, cargo) as f64;
        if self.sells_cannons(obs, seat, cargo) && !cargo.bought.contains(Product::Cannon.index()) {
            let price = obs.price(here, Product::Cannon).map_or(0.0, f64::from);
            wealth += price * f64::from(cargo.units[Product::Cannon.index()]);
        }
        let room = f64::from(room_for_goods(obs, seat, cargo));
        let left = obs.rounds_left().map_or(f64::INFINITY, f64::from);
        let bonus = self.news(obs, seat, left);
        let held = cargo.units;
        let (mut best, mut rate) = (None, 0.0);
        for first in (0..map.ports()).filter(|port| *port != here) {
            let way = f64::from(map.port_distance(first, map.port_cell(here))) / self.params.pace;
            if way + 1.0 > left {
                continue;
            }
            let leg = fill(&self.table[here], &self.table[first], wealth, room, cargo.sold, &held);
            let news = if self.seen >> first & 1 == 0 { bonus } else { 0.0 };
            let mut gain = (leg.profit + news) / way;
            for second in (0..map.ports()).filter(|port| *port != first) {
                let more = f64::from(map.port_distance(second, map.port_cell(first))) / self.params.pace;
                if way + more + 1.0 > left {
                    continue;
                }
                // Pruning by an upper bound: the best product in all room or for all money, with a factor for
                // rounding.
                let [by_unit, by_dollar] = self.margins.0[first * ports + second];
                let wealth = wealth + leg.profit;
                let most = (room * by_unit).min(wealth.max(0.0) * by_dollar) * 1.000_001;
                if (leg.profit + news + most) / (way + more) <= gain.max(rate) {
                    continue;
                }
                let then = profit(&self.table[first], &self.table[second], wealth, room);
                gain = gain.max((leg.profit + news + then) / (way + more));
            }
            if gain > rate {
                (best, rate) = (Some((first, leg.cargo)), gain);
            }
        }
        self.target = best.map(|(port, _)| port);
        self.cargo = best.map_or([0; GOODS], |(_, cargo)| cargo);
        self.last_call = false;
        if !obs.variant().value_money {
            let way = |port: usize| map.port_distance(port, map.port_cell(here));
            let others = (0..map.ports()).filter(|port| *port != here);
            let way = self.target.map_or(others.map(way).min().unwrap_or(0), way);
            let prices = std::array::from_fn(|product| self.table[here][product] as u16);
            let stock = last_call(obs, seat, way, &prices, self.wealth(here, cargo), cargo);
            self.last_call = stock.is_some();
            self.cargo = stock.unwrap_or(self.cargo);
        }
    }
}

/// Largest gain per unit, and per dollar, of goods bought here and sold there.
fn margins(here: &Row, there: &Row) -> [f64; 2] {
    let [mut by_unit, mut by_dollar] = [0.0; 2];
    // Code without branches lets the compiler generate vector code.
    for product in 0..GOODS {
        let gain = there[product] - here[product];
        let share = gain / here[product];
        by_unit = if gain > by_unit { gain } else { by_unit };
        by_dollar = if share > by_dollar { share } else { by_dollar };
    }
    [by_unit, by_dollar]
}

/// The profit of [`fill`] if nothing is barred.
#[inline]
fn profit(here: &Row, there: &Row, mut wealth: f64, mut room: f64) -> f64 {
    let mut profit = 0.0;
    for product in (0..GOODS).rev() {
        let (price, gain) = (here[product], there[product] - here[product]);
        if gain <= 0.0 {
            continue;
        }
        if wealth >= price * room {
            return if room < 1.0 { profit } else { profit + room * gain };
        }
        let units = f64::from((wealth / price) as u32).min(room);
        if units >= 1.0 {
            profit += units * gain;
            wealth -= units * price;
            room -= units;
            if room < 1.0 {
                break;
            }
        }
    }
    profit
}

/// The cargo of the most expensive products with a gain, as many units as money and room allow. A barred
/// product is limited to the units `held`.
fn fill(here: &Row, there: &Row, wealth: f64, room: f64, barred: Products, held: &[u16; 7]) -> Leg {
    let mut leg = Leg { cargo: [0; GOODS], profit: 0.0 };
    let (mut wealth, mut room) = (wealth, room);
    for product in (0..GOODS).rev() {
        let gain = there[product] - here[product];
        if gain <= 0.0 {
            continue;
        }
        // The comparison avoids a division if the room is the limit. Truncation is cheaper than `floor`.
        let all = wealth >= here[product] * room;
        let mut units = if all { room } else { f64::from((wealth / here[product]) as u32).min(room) };
        if barred.contains(product) {
            units = units.min(f64::from(held[product]));
        }
        if units < 1.0 {
            continue;
        }
        leg.cargo[product] = units as u16;
        leg.profit += units * gain;
        wealth -= units * here[product];
        room -= units;
        if room < 1.0 {
            break;
        }
    }
    leg
}
