//! The variant compiled into tables, and what contradicts itself refused.

use meeple_core::SetupError;

use crate::goods::{PRODUCTS, PriceRange, Product};
use crate::map::{MAX_PORTS, SeaMap};
use crate::reach::IMPOSSIBLE;
use crate::ship::{Build, CLASSES};
use crate::variant::{Variant, WindName};
use crate::wind::{Heading, Wind};

fn three<T: Copy>(list: &[T], name: &str) -> Result<[T; CLASSES], SetupError> {
    <[T; CLASSES]>::try_from(list)
        .map_err(|_| SetupError::new(format!("{name}: expected three numbers, found {}", list.len())))
}

/// What the classes can do.
pub(crate) fn compile_builds(variant: &Variant) -> Result<[Build; CLASSES], SetupError> {
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

/// The price ranges with the spread applied.
pub(crate) fn compile_ranges(variant: &Variant) -> Result<[PriceRange; PRODUCTS], SetupError> {
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
pub(crate) fn parse_prices(
    text: &str,
    map: &SeaMap,
) -> Result<Box<[[u16; PRODUCTS]; MAX_PORTS]>, SetupError> {
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

/// R4.3: half points for a cell, by class, wind and heading.
pub(crate) fn compile_costs(variant: &Variant, builds: &[Build; CLASSES]) -> [[[u8; 4]; 6]; CLASSES] {
    let mut costs = [[[IMPOSSIBLE; 4]; 6]; CLASSES];
    for (class, build) in builds.iter().enumerate() {
        for wind in Wind::ALL {
            for heading in Heading::ALL {
                let cost = &mut costs[class][wind.index()][heading.index()];
                *cost = match (wind, wind.named()) {
                    (Wind::Fickle, _) => variant.cost_fickle,
                    (_, None) => IMPOSSIBLE,
                    (_, Some(named)) => {
                        let push = match variant.wind_name {
                            WindName::Towards => named,
                            WindName::From => named.opposite(),
                        };
                        if *heading == push {
                            variant.cost_with
                        } else if *heading == push.opposite() {
                            build.against.unwrap_or(IMPOSSIBLE)
                        } else {
                            variant.cost_across
                        }
                    }
                };
            }
        }
    }
    costs
}
