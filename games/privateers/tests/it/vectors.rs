//! The fifteen situations of the rules text.

use meeple_privateers::Heading::{East, North, South, West};
use meeple_privateers::{Action, Chance, Class, Product, ShipSetup, Stage, Wind};

use crate::bench::{Bench, cell, chart, game, open_sea, seat};

/// A ship of this class in the middle of open sea, with this wind.
fn sailing(class: Class, wind: Wind, power: u8) -> Bench {
    let ships = vec![ShipSetup::at(cell(6, 6)).class(class), ShipSetup::at(cell(0, 12))];
    let mut bench = Bench::new(&[("map", &long_sea())], ships);
    bench.wind(wind, power);
    bench
}

fn long_sea() -> String {
    let rows: Vec<String> = (0..13).map(|_| ".".repeat(13)).collect();
    let mut rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    (rows[0], rows[12]) = ("A...........B", "C...........D");
    chart(&rows)
}

#[test]
fn v01_north_wind_4_schooner() {
    let run = |heading| sailing(Class::Schooner, Wind::North, 4).run(heading);
    assert_eq!(sailing(Class::Schooner, Wind::North, 4).budget(), 8);
    // The map is 6 cells high above the ship; the budget would be enough for 8.
    assert_eq!((run(East), run(West), run(South)), (4, 4, 0));
    let ships = vec![ShipSetup::at(cell(6, 10)), ShipSetup::at(cell(0, 12))];
    let mut bench = Bench::new(&[("map", &long_sea())], ships);
    assert_eq!(bench.wind(Wind::North, 4).run(North), 8);
}

#[test]
fn v02_north_wind_4_south() {
    assert_eq!(sailing(Class::Galleon, Wind::North, 4).run(South), 2);
    assert_eq!(sailing(Class::Frigate, Wind::North, 4).run(South), 4);
}

#[test]
fn v03_north_wind_3_south() {
    assert_eq!(sailing(Class::Schooner, Wind::North, 3).run(South), 0);
    let mut galleon = sailing(Class::Galleon, Wind::North, 3);
    assert_eq!(galleon.run(South), 1);
    assert_eq!(galleon.budget(), 2, "two half points are left");
    assert_eq!(sailing(Class::Frigate, Wind::North, 3).run(South), 3);
}

#[test]
fn v04_galleon_around_the_rock() {
    let map = chart(&["#...", "#.#.", "##..", "##AB"]);
    let ships = vec![ShipSetup::at(cell(2, 2)).class(Class::Galleon).cannons(0)];
    let mut bench = Bench::new(&[("map", &map)], ships);
    bench.wind(Wind::North, 6);
    for (heading, cost) in [(East, 2), (North, 1), (North, 1), (West, 2), (West, 2)] {
        let before = bench.budget();
        bench.act(Action::Move(heading));
        assert_eq!(before - bench.budget(), cost, "{heading}");
    }
    assert_eq!(bench.budget(), 4);
    bench.act(Action::Move(South));
    assert_eq!(bench.at(0), cell(1, 1));
    assert_eq!(bench.stage(), Stage::Wind, "only ending the turn was left, so it passed");
}

#[test]
fn v05_fickle_6_frigate() {
    let map = chart(&[".....", "..A..", ".....", ".....", "....B"]);
    let ships = vec![
        ShipSetup::at(cell(2, 3)).class(Class::Frigate).cannons(18).money(500),
        ShipSetup::at(cell(2, 0)),
    ];
    let mut bench = Bench::new(&[("map", &map)], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Move(North));
    // The port lies between the ships, so no attack is possible. From beside the port, the way over sea has
    // two cells.
    assert!(!bench.legal().contains(&Action::Attack(seat(1))));
    let ships = vec![
        ShipSetup::at(cell(2, 3)).class(Class::Frigate).cannons(18).money(500),
        ShipSetup::at(cell(1, 1)),
    ];
    let mut bench = Bench::new(&[("map", &map)], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Move(North)).act(Action::Attack(seat(1))).roll(6, 1);
    assert_eq!(bench.stage(), Stage::Respawn, "2 points less 5: won");
    bench.act(Action::Respawn);
    if bench.stage() == Stage::Place {
        bench.chance(Chance::Port(1));
    }
    assert_eq!(bench.decider(), Some(seat(0)));
    bench.act(Action::Move(North)).act(Action::Buy(Product::Lumber)).moves(&[South, South]);
    assert_eq!(bench.budget(), 4, "2 points");
}

