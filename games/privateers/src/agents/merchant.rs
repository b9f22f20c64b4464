//! Buying, selling and sailing: what all trading agents share.

use meeple_core::Seat;

use crate::action::Action;
use crate::goods::{GOODS, Product};
use crate::map::{Cell, MAX_PORTS};
use crate::observe::Observation;
use crate::rules::Privateers;
use crate::ship::Class;
use crate::wind::Heading;

/// Cells a ship sails in a turn, as a first guess.
pub(crate) const CELLS_PER_TURN: f64 = 3.5;
/// A pair of ports is worth sailing if it gains this share of the outlay.
const WORTH_IT: f64 = 0.10;

/// How a merchant spends his money apart from goods.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Spending {
    /// Money that must be left after an upgrade; `None` never upgrades.
    pub(crate) upgrade_reserve: Option<i64>,
    /// Share of the mounts to be filled with cannons before goods are bought.
    pub(crate) arm: f64,
}

/// What to do in a port, and where to go next.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Plan {
    target: Option<u8>,
    /// Units to have on board when leaving, by product.
    cargo: [u16; GOODS],
}

/// A merchant: plans on arrival, trades by the plan, sails to its target.
#[derive(Clone, Debug)]
pub(crate) struct Merchant {
    spending: Spending,
    /// Prices by port: the average until seen.
    table: [[u16; GOODS]; MAX_PORTS],
    /// Ports whose prices are in the table.
    seen: u64,
    /// The stay that the plan was made in, and whether selling is over.
    stay: u32,
    sold: bool,
    plan: Plan,
}

impl Merchant {
    pub(crate) fn new(spending: Spending) -> Self {
        Self {
            spending,
            table: [[0; GOODS]; MAX_PORTS],
            seen: 0,
            stay: u32::MAX,
            sold: false,
            plan: Plan::default(),
        }
    }

    pub(crate) fn begin(&mut self, game: &Privateers) {
        let average = std::array::from_fn(|product| game.price_range(Product::new(product)).avg);
        self.table[..game.map().ports()].fill(average);
        self.seen = 0;
        self.stay = u32::MAX;
        self.plan = Plan::default();
    }

    /// Brings the table up to date.
    fn look(&mut self, obs: &Observation<'_>, seat: Seat) {
        let mut new = obs.known_ports(seat) & !self.seen;
        self.seen |= new;
        while new != 0 {
            let port = new.trailing_zeros() as usize;
            new &= new - 1;
            for product in 0..GOODS {
                if let Some(price) = obs.price(port, Product::new(product)) {
                    self.table[port][product] = price;
                }
            }
        }
    }

    /// What to do on the own turn, attacks apart: trade in a port, sail on, or end the turn.
    pub(crate) fn act(&mut self, obs: &Observation<'_>, seat: Seat) -> Action {
        if let Some(action) = self.trade(obs, seat) {
            return action;
        }
        match self.target(obs, seat) {
            Some(port) => sail_towards(obs, seat, |cell| obs.map().port_distance(port, cell), |_| true)
                .unwrap_or(Action::EndTurn),
            None => Action::EndTurn,
        }
    }

    /// The next trade in the port where the ship is; `None` when all is done, or at sea.
    pub(crate) fn trade(&mut self, obs: &Observation<'_>, seat: Seat) -> Option<Action> {
        let here = obs.port(seat)?;
        let stay = obs.stay(seat);
        if self.stay != stay {
            self.look(obs, seat);
            self.stay = stay;
            self.sold = false;
            self.plan = self.choose(obs, seat, here);
        }
        if !self.sold {
            if let Some(class) = self.upgrade(obs, seat, here) {
                // Everything goes for the new ship; what is left is planned anew.
                if let Some(action) = self.sell_above(obs, seat, [0; GOODS]) {
                    return Some(action);
                }
                self.stay = u32::MAX;
                return Some(Action::BuyShip(class));
            }
            if let Some(action) = self.sell_above(obs, seat, self.plan.cargo) {
                return Some(action);
            }
            self.sold = true;
        }
        let wanted = (f64::from(obs.game().build(obs.class(seat)).mounts) * self.spending.arm).ceil() as u16;
        let have = obs.mounted(seat).unwrap_or(0);
        if have < wanted && obs.buyable(Product::Cannon) > 0 {
            return Some(buy(obs, Product::Cannon, wanted - have));
        }
        for product in Product::ALL[..GOODS].iter().rev() {
            let planned = self.plan.cargo[product.index()];
            let have = obs.units(seat, *product).unwrap_or(0);
            if planned > have && obs.buyable(*product) > 0 {
                return Some(buy(obs, *product, planned - have));
            }
        }
        None
    }

