//! The merchant: buying, selling and sailing for the simple trading agents.

use meeple_core::Seat;

use crate::action::Action;
use crate::game::Privateers;
use crate::goods::{GOODS, PRODUCTS, Product, Products};
use crate::map::{Cell, MAX_PORTS};
use crate::observe::{CargoView, Observation};
use crate::ship::Class;
use crate::state::{Hold, Stage};
use crate::wind::Heading;

const UNDECIDED: u8 = u8::MAX;
/// Smallest gain of a worthwhile pair of ports, as a share of the outlay.
const WORTH_IT: f64 = 0.10;

/// Lower estimate of the pace, in cells per turn.
const SURE_PACE: f64 = 2.5;

/// The goods to hold at the end if money does not count in the value (`value_money=off`). `None` if it is too
/// early to buy them. The time has come if the next port is too far for the remaining rounds, or if the
/// purchase reaches the target. Products with a higher smallest price come first, as many as money and room
/// allow.
pub(crate) fn last_call(
    obs: &Observation<'_>,
    seat: Seat,
    way: u16,
    prices: &[u16; GOODS],
    wealth: i64,
    cargo: &CargoView,
) -> Option<[u16; GOODS]> {
    let (game, target) = (obs.game(), obs.variant().target_value);
    let mut products: [usize; GOODS] = std::array::from_fn(|product| product);
    products.sort_by_key(|product| std::cmp::Reverse(game.smallest_price(*product)));
    let mut stock = Hold { cannons: cargo.units[Product::Cannon.index()], ..Hold::default() };
    let (mut wealth, mut room) = (wealth.max(0), room_for_goods(obs, seat, cargo));
    for product in products {
        let price = i64::from(prices[product]).max(1);
        let mut units = u16::try_from(wealth / price).unwrap_or(u16::MAX).min(room);
        // Products sold during this stay can only be kept.
        if cargo.sold.contains(product) {
            units = units.min(cargo.units[product]);
        }
        stock.goods[product] = units;
        wealth -= i64::from(units) * price;
        room -= units;
    }
    let too_far = |left: u32| f64::from(way) / SURE_PACE + 1.0 > f64::from(left);
    let enough = target > 0 && game.worth(obs.class(seat), &stock) >= target;
    (enough || obs.rounds_left().is_some_and(too_far)).then_some(stock.goods)
}