#[test]
fn v06_no_wind() {
    let ships = vec![ShipSetup::at(cell(0, 0)).money(50), ShipSetup::at(cell(5, 5))];
    let mut bench = Bench::new(&[("map", &open_sea())], ships);
    bench.wind(Wind::Calm, 6);
    assert!(!bench.legal().iter().any(|action| matches!(action, Action::Move(_))));
    bench.act(Action::Buy(Product::Lumber));
    bench.act(Action::EndTurn).wind(Wind::Calm, 6);
    assert_eq!(bench.stage(), Stage::Wind, "at sea nothing is possible");
}

/// Two schooners on one cell; seat 0 attacks.
fn duel(a: ShipSetup, b: ShipSetup) -> Bench {
    let mut bench = Bench::new(&[("map", &open_sea())], vec![a, b]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1)));
    bench
}

#[test]
fn v07_no_cannons_against_two() {
    let at = ShipSetup::at(cell(5, 5));
    let mut bench = duel(at.cannons(0).money(7), at.cannons(2).money(40).goods([1, 0, 0, 0, 0, 0]));
    bench.roll(4, 1);
    assert!(!bench.lives(1), "2 - 3 = -1");
    assert_eq!((bench.money(0), bench.units(0, Product::Lumber), bench.units(0, Product::Cannon)), (7, 0, 0));
}

#[test]
fn v08_one_against_one() {
    let at = ShipSetup::at(cell(5, 5));
    let mut bench = duel(at.cannons(1).money(7), at.cannons(1).money(40).goods([1, 0, 0, 0, 0, 0]));
    bench.roll(5, 6);
    assert_eq!(bench.points(), [0, 1]);
    bench.roll(4, 1);
    assert!(bench.lives(0) && !bench.lives(1));
    assert_eq!(
        (bench.money(0), bench.units(0, Product::Lumber), bench.units(0, Product::Cannon)),
        (47, 1, 2)
    );
}

#[test]
fn v09_what_lies_between() {
    let attack = |rows: &[&str]| {
        let ships = vec![ShipSetup::at(cell(1, 1)).class(Class::Frigate), ShipSetup::at(cell(3, 1))];
        let mut bench = Bench::new(&[("map", &chart(rows))], ships);
        bench.wind(Wind::Fickle, 6);
        bench.legal().contains(&Action::Attack(seat(1)))
    };
    assert!(attack(&["A....", ".....", "....B"]), "one sea cell between");
    assert!(!attack(&["A....", "..#..", "....B"]), "land between; the way round has four cells");
    assert!(!attack(&["A....", "..C..", "....B"]), "a port between");
}

#[test]
fn v10_schooners_must_be_on_the_same_cell() {
    for class in Class::ALL {
        let attack = |column| {
            let ships = vec![ShipSetup::at(cell(5, 5)), ShipSetup::at(cell(column, 5)).class(*class)];
            let mut bench = Bench::new(&[("map", &open_sea())], ships);
            bench.wind(Wind::Fickle, 6);
            bench.legal().contains(&Action::Attack(seat(1)))
        };
        assert!(!attack(6), "next to a {class}");
        assert!(attack(5), "on the cell of a {class}");
    }
}