    /// The port it sails to, planned at sea if there is no plan.
    pub(crate) fn target(&mut self, obs: &Observation<'_>, seat: Seat) -> Option<usize> {
        if self.plan.target.is_none()
            || obs.port(seat).is_some_and(|port| Some(port as u8) == self.plan.target)
        {
            self.look(obs, seat);
            self.plan.target = self.nearest_port(obs, seat);
        }
        self.plan.target.map(usize::from)
    }

    fn nearest_port(&self, obs: &Observation<'_>, seat: Seat) -> Option<u8> {
        let cell = obs.cell(seat);
        let elsewhere = (0..obs.map().ports()).filter(|port| obs.map().port_cell(*port) != cell);
        elsewhere.min_by_key(|port| obs.map().port_distance(*port, cell)).map(|port| port as u8)
    }

    /// The dearest ship that can be paid by selling everything.
    fn upgrade(&self, obs: &Observation<'_>, seat: Seat, here: usize) -> Option<Class> {
        let reserve = self.spending.upgrade_reserve?;
        let class = obs.class(seat);
        let wealth = self.wealth(obs, seat, here);
        [Class::Frigate, Class::Galleon].into_iter().find(|to| {
            let price = obs.game().upgrade_price(class, *to);
            price.is_some_and(|price| wealth >= i64::from(price) + reserve)
        })
    }

    /// Money after selling all goods here.
    fn wealth(&self, obs: &Observation<'_>, seat: Seat, here: usize) -> i64 {
        let goods = (0..GOODS).map(|product| {
            let units = obs.sellable(Product::new(product));
            i64::from(units) * i64::from(self.table[here][product])
        });
        obs.money(seat).unwrap_or(0) + goods.sum::<i64>()
    }

    fn sell_above(&self, obs: &Observation<'_>, seat: Seat, keep: [u16; GOODS]) -> Option<Action> {
        let product = Product::ALL[..GOODS].iter().find(|product| {
            obs.sellable(**product) > 0 && obs.units(seat, **product).unwrap_or(0) > keep[product.index()]
        })?;
        let all = keep[product.index()] == 0 && obs.variant().bulk;
        Some(if all { Action::SellAll(*product) } else { Action::Sell(*product) })
    }

    /// Chooses the next port and the cargo for it.
    fn choose(&self, obs: &Observation<'_>, seat: Seat, here: usize) -> Plan {
        let map = obs.map();
        let cell = obs.cell(seat);
        let purse = Purse::of(self, obs, seat, here);
        let (mut best, mut rate) = (Plan::default(), 0.0);
        let (mut unknown, mut nearest) = (None, u16::MAX);
        for port in (0..map.ports()).filter(|port| *port != here) {
            let distance = map.port_distance(port, cell);
            if self.seen >> port & 1 == 0 {
                if distance < nearest {
                    (unknown, nearest) = (Some(port), distance);
                }
                continue;
            }
            let load = purse.fill(&self.table[here], &self.table[port]);
            let gain = f64::from(load.profit) / f64::from(distance);
            if load.profit as f64 >= WORTH_IT * f64::from(load.outlay) && load.profit > 0 && gain > rate {
                rate = gain;
                best = Plan { target: Some(port as u8), cargo: load.cargo };
            }
        }
        if rate > 0.0 {
            return best;
        }
        if let Some(port) = unknown {
            let load = purse.fill(&self.table[here], &self.table[port]);
            return Plan { target: Some(port as u8), cargo: load.cargo };
        }
        self.choose_start(obs, cell, here, &purse)
    }

    /// All ports are known and nothing is worth buying here: the port to begin the best trip from, with what
    /// gains something on the way.
    fn choose_start(&self, obs: &Observation<'_>, cell: Cell, here: usize, purse: &Purse) -> Plan {
        let map = obs.map();
        let (mut start, mut rate) = (None, 0.0);
        for from in (0..map.ports()).filter(|port| *port != here) {
            let way = map.port_distance(from, cell);
            for to in (0..map.ports()).filter(|port| *port != from) {
                let distance = way + map.port_distance(to, map.port_cell(from));
                let load = Purse { held: [0; GOODS], ..*purse }.fill(&self.table[from], &self.table[to]);
                let gain = f64::from(load.profit) / f64::from(distance);
                if gain > rate {
                    (start, rate) = (Some(from), gain);
                }
            }
        }
        let Some(start) = start else { return Plan::default() };
        let load = purse.fill(&self.table[here], &self.table[start]);
        Plan { target: Some(start as u8), cargo: load.cargo }
    }
}

