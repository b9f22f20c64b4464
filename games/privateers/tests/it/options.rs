//! Every parameter of the variant has its documented effect: one function each, and a test that
//! none is missing.

use meeple_core::{ChanceStreams, Defined as _, EpisodeSeed, Game, Outcome, Params, Phase, Viewer};
use meeple_privateers::Heading::{East, North, South, West};
use meeple_privateers::{Action, Class, Privateers, Product, Stage, Variant, Wind};

use crate::bench::{Bench, at, chart, game, open, seat};

type Check = fn();

/// The parameters with their checks, in the order of the variant.
const CHECKS: &[(&str, Check)] = &[
    ("mode", mode),
    ("map", map),
    ("prices", prices),
    ("max_rounds", max_rounds),
    ("target_value", target_value),
    ("max_decisions", max_decisions),
    ("price_min", price_min),
    ("price_avg", price_avg),
    ("price_max", price_max),
    ("price_spread", price_spread),
    ("start_money", start_money),
    ("start_cannons", start_cannons),
    ("holds", holds),
    ("mounts", mounts),
    ("ranges", ranges),
    ("ship_prices", ship_prices),
    ("cost_against", cost_against),
    ("cost_with", cost_with),
    ("cost_across", cost_across),
    ("cost_fickle", cost_fickle),
    ("half_points", half_points),
    ("max_moves", max_moves),
    ("respawn_distance", respawn_distance),
    ("max_rolls", max_rolls),
    ("value_money", value_money),
    ("wind_name", wind_name),
    ("distance", distance),
    ("ports_block", ports_block),
    ("closing", closing),
    ("bulk", bulk),
    ("asks_at_end", asks_at_end),
];

#[test]
fn every_parameter_does_what_it_says() {
    let named: Vec<&str> = CHECKS.iter().map(|(name, _)| *name).collect();
    let declared: Vec<&str> = Variant::default().specs().iter().map(|spec| spec.name).collect();
    assert_eq!(named, declared, "every parameter of the variant has its check here");
    for (_, check) in CHECKS {
        check();
    }
}

fn end(bench: &Bench) -> &'static str {
    assert_eq!(bench.game.phase(&bench.state), Phase::Over);
    let mut outcome = Outcome::default();
    bench.game.outcome(&bench.state, &mut outcome);
    Privateers::definition().info.ends[outcome.end]
}

/// A game after its set-up by chance.
fn fitted_out(set: &[(&str, &str)]) -> Bench {
    let game = game(2, set);
    let mut state = game.initial_state();
    let mut streams = ChanceStreams::new(EpisodeSeed::new(1, 1));
    while game.observe(&state, Viewer::Public).stage() != Stage::Wind {
        let chance = game.sample_chance(&state, &mut streams);
        game.apply_chance(&mut state, &chance, &mut meeple_core::NoEvents);
    }
    Bench { game, state, log: meeple_core::EventLog::new() }
}

fn mode() {
    let sunk = |mode| {
        let mut bench = open(&[("mode", mode)], vec![at(5, 5), at(5, 5), at(9, 9)]);
        bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1);
        bench.stage()
    };
    assert_eq!((sunk("infinite"), sunk("survival")), (Stage::Respawn, Stage::Loot));
}

fn map() {
    assert_eq!(game(2, &[("map", "pocket")]).map().ports(), 4);
    assert_eq!(game(2, &[("map", &chart(&["A..", "...", "..B"]))]).map().ports(), 2);
    assert_eq!(game(2, &[]).map().name(), "Peninsula");
}

fn prices() {
    let file = "A: 1 2 3 4 5 6 7\nB: 8 9 10 11 12 13 14\nC: 1 1 1 1 1 1 1\nD: 2 2 2 2 2 2 2\n";
    let bench = fitted_out(&[("map", "pocket"), ("prices", file)]);
    let obs = bench.game.observe(&bench.state, Viewer::Seat(seat(0)));
    assert_eq!((0..4).map(|port| obs.price(port, Product::Rum).unwrap()).collect::<Vec<_>>(), [4, 11, 1, 2]);
}

