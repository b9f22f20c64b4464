//! Price lists.

use meeple_core::{Game, Params, Present, Seat, Viewer};
use meeple_privateers::{Cell, PriceRange, Privateers, Product, ShipSetup, Variant};

use crate::bench::{Bench, game};

fn check(product: Product, ports: usize, expected: &[u16]) {
    let list = game(2, &[]).price_range(product).list(ports);
    assert_eq!(list, expected, "{product} in {ports} ports");
}

#[test]
fn lists_of_the_rules_text() {
    check(Product::Spice, 8, &[425, 468, 485, 502, 518, 535, 552, 595]);
    check(Product::Lumber, 8, &[10, 13, 14, 15, 15, 16, 17, 20]);
    check(Product::Sugar, 8, &[21, 26, 28, 30, 30, 32, 34, 39]);
    check(Product::Tobacco, 8, &[45, 53, 57, 60, 62, 66, 69, 78]);
    check(Product::Rum, 8, &[95, 110, 116, 122, 126, 132, 138, 153]);
    check(Product::Textile, 8, &[201, 226, 236, 246, 256, 266, 276, 302]);
    check(Product::Cannon, 8, &[95, 98, 99, 100, 100, 101, 102, 105]);
    check(Product::Spice, 5, &[425, 468, 510, 552, 595]);
    check(Product::Tobacco, 4, &[45, 53, 69, 78]);
    check(Product::Rum, 2, &[95, 153]);
    check(Product::Rum, 3, &[95, 124, 153]);
}

/// A fraction with a positive denominator, for exact arithmetic.
#[derive(Clone, Copy)]
struct Fraction(i64, i64);