/// Room in the hold for goods, beside stowed cannons.
pub(crate) fn room_for_goods(obs: &Observation<'_>, seat: Seat, cargo: &CargoView) -> u16 {
    let build = obs.game().build(obs.class(seat));
    build.hold.saturating_sub(cargo.units[Product::Cannon.index()].saturating_sub(build.mounts))
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Plan {
    target: Option<u8>,
    /// Units on board on departure, by product.
    cargo: [u16; GOODS],
    /// True if all money goes into goods that count in the value.
    last_call: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Sell,
    Buy,
    Done,
}

#[derive(Clone, Debug)]
pub(crate) struct Merchant {
    /// Dollars to be left after an upgrade.
    reserve: i64,
    /// Share of the mounts to be filled with cannons before goods are bought.
    arm: f64,
    /// Prices by port; the average until the price is seen.
    table: [[u16; GOODS]; MAX_PORTS],
    /// Ports in the table, as bits.
    seen: u64,
    /// Stay for which the plan was made.
    stay: u32,
    /// Progress of the plan.
    step: Step,
    plan: Plan,
    /// Key of the cached next ports: ports seen, room, and logarithm of the wealth.
    circumstances: (u64, u16, u32),
    /// Cached next port, by port.
    next: [u8; MAX_PORTS],
}

impl Merchant {
    /// A merchant that keeps `reserve` dollars after an upgrade, and fills the share `arm` of its mounts
    /// before it buys goods.
    pub(crate) fn new(reserve: i64, arm: f64) -> Self {
        Self {
            reserve,
            arm,
            table: [[0; GOODS]; MAX_PORTS],
            seen: 0,
            stay: u32::MAX,
            step: Step::Sell,
            plan: Plan::default(),
            circumstances: (0, 0, 0),
            next: [UNDECIDED; MAX_PORTS],
        }
    }

    pub(crate) fn begin(&mut self, game: &Privateers) {
        let average = std::array::from_fn(|product| game.price_range(Product::new(product)).avg);
        *self = Self::new(self.reserve, self.arm);
        self.table[..game.map().ports()].fill(average);
    }

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

    /// Decides in the own turn, except about attacks: trades in a port, sails on, or ends the turn.
    pub(crate) fn sail_or_trade(&mut self, obs: &Observation<'_>, seat: Seat) -> Action {
        if let Some(action) = self.trade(obs, seat) {
            return action;
        }
        match self.target(obs, seat) {
            Some(port) => sail_towards(obs, seat, |cell| obs.map().port_distance(port, cell), |_| true)
                .unwrap_or(Action::EndTurn),
            None => Action::EndTurn,
        }
    }

    /// The next trade in the ship's port; `None` when all trades are done, or at sea.
    #[inline]
    pub(crate) fn trade(&mut self, obs: &Observation<'_>, seat: Seat) -> Option<Action> {
        let here = obs.port(seat)?;
        if self.step == Step::Done && self.stay == obs.stay(seat) {
            return None;
        }
        self.next_trade(obs, seat, here)
    }

    fn next_trade(&mut self, obs: &Observation<'_>, seat: Seat, here: usize) -> Option<Action> {
        let cargo = obs.cargo(seat)?;
        let stay = obs.stay(seat);
        if self.stay != stay {
            self.look(obs, seat);
            self.stay = stay;
            self.step = Step::Sell;
            self.plan = self.choose(obs, seat, here, &cargo);
        }
        if self.step == Step::Sell {
            if let Some(class) = self.upgrade(obs, seat, here, &cargo) {
                // First all cargo is sold to pay for the ship; a new plan follows the purchase.
                if let Some(action) = sell_above(obs, &cargo, [0; GOODS]) {
                    return Some(action);
                }
                if obs.may_upgrade(class) {
                    self.stay = u32::MAX;
                    return Some(Action::BuyShip(class));
                }
            }
            if let Some(action) = sell_above(obs, &cargo, self.plan.cargo) {
                return Some(action);
            }
            self.step = Step::Buy;
        }
        if self.arm > 0.0 {
            let mounts = obs.game().build(obs.class(seat)).mounts;
            let wanted = (f64::from(mounts) * self.arm).ceil() as u16;
            let have = cargo.units[Product::Cannon.index()];
            if have < wanted && obs.buyable(Product::Cannon) > 0 {
                return Some(buy(obs, Product::Cannon, wanted - have));
            }
        }
        for product in (0..GOODS).rev() {
            let (planned, have) = (self.plan.cargo[product], cargo.units[product]);
            if planned > have && obs.buyable(Product::new(product)) > 0 {
                return Some(buy(obs, Product::new(product), planned - have));
            }
        }
        if self.plan.last_call && obs.buyable(Product::Cannon) > 0 {
            return Some(buy(obs, Product::Cannon, u16::MAX));
        }
        self.step = Step::Done;
        None
    }

    /// The target port. At sea without a plan it is the nearest port.
    #[inline]
    pub(crate) fn target(&mut self, obs: &Observation<'_>, seat: Seat) -> Option<usize> {
        match self.plan.target.map(usize::from) {
            Some(port) if obs.map().port_cell(port) != obs.cell(seat) => Some(port),
            _ => {
                self.look(obs, seat);
                self.plan.target = self.nearest_port(obs, seat);
                self.plan.target.map(usize::from)
            }
        }
    }

    fn nearest_port(&self, obs: &Observation<'_>, seat: Seat) -> Option<u8> {
        let cell = obs.cell(seat);
        let elsewhere = (0..obs.map().ports()).filter(|port| obs.map().port_cell(*port) != cell);
        elsewhere.min_by_key(|port| obs.map().port_distance(*port, cell)).map(|port| port as u8)
    }

    /// The most expensive ship that the money suffices for after all goods are sold.
    fn upgrade(&self, obs: &Observation<'_>, seat: Seat, here: usize, cargo: &CargoView) -> Option<Class> {
        let reserve = if self.plan.last_call { 0 } else { self.reserve };
        let class = obs.class(seat);
        if class == Class::Frigate {
            return None;
        }
        let wealth = self.wealth(here, cargo);
        [Class::Frigate, Class::Galleon].into_iter().find(|to| {
            let price = obs.game().upgrade_price(class, *to);
            price.is_some_and(|price| wealth >= i64::from(price) + reserve)
        })
    }

    /// Money after the sale of all goods that may be sold here.
    fn wealth(&self, here: usize, cargo: &CargoView) -> i64 {
        let mut wealth = cargo.money;
        for product in 0..GOODS {
            if !cargo.bought.contains(product) {
                wealth += i64::from(cargo.units[product]) * i64::from(self.table[here][product]);
            }
        }
        wealth
    }

    fn purse(&self, obs: &Observation<'_>, seat: Seat, here: usize, cargo: &CargoView) -> Purse {
        Purse {
            wealth: self.wealth(here, cargo).clamp(0, 1_000_000) as u32,
            room: room_for_goods(obs, seat, cargo),
            held: cargo.units,
            barred: cargo.sold,
        }
    }

    fn choose(&mut self, obs: &Observation<'_>, seat: Seat, here: usize, cargo: &CargoView) -> Plan {
        let purse = self.purse(obs, seat, here, cargo);
        let circumstances = (self.seen, purse.room, purse.size());
        if self.circumstances != circumstances {
            self.circumstances = circumstances;
            self.next[..obs.map().ports()].fill(UNDECIDED);
        }
        let next = match self.next[here] {
            UNDECIDED => self.choose_port(obs, here, &purse),
            known => known,
        };
        // Bars apply to this stay only, so a plan under bars is not cached.
        if purse.barred == Products::default() {
            self.next[here] = next;
        }
        if !obs.variant().value_money {
            let next =
                if usize::from(next) == here { self.nearest_port(obs, seat).unwrap_or(next) } else { next };
            let way = obs.map().port_distance(usize::from(next), obs.cell(seat));
            let wealth = i64::from(purse.wealth);
            if let Some(cargo) = last_call(obs, seat, way, &self.table[here], wealth, cargo) {
                return Plan { target: None, cargo, last_call: true };
            }
        }
        if usize::from(next) == here {
            return Plan::default();
        }
        let load = purse.fill(&self.table[here], &self.table[usize::from(next)]);
        Plan { target: Some(next), cargo: load.cargo, last_call: false }
    }

    /// The next port: the one with the best gain per cell. If no known port pays, it is the nearest unknown
    /// port, or else the start of the best trip.
    fn choose_port(&self, obs: &Observation<'_>, here: usize, purse: &Purse) -> u8 {
        let map = obs.map();
        let cell = map.port_cell(here);
        let (mut best, mut rate) = (here, 0.0);
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
            if f64::from(load.profit) >= WORTH_IT * f64::from(load.outlay) && gain > rate {
                (best, rate) = (port, gain);
            }
        }
        match unknown {
            _ if rate > 0.0 => best as u8,
            Some(port) => port as u8,
            None => self.choose_start(obs, here, purse) as u8,
        }
    }

    /// The start of the best trip from another port, if all ports are known and nothing is worth buying here.
    fn choose_start(&self, obs: &Observation<'_>, here: usize, purse: &Purse) -> usize {
        let map = obs.map();
        let (mut start, mut rate) = (here, 0.0);
        let purse = Purse { held: [0; PRODUCTS], barred: Products::default(), ..*purse };
        for from in (0..map.ports()).filter(|port| *port != here) {
            let way = map.port_distance(from, map.port_cell(here));
            for to in (0..map.ports()).filter(|port| *port != from) {
                let distance = way + map.port_distance(to, map.port_cell(from));
                let gain =
                    f64::from(purse.fill(&self.table[from], &self.table[to]).profit) / f64::from(distance);
                if gain > rate {
                    (start, rate) = (from, gain);
                }
            }
        }
        start
    }
}