fn max_rounds() {
    for rounds in 1..=3 {
        let mut bench = open(&[("max_rounds", &rounds.to_string())], vec![at(5, 5), at(9, 9)]);
        for _ in 0..2 * rounds {
            bench.wind(Wind::Fickle, 1).act(Action::EndTurn);
        }
        assert_eq!(end(&bench), "round limit");
    }
    let mut bench = open(&[("max_rounds", "0")], vec![at(5, 5), at(9, 9)]);
    for _ in 0..1000 {
        bench.wind(Wind::Fickle, 1).act(Action::EndTurn);
    }
    assert_eq!(bench.game.phase(&bench.state), Phase::Chance, "no limit");
}

fn target_value() {
    let after_a_turn = |target| {
        let mut bench = open(&[("target_value", target)], vec![at(5, 5).money(50), at(9, 9)]);
        bench.wind(Wind::Fickle, 6).act(Action::Move(North));
        assert_eq!(bench.stage(), Stage::Act, "only at the end of a turn");
        bench.act(Action::EndTurn);
        bench
    };
    assert_eq!(end(&after_a_turn("240")), "target value");
    assert_eq!(after_a_turn("241").stage(), Stage::Wind);
    assert_eq!(after_a_turn("0").stage(), Stage::Wind);
}

fn max_decisions() {
    let mut bench = open(&[("max_decisions", "3")], vec![at(5, 5), at(9, 9)]);
    bench.wind(Wind::Fickle, 6).moves(&[North, North]);
    assert_eq!(bench.stage(), Stage::Act);
    bench.moves(&[North]);
    assert_eq!(end(&bench), "decision limit");
}

fn price_min() {
    let game = game(2, &[("price_min", "7,21,45,95,201,425,95")]);
    assert_eq!(game.price_list(Product::Lumber)[0], 7);
    let bench = Bench::new(&[("price_min", "7,21,45,95,201,425,90")], vec![at(0, 0); 2]);
    assert_eq!(bench.game.score(&bench.state, seat(0)), 2 * 90, "the value counts the same minimum");
}

fn price_avg() {
    let list = |avg| game(2, &[("map", &three_ports()), ("price_avg", avg)]).price_list(Product::Spice)[1];
    assert_eq!((list("15,30,61,124,251,510,100"), list("15,30,61,124,251,500,100")), (510, 500));
}

fn three_ports() -> String {
    chart(&["A.B", "...", "C.."])
}

fn price_max() {
    let game = game(2, &[("price_max", "20,39,78,153,302,999,105")]);
    assert_eq!(game.price_list(Product::Spice).last(), Some(&999));
}

fn price_spread() {
    let ends = |spread| {
        let game = game(2, &[("price_spread", spread)]);
        let list = game.price_list(Product::Spice);
        (list[0], list[list.len() - 1])
    };
    assert_eq!(ends("100"), (425, 595));
    assert_eq!(ends("50"), (468, 552), "half of 85, rounded towards the average");
    assert_eq!(ends("0"), (510, 510));
}

fn start_money() {
    let money = |money| fitted_out(&[("start_money", money)]).money(0);
    assert_eq!((money("50"), money("777")), (50, 777));
}

fn start_cannons() {
    let cannons = |cannons| fitted_out(&[("start_cannons", cannons)]).units(1, Product::Cannon);
    assert_eq!((cannons("2"), cannons("0"), cannons("6")), (2, 0, 6));
    let mut variant = Variant::default();
    variant.set("start_cannons", "9").unwrap();
    let error = Privateers::new(variant, 2).err().unwrap();
    assert!(error.reason.contains("at most 8"), "4 mounted and 4 in the hold: {error}");
}

fn holds() {
    let loads = |holds| {
        let mut bench = open(&[("holds", holds)], vec![at(0, 0).money(5000), at(9, 9)]);
        bench.wind(Wind::Calm, 1).act(Action::BuyMax(Product::Lumber));
        bench.units(0, Product::Lumber)
    };
    assert_eq!((loads("4,10,20"), loads("1,10,20")), (4, 1));
}

fn mounts() {
    let mounted = |mounts| {
        let bench = open(&[("mounts", mounts)], vec![at(5, 5).cannons(4), at(9, 9)]);
        let obs = bench.game.observe(&bench.state, Viewer::Seat(seat(0)));
        (obs.mounted(seat(0)), obs.load(seat(0)))
    };
    assert_eq!(mounted("4,12,18"), (Some(4), Some(0)));
    assert_eq!(mounted("1,12,18"), (Some(1), Some(3)));
}

