//! The game with its prepared tables.

use meeple_core::SetupError;

use crate::fight::{FightTable, Fighter};
use crate::goods::{PRODUCTS, PriceRange, Product};
use crate::map::{Cell, MAX_PORTS, SeaMap};
use crate::range::RangeTable;
use crate::reach::IMPOSSIBLE;
use crate::ship::{Build, CLASSES, Class};
use crate::state::{Hold, Ship};
use crate::variant::{MAX_BUDGET, Mode, Variant, WindName};
use crate::wind::{Heading, Wind};

/// Denominator of the growth by trade.
pub(crate) const GROWTH_UNIT: i64 = 1000;

pub struct Privateers {
    pub(crate) variant: Variant,
    pub(crate) seats: usize,
    pub(crate) map: SeaMap,
    pub(crate) builds: [Build; CLASSES],
    /// Price ranges by product, with the spread applied.
    pub(crate) ranges: [PriceRange; PRODUCTS],
    /// Sorted prices by product and rank.
    price_lists: [[u16; MAX_PORTS]; PRODUCTS],
    pub(crate) fixed_prices: Option<Box<[[u16; PRODUCTS]; MAX_PORTS]>>,
    /// Cost of a cell in half points, by class, wind and heading.
    costs: [[[u8; 4]; 6]; CLASSES],
    /// Headings affordable with a budget of half points, as bits, by class, wind and half points.
    payable: [[[u8; MAX_BUDGET + 1]; 6]; CLASSES],
    pub(crate) attack_range: RangeTable,
    pub(crate) fights: FightTable,
    /// Upper bound on the profit of a trade: per dollar, in parts of [`GROWTH_UNIT`], and per unit.
    pub(crate) growth: [i64; 2],
}