impl Fraction {
    fn plus(self, other: Self) -> Self {
        Self(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn times(self, whole: i64) -> Self {
        Self(self.0 * whole, self.1)
    }

    fn is_negative(self) -> bool {
        self.0 < 0
    }

    fn rounded_down(self) -> i64 {
        self.0.div_euclid(self.1)
    }

    fn rounded_up(self) -> i64 {
        -Self(-self.0, self.1).rounded_down()
    }
}

/// The words of the rules: t = -1/2 + j/(n-3); below the average avg + t (avg - min), rounded up, from it on
/// avg + t (max - avg), rounded down.
fn by_definition(range: PriceRange, ports: usize) -> Vec<u16> {
    let (min, avg, max) = (i64::from(range.min), i64::from(range.avg), i64::from(range.max));
    let mut prices = vec![min, max];
    for j in 0..=ports as i64 - 3 {
        let t = Fraction(-1, 2).plus(Fraction(j, ports as i64 - 3));
        let average = Fraction(avg, 1);
        prices.push(if t.is_negative() {
            average.plus(t.times(avg - min)).rounded_up()
        } else {
            average.plus(t.times(max - avg)).rounded_down()
        });
    }
    prices.sort_unstable();
    prices.iter().map(|price| *price as u16).collect()
}

#[test]
fn fractions_round_both_ways() {
    let seven_halves = Fraction(3, 1).plus(Fraction(1, 2));
    assert_eq!((seven_halves.rounded_down(), seven_halves.rounded_up()), (3, 4));
    assert_eq!((seven_halves.times(-1).rounded_down(), seven_halves.times(-1).rounded_up()), (-4, -3));
    assert_eq!((seven_halves.times(2).rounded_down(), seven_halves.times(2).rounded_up()), (7, 7));
}

/// Ranges with uneven arms, where truncation and rounding differ.
#[test]
fn lists_of_other_ranges_follow_the_definition() {
    for (min, avg, max) in [(1, 2, 3), (1, 7, 8), (13, 100, 101), (50, 51, 997), (3, 3, 3), (1, 5000, 10_000)]
    {
        let range = PriceRange { min, avg, max };
        for ports in 4..=64 {
            assert_eq!(range.list(ports), by_definition(range, ports), "{range:?} in {ports} ports");
        }
    }
}

#[test]
fn lists_of_2_to_64_ports_are_sorted_with_single_ends() {
    let game = game(2, &[]);
    for product in Product::ALL {
        let range = game.price_range(*product);
        for ports in 2..=64 {
            let list = range.list(ports);
            assert_eq!(list.len(), ports);
            assert!(list.is_sorted(), "{product} in {ports} ports: {list:?}");
            let count = |price| list.iter().filter(|known| **known == price).count();
            assert_eq!((list[0], list[ports - 1]), (range.min, range.max));
            assert_eq!((count(range.min), count(range.max)), (1, 1), "{product} in {ports} ports");
            if ports > 3 {
                assert_eq!(list, by_definition(range, ports), "{product} in {ports} ports");
            }
        }
    }
}

#[test]
fn spread_scales_both_arms() {
    let range = PriceRange { min: 425, avg: 510, max: 595 };
    assert_eq!(range.spread(100), range);
    assert_eq!(range.spread(0), PriceRange { min: 510, avg: 510, max: 510 });
    assert_eq!(range.spread(200), PriceRange { min: 340, avg: 510, max: 680 });
    assert_eq!(PriceRange { min: 10, avg: 15, max: 20 }.spread(300).min, 1, "never below 1");
}

#[test]
fn contradicting_prices_are_refused() {
    let mut variant = Variant::default();
    variant.set("price_min", "16,21,45,95,201,425,95").unwrap();
    let error = Privateers::new(variant, 2).err().unwrap();
    assert!(error.reason.contains("lumber"), "{error}");
}

#[test]
fn price_file_fixes_prices_for_everybody() {
    let file = "A: 1 2 3 4 5 6 7\nB: 8 9 10 11 12 13 14\n# comment\nC: 1 1 1 1 1 1 1\nD: 2 2 2 2 2 2 2\n";
    let game = game(2, &[("map", "pocket"), ("prices", file)]);
    assert!(game.prices_are_fixed());
    let state = game.initial_state();
    let obs = game.observe(&state, meeple_core::Viewer::Seat(meeple_core::Seat::new(0)));
    assert_eq!(obs.price(1, Product::Spice), Some(13));
    assert_eq!(game.price_list(Product::Lumber), [1, 1, 2, 8]);
    let refused = |file: &str| {
        let mut variant = Variant::default();
        variant.set("map", "pocket").unwrap();
        variant.set("prices", file).unwrap();
        Privateers::new(variant, 2).err().unwrap().reason
    };
    assert!(refused("A: 1 2 3 4 5 6 7\n").contains("port B is missing"));
    assert!(refused("Z: 1 2 3 4 5 6 7\n").contains("line 1"));
    assert!(refused("A: 1 2 3 4 5 6\n").contains("seven prices"));
    assert!(refused("A: 1 2 3 4 5 6 7\nA: 1 2 3 4 5 6 7\n").contains("every port once"));
}

#[test]
fn r8_1_the_lowest_price_of_the_file_counts_for_values() {
    let file = "A: 70 80 90 100 110 120 130\nB: 60 70 80 90 100 110 120\nC: 50 60 70 80 90 100 400\n\
                D: 40 50 60 70 80 90 500\n";
    let ships = vec![ShipSetup::at(Cell::new(5, 5)).money(7).goods([1, 0, 0, 0, 0, 2]).cannons(3)];
    let bench = Bench::new(&[("map", "pocket"), ("prices", file)], ships);
    let obs = bench.game.observe(&bench.state, Viewer::Seat(Seat::new(0)));
    assert_eq!(obs.value(Seat::new(0)), Some(7 + 40 + 2 * 90 + 3 * 120));
    // The file determines the public knowledge of prices.
    assert_eq!(bench.game.price_range(Product::Cannon), PriceRange { min: 120, avg: 288, max: 500 });
    assert_eq!(bench.game.price_range(Product::Spice), PriceRange { min: 90, avg: 105, max: 120 });
    let screen = bench.game.screen(&meeple_core::View {
        viewer: Viewer::Public,
        observation: bench.game.observe(&bench.state, Viewer::Public),
        legal: &[],
        events: &[],
        players: &[],
    });
    assert!(screen.to_plain().contains("120-500"), "{}", screen.to_plain());
}

/// Impossible chance outcomes are refused: another product, other ports, other seats, an unknown port.
#[test]
fn deals_of_another_kind_index_or_length_are_refused() {
    let game = game(3, &[("map", "pocket")]);
    let mut state = game.initial_state();
    let mut streams = meeple_core::ChanceStreams::new(meeple_core::EpisodeSeed::new(1, 1));
    let due = [
        (
            "order 0,1,2",
            &["order 0,1", "order 0,1,2,3", "prices lumber 0,1,2,3", "port 0", "wind north 1"][..],
        ),
        (
            "prices lumber 0,1,2,3",
            &[
                "prices sugar 0,1,2,3",
                "prices cannon 0,1,2,3",
                "prices lumber 0,1,2",
                "prices lumber 0,1,2,3,4",
                "prices sugar 0,1,2",
                "order 0,1,2",
                "port 1",
            ],
        ),
        ("prices sugar 3,2,1,0", &["prices lumber 0,1,2,3", "prices tobacco 0,1,2,3", "roll 1 1"]),
    ];
    for (good, bad) in due {
        for text in bad {
            let chance = text.parse().unwrap();
            assert!(game.check_chance(&state, &chance).is_err(), "{text} instead of {good}");
        }
        let chance = good.parse().unwrap();
        game.check_chance(&state, &chance).unwrap();
        game.apply_chance(&mut state, &chance, &mut meeple_core::NoEvents);
    }
    while game.observe(&state, Viewer::Public).stage() != meeple_privateers::Stage::Spawn(0) {
        let chance = game.sample_chance(&state, &mut streams);
        game.apply_chance(&mut state, &chance, &mut meeple_core::NoEvents);
    }
    for text in ["port 4", "port 51", "wind north 1", "prices cannon 0,1,2,3"] {
        assert!(game.check_chance(&state, &text.parse().unwrap()).is_err(), "{text}");
    }
}