fn ranges() {
    let reaches = |ranges, column| {
        let mut bench = open(&[("ranges", ranges)], vec![at(5, 5), at(column, 5)]);
        bench.wind(Wind::Fickle, 1);
        bench.attacks(1)
    };
    assert!(!reaches("0,1,2", 6) && reaches("3,3,3", 8) && !reaches("3,3,3", 9));
}

fn ship_prices() {
    let left = |prices, to| {
        let mut bench = open(&[("ship_prices", prices)], vec![at(0, 0).money(2000), at(9, 9)]);
        bench.wind(Wind::Calm, 1).act(Action::BuyShip(to));
        bench.money(0)
    };
    assert_eq!(left("0,350,1350", Class::Galleon), 1650);
    assert_eq!(left("0,100,1999", Class::Galleon), 1900);
    assert_eq!(left("100,100,1999", Class::Frigate), 101, "what the old ship counts is left");
}

/// Costs of a frigate in a north wind: north, west, south, east.
fn costs(name: &str, value: &str, wind: Wind) -> [u8; 4] {
    game(2, &[(name, value)]).costs(Class::Frigate, wind)
}

fn cost_against() {
    assert_eq!(costs("cost_against", "0,4,2", Wind::North), [1, 2, 2, 2]);
    assert_eq!(costs("cost_against", "0,4,7", Wind::North), [1, 2, 7, 2]);
    let schooner = |against| game(2, &[("cost_against", against)]).costs(Class::Schooner, Wind::North)[2];
    assert_eq!((schooner("0,4,2"), schooner("5,4,2")), (meeple_privateers::IMPOSSIBLE, 5));
}

fn cost_with() {
    assert_eq!(costs("cost_with", "3", Wind::North), [3, 2, 2, 2]);
}

fn cost_across() {
    assert_eq!(costs("cost_across", "5", Wind::North), [1, 5, 2, 5]);
}

fn cost_fickle() {
    assert_eq!(costs("cost_fickle", "2", Wind::Fickle), [2; 4]);
    assert_eq!(costs("cost_fickle", "3", Wind::Fickle), [3; 4]);
}

fn half_points() {
    let budget = |half| game(2, &[("half_points", half)]).budget(Wind::West, 5);
    assert_eq!((budget("2"), budget("1")), (10, 5));
}

fn max_moves() {
    let sailed = |moves| {
        let mut bench = open(&[("max_moves", moves)], vec![at(5, 12), at(9, 9)]);
        bench.wind(Wind::North, 6).run(North)
    };
    assert_eq!((sailed("12"), sailed("2")), (12, 2));
}

fn respawn_distance() {
    // Wreck and winner lie two cells from C, a third ship four from B, a fourth six from D.
    let rows = ["A...............B", ".................", ".................", "C...............D"];
    let port = |distance| {
        let map = chart(&rows);
        let ships = vec![at(1, 2).cannons(4), at(1, 2), at(12, 0), at(11, 2)];
        let mut bench = Bench::new(&[("map", &map), ("respawn_distance", distance)], ships);
        bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1).act(Action::Respawn);
        if bench.stage() == Stage::Place {
            return '?';
        }
        let port = bench.game.map().port_at(bench.at(1)).expect("fresh ships are in ports");
        bench.game.map().label(port)
    };
    // The distances from the wreck are 3 cells to A, 17 to B, 2 to C and 16 to D.
    assert_eq!(port("6"), 'D', "B has a ship at 4");
    assert_eq!(port("7"), '?', "D has one at 6: any port");
    assert_eq!(port("2"), 'B', "2 is not below 2");
    assert_eq!(port("0"), 'B', "no ship is near");
}