/// What can be spent on goods.
#[derive(Clone, Copy, Debug)]
struct Purse {
    wealth: u32,
    room: u16,
    /// Units on board, by product.
    held: [u16; GOODS],
    /// Products that were sold here and may not be bought again, as bits.
    barred: u8,
}

struct Load {
    cargo: [u16; GOODS],
    profit: u32,
    outlay: u32,
}

impl Purse {
    fn of(merchant: &Merchant, obs: &Observation<'_>, seat: Seat, here: usize) -> Self {
        let class = obs.class(seat);
        let build = obs.game().build(class);
        let cannons = obs.units(seat, Product::Cannon).unwrap_or(0);
        let mut purse = Self {
            wealth: merchant.wealth(obs, seat, here).clamp(0, 1_000_000) as u32,
            room: build.hold.saturating_sub(cannons.saturating_sub(build.mounts)),
            held: [0; GOODS],
            barred: 0,
        };
        for product in &Product::ALL[..GOODS] {
            purse.held[product.index()] = obs.units(seat, *product).unwrap_or(0);
            purse.barred |= u8::from(obs.sold_here(seat, *product) == Some(true)) << product.index();
        }
        purse
    }

    /// The dearest products with a gain, as many as money and room allow.
    #[inline]
    fn fill(&self, here: &[u16; GOODS], there: &[u16; GOODS]) -> Load {
        let mut load = Load { cargo: [0; GOODS], profit: 0, outlay: 0 };
        let (mut wealth, mut room) = (self.wealth, u32::from(self.room));
        for product in (0..GOODS).rev() {
            if there[product] <= here[product] || here[product] == 0 {
                continue;
            }
            let price = u32::from(here[product]);
            // Comparing first spares the division when the room binds.
            let mut units = if wealth >= price * room { room } else { wealth / price };
            if self.barred >> product & 1 == 1 {
                units = units.min(u32::from(self.held[product]));
            }
            load.cargo[product] = units as u16;
            load.profit += units * u32::from(there[product] - here[product]);
            load.outlay += units * price;
            wealth -= units * price;
            room -= units;
            if room == 0 {
                break;
            }
        }
        load
    }
}

/// Buys up to `units` units, in one action if the variant has it and that is all that can be bought.
pub(crate) fn buy(obs: &Observation<'_>, product: Product, units: u16) -> Action {
    if obs.variant().bulk && units > 1 && obs.buyable(product) <= units {
        Action::BuyMax(product)
    } else {
        Action::Buy(product)
    }
}

/// The cheapest move to a cell that is nearer by `distance` and that `enter` accepts.
#[inline]
pub(crate) fn sail_towards(
    obs: &Observation<'_>,
    seat: Seat,
    distance: impl Fn(Cell) -> u16,
    enter: impl Fn(Cell) -> bool,
) -> Option<Action> {
    if obs.moves_left() == 0 {
        return None;
    }
    let cell = obs.cell(seat);
    let now = distance(cell);
    let costs = obs.costs();
    let mut best = None;
    let mut least = obs.budget().saturating_add(1);
    for heading in Heading::ALL {
        let cost = costs[heading.index()];
        if cost < least
            && let Some(next) = obs.map().next(cell, *heading)
            && distance(next) < now
            && enter(next)
        {
            (best, least) = (Some(Action::Move(*heading)), cost);
        }
    }
    best
}

/// Throws overboard what is worth least, cannons last.
pub(crate) fn discard(obs: &Observation<'_>, seat: Seat) -> Action {
    let held = |product: &&Product| obs.units(seat, **product).unwrap_or(0) > 0;
    match Product::ALL[..GOODS].iter().find(held) {
        // A stowed cannon is worth more than lumber, sugar or tobacco, less than the rest.
        Some(product) if *product <= Product::Tobacco => Action::Discard(*product),
        found => {
            let mounts = obs.game().build(obs.class(seat)).mounts;
            let stowed = obs.units(seat, Product::Cannon).unwrap_or(0) > mounts;
            match found {
                Some(product) if !stowed => Action::Discard(*product),
                _ => Action::Discard(Product::Cannon),
            }
        }
    }
}