#[derive(Clone, Copy, Debug)]
struct Purse {
    wealth: u32,
    room: u16,
    /// Units on board, by product.
    held: [u16; PRODUCTS],
    /// Products sold during this stay, which may not be bought again.
    barred: Products,
}

struct Load {
    cargo: [u16; GOODS],
    profit: u32,
    outlay: u32,
}

impl Purse {
    /// Logarithm of the wealth, clamped to the range that affects plans.
    fn size(&self) -> u32 {
        self.wealth.clamp(64, u32::from(self.room).max(1) * 1024).ilog2()
    }

    /// The most expensive products with a gain, as many as money and room allow.
    #[inline]
    fn fill(&self, here: &[u16; GOODS], there: &[u16; GOODS]) -> Load {
        let mut load = Load { cargo: [0; GOODS], profit: 0, outlay: 0 };
        let (mut wealth, mut room) = (self.wealth, u32::from(self.room));
        for product in (0..GOODS).rev() {
            let price = u32::from(here[product]);
            if there[product] <= here[product] || wealth < price {
                continue;
            }
            // The comparison avoids a division if the room is the limit.
            let mut units = if wealth >= price * room { room } else { wealth / price };
            if self.barred.contains(product) {
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

pub(crate) fn sell_above(obs: &Observation<'_>, cargo: &CargoView, keep: [u16; GOODS]) -> Option<Action> {
    let product = (0..GOODS)
        .find(|product| cargo.units[*product] > keep[*product] && !cargo.bought.contains(*product))?;
    let all = keep[product] == 0 && obs.variant().bulk;
    let product = Product::new(product);
    Some(if all { Action::SellAll(product) } else { Action::Sell(product) })
}

/// Buys up to `units` units. If the variant allows it, one action buys all that can be bought.
pub(crate) fn buy(obs: &Observation<'_>, product: Product, units: u16) -> Action {
    if obs.variant().bulk && units > 1 && obs.buyable(product) <= units {
        Action::BuyMax(product)
    } else {
        Action::Buy(product)
    }
}

/// The cheapest move to a neighbouring cell that is nearer by `distance` and that `enter` accepts.
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

/// The decision after a fight, common to all traders; `None` in a turn.
#[inline]
pub(crate) fn after_fight(obs: &Observation<'_>, seat: Seat) -> Option<Action> {
    match obs.stage() {
        Stage::Loot if obs.is_overfull() => Some(discard(obs, seat)),
        Stage::Loot => Some(Action::EndTurn),
        Stage::Respawn => Some(Action::Respawn),
        _ => None,
    }
}

/// Throws the least valuable unit overboard.
#[cold]
fn discard(obs: &Observation<'_>, seat: Seat) -> Action {
    let held = |product: &&Product| obs.units(seat, **product).unwrap_or(0) > 0;
    match Product::ALL[..GOODS].iter().find(held) {
        // A stowed cannon is worth more than lumber, sugar or tobacco, and less than other goods.
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