impl Privateers {
    /// Fails if parameters contradict each other or the number of seats.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        if seats == 1 && variant.max_rounds == 0 && variant.target_value == 0 {
            return Err(SetupError::new(
                "one player needs an end\nhint: set max_rounds or target_value above 0",
            ));
        }
        let map = SeaMap::load(&variant.map).map_err(|error| SetupError::new(format!("map: {error}")))?;
        let builds = compile_builds(&variant)?;
        let mut ranges = compile_ranges(&variant)?;
        let fixed_prices = match variant.prices.trim() {
            "random" => None,
            text => Some(parse_prices(text, &map)?),
        };
        let mut price_lists = [[0; MAX_PORTS]; PRODUCTS];
        for (product, list) in price_lists.iter_mut().enumerate() {
            match &fixed_prices {
                None => list[..map.ports()].copy_from_slice(&ranges[product].list(map.ports())),
                Some(prices) => {
                    for (port, price) in list[..map.ports()].iter_mut().enumerate() {
                        *price = prices[port][product];
                    }
                    list[..map.ports()].sort_unstable();
                    // R8.1: the ranges are those of the given prices.
                    ranges[product] = PriceRange::of(&list[..map.ports()]);
                }
            }
        }
        let start = u32::from(builds[0].hold) + u32::from(builds[0].mounts);
        if u32::from(variant.start_cannons) > start {
            let cannons = variant.start_cannons;
            return Err(SetupError::new(format!(
                "start_cannons: expected at most {start}, what a schooner holds, found {cannons}"
            )));
        }
        let map_ports = map.ports();
        let reach = builds.iter().map(|build| build.range).max().unwrap_or(0);
        let mounts = builds.iter().map(|build| build.mounts).max().unwrap_or(0);
        let costs = compile_costs(&variant, &builds);
        Ok(Self {
            payable: costs.map(|winds| winds.map(payable)),
            costs,
            attack_range: RangeTable::new(&map, &variant, reach),
            fights: FightTable::new(usize::from(mounts), usize::from(reach)),
            variant,
            seats,
            map,
            builds,
            ranges,
            growth: growth(&price_lists, map_ports),
            price_lists,
            fixed_prices,
        })
    }

    pub fn map(&self) -> &SeaMap {
        &self.map
    }

    #[inline]
    pub fn build(&self, class: Class) -> &Build {
        &self.builds[class.index()]
    }

    #[inline]
    pub fn price_range(&self, product: Product) -> PriceRange {
        self.ranges[product.index()]
    }

    /// The prices of all ports, sorted.
    #[inline]
    pub fn price_list(&self, product: Product) -> &[u16] {
        &self.price_lists[product.index()][..self.map.ports()]
    }

    /// Returns true if prices are given by the variant, and so public.
    #[inline]
    pub fn prices_are_fixed(&self) -> bool {
        self.fixed_prices.is_some()
    }

    /// Cost of a cell in half points, by heading; [`IMPOSSIBLE`](crate::IMPOSSIBLE) if the heading cannot be
    /// sailed.
    #[inline]
    pub fn costs(&self, class: Class, wind: Wind) -> [u8; 4] {
        self.costs[class.index()][wind.index()]
    }

    /// Headings that `budget` half points (at most [`MAX_BUDGET`]) can pay for, as bits by index of the
    /// heading.
    #[inline]
    pub(crate) fn payable(&self, class: Class, wind: Wind, budget: u8) -> u8 {
        self.payable[class.index()][wind.index()][usize::from(budget).min(MAX_BUDGET)]
    }

    pub(crate) fn push(&self, wind: Wind) -> Option<Heading> {
        push(&self.variant, wind)
    }

    /// Half points of a turn with this wind and power.
    #[inline]
    pub fn budget(&self, wind: Wind, power: u8) -> u8 {
        // R4.2: a calm gives no movement, for any face of the power die.
        if wind == Wind::Calm { 0 } else { power * self.variant.half_points }
    }

    /// Distance of an attack between two cells, if it is at most the largest range of any class.
    #[inline]
    pub fn attack_distance(&self, from: Cell, to: Cell) -> Option<u8> {
        self.attack_range.distance(from, to)
    }

    /// Number of rolls of a fight in which the defender's range does not reach the initiator.
    #[inline]
    pub fn free_rolls(&self, defender: Class, distance: u8) -> u8 {
        distance.saturating_sub(self.build(defender).range)
    }

    /// Exact probability that the initiator wins.
    #[inline]
    pub fn win_probability(&self, initiator: Fighter, defender: Fighter, distance: u8) -> f64 {
        let free = self.free_rolls(defender.class, distance);
        self.fights.win(usize::from(initiator.mounted), usize::from(defender.mounted), usize::from(free))
    }

    /// The price of an upgrade; `None` if `to` is not a higher class.
    #[inline]
    pub fn upgrade_price(&self, from: Class, to: Class) -> Option<u32> {
        (to > from).then(|| self.build(to).price.saturating_sub(self.build(from).price))
    }

    #[inline]
    pub fn mounted(&self, class: Class, cannons: u16) -> u16 {
        cannons.min(self.build(class).mounts)
    }

    /// All ports, as bits.
    #[inline]
    pub(crate) fn all_ports(&self) -> u64 {
        (1 << self.map.ports()) - 1
    }

    /// R3.2: units in the hold. Mounted cannons take no room.
    #[inline]
    pub(crate) fn load(&self, class: Class, hold: &Hold) -> u16 {
        hold.units() + hold.cannons.saturating_sub(self.build(class).mounts)
    }

    pub(crate) fn fit_out(&self, ship: &mut Ship, port: usize, round: u32, clock: u32) {
        ship.cell = self.map.port_cell(port);
        ship.class = Class::Schooner;
        ship.fresh = true;
        ship.since = round;
        ship.changed = clock;
        ship.traded = clock;
        ship.known |= 1 << port;
        ship.hold = self.fresh_hold();
        ship.ceiling = self.most_worth(&ship.hold);
    }

    pub(crate) fn fresh_hold(&self) -> Hold {
        Hold {
            money: i64::from(self.variant.start_money),
            cannons: self.variant.start_cannons,
            ..Hold::default()
        }
    }

    /// The smallest price of a product in any port.
    #[inline]
    pub(crate) fn smallest_price(&self, product: usize) -> i64 {
        i64::from(self.price_lists[product][0])
    }

    /// Money plus all units, each at the largest price of any port.
    pub(crate) fn most_worth(&self, hold: &Hold) -> i64 {
        let largest = |product: usize| i64::from(self.price_lists[product][self.map.ports() - 1]);
        hold.money
            + (0..PRODUCTS).map(|product| i64::from(hold.count(product)) * largest(product)).sum::<i64>()
    }

    #[inline]
    pub(crate) fn respawns(&self) -> bool {
        self.variant.mode == Mode::Infinite
    }
}

/// The largest gain between two ports: per dollar, in parts of [`GROWTH_UNIT`] and rounded up, and per unit.
fn growth(lists: &[[u16; MAX_PORTS]; PRODUCTS], ports: usize) -> [i64; 2] {
    let mut growth = [0, 0];
    for list in lists {
        let (least, most) = (i64::from(list[0]), i64::from(list[ports - 1]));
        growth[0] = growth[0].max(((most - least) * GROWTH_UNIT + least - 1) / least.max(1));
        growth[1] = growth[1].max(most - least);
    }
    growth
}

fn three<T: Copy>(list: &[T], name: &str) -> Result<[T; CLASSES], SetupError> {
    <[T; CLASSES]>::try_from(list)
        .map_err(|_| SetupError::new(format!("{name}: expected three numbers, found {}", list.len())))
}