#[test]
fn v11_frigate_at_distance_2() {
    let ships = vec![
        ShipSetup::at(cell(5, 5)).class(Class::Frigate).cannons(5),
        ShipSetup::at(cell(7, 5)).cannons(4),
    ];
    let mut bench = Bench::new(&[("map", &open_sea())], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1)));
    bench.roll(1, 6);
    assert_eq!(bench.points(), [5, 4]);
    bench.roll(1, 6);
    assert_eq!(bench.points(), [5, 4]);
    bench.roll(1, 6);
    assert_eq!(bench.points(), [0, 4], "the third roll hits");
}

#[test]
fn v12_spice_in_8_ports() {
    let map = chart(&["A..B..C..", "D..E..F..", "G..H....."]);
    let game = game(2, &[("map", &map)]);
    assert_eq!(game.price_list(Product::Spice), [425, 468, 485, 502, 518, 535, 552, 595]);
}

#[test]
fn v13_upgrades() {
    let port = |class, money| {
        let ships = vec![ShipSetup::at(cell(0, 0)).class(class).money(money), ShipSetup::at(cell(5, 5))];
        let mut bench = Bench::new(&[("map", &open_sea())], ships);
        bench.wind(Wind::Calm, 1);
        bench
    };
    let check = |from, money, to, left: i64| {
        let mut bench = port(from, money);
        bench.act(Action::BuyShip(to));
        assert_eq!((bench.class(0), bench.money(0)), (to, left), "{from} to {to}");
    };
    check(Class::Schooner, 360, Class::Galleon, 10);
    check(Class::Schooner, 1360, Class::Frigate, 10);
    check(Class::Galleon, 1010, Class::Frigate, 10);
    assert!(port(Class::Schooner, 349).refused(Action::BuyShip(Class::Galleon)).contains("350"));
    assert!(port(Class::Galleon, 999).refused(Action::BuyShip(Class::Frigate)).contains("1000"));
    assert!(port(Class::Frigate, 9999).refused(Action::BuyShip(Class::Galleon)).contains("higher"));
    assert!(port(Class::Frigate, 9999).refused(Action::BuyShip(Class::Schooner)).contains("higher"));
    assert!(port(Class::Galleon, 9999).refused(Action::BuyShip(Class::Galleon)).contains("higher"));
}

#[test]
fn v14_respawn_with_ships_everywhere() {
    // Every port is within 5 cells of the winner, seat 0, so all ports are possible.
    let map = chart(&["A...B", ".....", "C...."]);
    let ships = vec![ShipSetup::at(cell(2, 1)), ShipSetup::at(cell(2, 1))];
    let mut bench = Bench::new(&[("map", &map)], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1).act(Action::Respawn);
    assert_eq!(bench.stage(), Stage::Place);
    use meeple_core::Game;
    let outcomes = bench.game.chance_outcomes(&bench.state).unwrap();
    let ports: Vec<Chance> = outcomes.iter().map(|(chance, _)| *chance).collect();
    assert_eq!(ports, [Chance::Port(0), Chance::Port(1), Chance::Port(2)]);
    assert!(outcomes.iter().all(|(_, probability)| (probability - 1.0 / 3.0).abs() < 1e-12));
}

#[test]
fn v15_six_discards() {
    let at = ShipSetup::at(cell(5, 5));
    let winner = at.cannons(4).goods([3, 0, 0, 0, 0, 0]).money(10);
    let loser = at.class(Class::Galleon).cannons(2).goods([0, 5, 0, 0, 0, 0]).money(30);
    let mut bench = duel(winner, loser);
    bench.roll(6, 1);
    assert_eq!(bench.money(0), 40);
    for _ in 0..6 {
        assert_eq!((bench.stage(), bench.decider()), (Stage::Loot, Some(seat(0))));
        let legal = bench.legal();
        assert!(legal.iter().all(|action| matches!(action, Action::Discard(_))), "{legal:?}");
        bench.act(legal[0]);
    }
    assert_eq!(bench.stage(), Stage::Respawn, "3 + 5 + 2 - 6 = 4 fit");
}