fn max_rolls() {
    let survivors = |rolls, [a, b]: [u16; 2]| {
        let mut bench =
            open(&[("max_rolls", rolls)], vec![at(5, 5).cannons(a), at(5, 5).cannons(b), at(9, 9)]);
        bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(3, 3).roll(3, 3);
        (bench.stage() != Stage::Roll).then(|| (bench.lives(0), bench.lives(1)))
    };
    assert_eq!(survivors("10000", [4, 2]), None, "it goes on");
    assert_eq!(survivors("2", [4, 2]), Some((true, false)), "more points win");
    assert_eq!(survivors("2", [2, 4]), Some((false, true)));
    assert_eq!(survivors("2", [3, 3]), Some((false, true)), "of equals the initiator loses");
}

fn value_money() {
    let value = |count| {
        let bench = open(&[("value_money", count)], vec![at(0, 0).money(77), at(9, 9)]);
        bench.game.score(&bench.state, seat(0))
    };
    assert_eq!((value("on"), value("off")), (77 + 190, 190));
}

fn wind_name() {
    let cells = |name, heading| {
        let mut bench = open(&[("wind_name", name)], vec![at(6, 6), at(0, 12)]);
        bench.wind(Wind::North, 3).run(heading)
    };
    assert_eq!((cells("towards", North), cells("towards", South)), (6, 0));
    assert_eq!((cells("from", North), cells("from", South)), (0, 6));
    assert_eq!((cells("from", East), cells("from", West)), (3, 3));
}

fn distance() {
    let diagonal = |distance| {
        let mut bench = open(&[("distance", distance)], vec![at(5, 5).class(Class::Frigate), at(6, 6)]);
        bench.wind(Wind::Fickle, 6);
        bench.attacks(1)
    };
    assert!(diagonal("sea") && !diagonal("straight"));
}

fn ports_block() {
    let map = chart(&["A....", "#.B.#", "....."]);
    let attack = |block| {
        let ships = vec![at(1, 1).class(Class::Frigate), at(3, 1)];
        let mut bench = Bench::new(&[("map", &map), ("ports_block", block)], ships);
        bench.wind(Wind::Fickle, 6);
        bench.attacks(1)
    };
    assert!(!attack("on") && attack("off"));
}

fn closing() {
    let column = |closing| {
        let ships = vec![at(5, 5).class(Class::Frigate).cannons(18), at(7, 5).cannons(4)];
        let mut bench = open(&[("closing", closing)], ships);
        bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(3, 3);
        bench.at(1).column()
    };
    assert_eq!((column("abstract"), column("physical")), (7, 6));
}

fn bulk() {
    let listed = |bulk| {
        let mut bench = open(&[("bulk", bulk)], vec![at(0, 0).money(100), at(9, 9)]);
        bench.wind(Wind::Calm, 1);
        let all = bench.legal();
        if bulk == "off" {
            assert!(bench.refused(Action::BuyMax(Product::Lumber)).contains("unit by unit"));
        }
        all.iter().filter(|action| matches!(action, Action::BuyMax(_) | Action::SellAll(_))).count()
    };
    assert!(listed("on") > 1);
    assert_eq!(listed("off"), 0);
}

fn asks_at_end() {
    let check = |asks: &str, after_the_fight, in_port| {
        // With nothing to buy or sell and no wind, others may not know that the seat has no choice.
        let poor = vec![at(0, 0).money(0).cannons(0), at(9, 9)];
        let mut bench = open(&[("asks_at_end", asks)], poor);
        assert_eq!(bench.wind(Wind::Calm, 1).stage(), in_port, "{asks}");
        // At sea without wind nothing can be done, and everybody sees that.
        let mut bench = open(&[("asks_at_end", asks)], vec![at(5, 5), at(9, 9)]);
        assert_eq!(bench.wind(Wind::Calm, 1).stage(), Stage::Wind, "{asks}");
        let ships = vec![at(5, 5), at(5, 5).cannons(4), at(9, 9)];
        let mut bench = open(&[("mode", "survival"), ("asks_at_end", asks)], ships);
        bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(1, 6);
        assert_eq!(bench.stage(), after_the_fight, "{asks}");
        if bench.stage() == Stage::Loot {
            assert_eq!(bench.legal(), [Action::EndTurn]);
            assert!(bench.refused(Action::Discard(Product::Cannon)).contains("no fight that overfilled"));
        }
    };
    check("on", Stage::Loot, Stage::Act);
    check("off", Stage::Wind, Stage::Wind);
}