fn compile_builds(variant: &Variant) -> Result<[Build; CLASSES], SetupError> {
    let holds = three(&variant.holds, "holds")?;
    let mounts = three(&variant.mounts, "mounts")?;
    let ranges = three(&variant.ranges, "ranges")?;
    let prices = three(&variant.ship_prices, "ship_prices")?;
    let against = three(&variant.cost_against, "cost_against")?;
    let build = |class: usize| Build {
        hold: holds[class],
        mounts: mounts[class],
        range: ranges[class] as u8,
        against: (against[class] > 0).then_some(against[class] as u8),
        price: prices[class],
    };
    for (name, list) in [("holds", holds), ("mounts", mounts)] {
        if !list.is_sorted() {
            return Err(SetupError::new(format!(
                "{name}: expected no class below a smaller one, found {list:?}"
            )));
        }
    }
    if !prices.is_sorted() {
        return Err(SetupError::new(format!("ship_prices: expected rising prices, found {prices:?}")));
    }
    Ok([build(0), build(1), build(2)])
}

fn compile_ranges(variant: &Variant) -> Result<[PriceRange; PRODUCTS], SetupError> {
    let mut ranges = [PriceRange { min: 1, avg: 1, max: 1 }; PRODUCTS];
    for product in Product::ALL {
        let index = product.index();
        let get = |list: &[u16]| list.get(index).copied().unwrap_or(1);
        let range = PriceRange {
            min: get(&variant.price_min),
            avg: get(&variant.price_avg),
            max: get(&variant.price_max),
        };
        if range.min > range.avg || range.avg > range.max {
            let PriceRange { min, avg, max } = range;
            return Err(SetupError::new(format!(
                "price of {product}: expected price_min <= price_avg <= price_max, found {min}, {avg}, {max}"
            )));
        }
        ranges[index] = range.spread(variant.price_spread);
    }
    Ok(ranges)
}

/// Reads a price file: one line per port, its letter and seven prices.
fn parse_prices(text: &str, map: &SeaMap) -> Result<Box<[[u16; PRODUCTS]; MAX_PORTS]>, SetupError> {
    let mut prices = Box::new([[0; PRODUCTS]; MAX_PORTS]);
    let mut seen = 0u64;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (number, line) in lines.filter(|(_, line)| !line.trim_start().starts_with('#')) {
        let wrong = |what: &str| {
            let number = number + 1;
            SetupError::new(format!("prices, line {number}: expected {what}, found '{line}'"))
        };
        let (label, list) = line.split_once(':').ok_or_else(|| wrong("'PORT: seven prices'"))?;
        let mut letters = label.trim().chars();
        let port = match (letters.next(), letters.next()) {
            (Some(letter), None) => map.port_named(letter),
            _ => None,
        };
        let port = port.ok_or_else(|| wrong("the letter of a port of the map"))?;
        let numbers: Option<Vec<u16>> = list
            .split_whitespace()
            .map(|word| word.parse().ok().filter(|price| (1..=10_000).contains(price)))
            .collect();
        let numbers = numbers.and_then(|numbers| <[u16; PRODUCTS]>::try_from(numbers).ok());
        prices[port] = numbers.ok_or_else(|| wrong("seven prices from 1 to 10000"))?;
        if seen >> port & 1 == 1 {
            return Err(wrong("every port once"));
        }
        seen |= 1 << port;
    }
    if let Some(port) = (0..map.ports()).find(|port| seen >> port & 1 == 0) {
        return Err(SetupError::new(format!("prices: port {} is missing", map.label(port))));
    }
    Ok(prices)
}

/// The heading in which a wind pushes, if it has a direction.
fn push(variant: &Variant, wind: Wind) -> Option<Heading> {
    match variant.wind_name {
        WindName::Towards => wind.named(),
        WindName::From => wind.named().map(Heading::opposite),
    }
}

/// Headings that can be paid for, as bits, by budget in half points.
fn payable(costs: [u8; 4]) -> [u8; MAX_BUDGET + 1] {
    let headings =
        |budget| (0..4).map(|heading| u8::from(usize::from(costs[heading]) <= budget) << heading).sum();
    std::array::from_fn(headings)
}

/// R4.3: costs of a cell in half points, by class, wind and heading.
fn compile_costs(variant: &Variant, builds: &[Build; CLASSES]) -> [[[u8; 4]; 6]; CLASSES] {
    let mut costs = [[[IMPOSSIBLE; 4]; 6]; CLASSES];
    for (class, build) in builds.iter().enumerate() {
        for wind in Wind::ALL {
            for heading in Heading::ALL {
                let cost = &mut costs[class][wind.index()][heading.index()];
                *cost = match (wind, push(variant, *wind)) {
                    (Wind::Fickle, _) => variant.cost_fickle,
                    (_, None) => IMPOSSIBLE,
                    (_, Some(push)) if push == *heading => variant.cost_with,
                    (_, Some(push)) if push.opposite() == *heading => build.against.unwrap_or(IMPOSSIBLE),
                    _ => variant.cost_across,
                };
            }
        }
    }
    costs
}
