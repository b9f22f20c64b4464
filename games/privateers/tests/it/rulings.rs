//! One test per ruling of the rules (R10).

use meeple_core::{Defined as _, Game, Outcome, Params, Phase, Viewer};
use meeple_privateers::Heading::{East, North, South, West};
use meeple_privateers::{Action, Chance, Class, Privateers, Product, ShipSetup, Stage, Variant, Wind};

use crate::bench::{Bench, at, cell, chart, game, open, seat};

/// Attacks seat 1 at once and wins with the first roll; seat 1 has at most 4 cannons.
fn win(bench: &mut Bench) -> &mut Bench {
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1)
}

#[test]
fn ruling_01_maps_are_square_cells_moved_over_orthogonally() {
    let mut bench = open(&[], vec![at(0, 12), at(5, 5)]);
    bench.wind(Wind::Fickle, 1);
    assert_eq!(bench.legal(), [Action::EndTurn, Action::Move(North), Action::Move(East)], "edges are walls");
}

#[test]
fn ruling_02_winds_push_towards_their_name() {
    let costs = |name| game(2, &[("wind_name", name)]).costs(Class::Frigate, Wind::North);
    assert_eq!(costs("towards"), [1, 2, 2, 2], "north, west, south, east");
    let galleon = |name| game(2, &[("wind_name", name)]).costs(Class::Galleon, Wind::West);
    assert_eq!((galleon("towards"), galleon("from")), ([2, 1, 2, 4], [2, 4, 2, 1]));
}

#[test]
fn ruling_03_distance_is_the_shortest_way_over_sea() {
    let diagonal = |distance| {
        let ships = vec![at(5, 5).class(Class::Frigate), at(6, 6)];
        let mut bench = open(&[("distance", distance)], ships);
        bench.wind(Wind::Fickle, 6);
        bench.attacks(1)
    };
    assert!(diagonal("sea"));
    assert!(!diagonal("straight"), "not in the same row or column");
    let straight = vec![at(5, 5).class(Class::Frigate), at(7, 5)];
    let mut bench = open(&[("distance", "straight")], straight);
    assert!(bench.wind(Wind::Fickle, 6).attacks(1));
}

#[test]
fn ruling_04_ports_between_ships_block() {
    let map = chart(&["A....", "#.B.#", "....."]);
    let attack = |block| {
        let ships = vec![at(1, 1).class(Class::Frigate), at(3, 1)];
        let mut bench = Bench::new(&[("map", &map), ("ports_block", block)], ships);
        bench.wind(Wind::Fickle, 6);
        bench.attacks(1)
    };
    assert!(!attack("on"));
    assert!(attack("off"));
}

#[test]
fn ruling_05_fights_in_ports_are_allowed() {
    let mut bench = open(&[], vec![at(0, 0), at(0, 0)]);
    bench.wind(Wind::Calm, 1);
    assert!(bench.attacks(1));
    let mut bench = open(&[], vec![at(0, 0).class(Class::Galleon), at(1, 0)]);
    bench.wind(Wind::Calm, 1);
    assert!(bench.attacks(1), "out of a port");
}

#[test]
fn ruling_06_half_points_round_down_by_themselves() {
    for power in 1..=6 {
        let mut bench = open(&[], vec![at(5, 5).class(Class::Galleon), at(0, 12)]);
        let cells = bench.wind(Wind::North, power).run(South);
        assert_eq!(cells, usize::from(power) / 2, "power {power}");
    }
}

#[test]
fn ruling_07_closing_up_moves_no_ship() {
    let fight = |closing| {
        let ships = vec![at(5, 5).class(Class::Frigate).cannons(18), at(7, 5).cannons(4)];
        let mut bench = open(&[("closing", closing)], ships);
        bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(3, 3).roll(3, 3);
        let fight = bench.game.observe(&bench.state, Viewer::Public).fight().unwrap();
        assert_eq!(fight.distance, 0);
        bench.at(1)
    };
    assert_eq!(fight("abstract"), cell(7, 5));
    assert_eq!(fight("physical"), cell(5, 5));
}

#[test]
fn ruling_08_loot_needs_a_mounted_cannon_at_the_start() {
    let check = |cannons, points_left: u8, money| {
        let mut bench = open(&[], vec![at(5, 5).cannons(cannons), at(5, 5).cannons(0).money(30)]);
        bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1)));
        if cannons > 0 {
            bench.roll(5, 6);
            assert_eq!(bench.points()[0], points_left);
        }
        bench.roll(2, 1);
        assert_eq!(bench.money(0), money, "{cannons} cannons");
    };
    check(0, 0, 0);
    check(1, 0, 30);
    check(2, 1, 30);
}

#[test]
fn ruling_09_a_stronger_defender_gains_nothing_from_range() {
    let mut bench = open(&[], vec![at(5, 5), at(5, 5).class(Class::Frigate).cannons(10)]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(4, 1);
    assert_eq!(bench.points(), [2, 7], "both are in range");
    bench.roll(1, 2);
    assert_eq!(bench.points(), [1, 7]);
}

#[test]
fn ruling_10_one_attack_per_opponent_and_turn() {
    // Seat 1 comes back in a port of this tiny map, in reach again.
    let map = chart(&["A.B", "...", "..."]);
    let ships = vec![at(1, 1).class(Class::Frigate).cannons(18), at(1, 1), at(1, 2)];
    let mut bench = Bench::new(&[("map", &map)], ships);
    win(&mut bench).act(Action::Respawn);
    if bench.stage() == Stage::Place {
        bench.chance(Chance::Port(0));
    }
    assert!(!bench.attacks(1), "not again this turn");
    assert!(bench.attacks(2), "somebody else");
    assert!(bench.refused(Action::Attack(seat(1))).contains("already"));
    bench.act(Action::Attack(seat(2))).roll(6, 1);
}

#[test]
fn ruling_11_cannons_are_mounted_by_themselves() {
    let mut bench = open(&[], vec![at(0, 0).cannons(4).money(2000), at(5, 5)]);
    bench.wind(Wind::Calm, 1).act(Action::Buy(Product::Cannon));
    let view = |bench: &Bench| {
        let obs = bench.game.observe(&bench.state, Viewer::Seat(seat(0)));
        (obs.mounted(seat(0)).unwrap(), obs.load(seat(0)).unwrap())
    };
    assert_eq!(view(&bench), (4, 1), "the fifth takes a slot");
    bench.act(Action::BuyShip(Class::Galleon));
    assert_eq!(view(&bench), (5, 0), "mounted on the larger ship");
}

#[test]
fn ruling_12_mounted_cannons_may_be_sold() {
    let mut bench = open(&[], vec![at(0, 0).cannons(2), at(5, 5)]);
    bench.wind(Wind::Calm, 1).act(Action::Sell(Product::Cannon));
    assert_eq!((bench.units(0, Product::Cannon), bench.money(0)), (1, 95));
    bench.act(Action::Sell(Product::Cannon));
    assert_eq!(bench.units(0, Product::Cannon), 0);
}

#[test]
fn ruling_13_arriving_shows_the_prices_on_the_own_turn() {
    let mut bench = open(&[], vec![at(1, 0), at(11, 12)]);
    let sees = |bench: &Bench, port| bench.game.observe(&bench.state, Viewer::Seat(seat(0))).sees_port(port);
    bench.wind(Wind::Fickle, 6);
    assert!(!sees(&bench, 0));
    bench.act(Action::Move(West));
    assert!(sees(&bench, 0) && !sees(&bench, 1));
    let other = bench.game.observe(&bench.state, Viewer::Seat(seat(1)));
    assert!(!other.sees_port(0), "only who is there");
    // A ship that is moved into a port in another seat's turn does not see the prices there.
    let map = chart(&["A...", "#B..", "...."]);
    let ships = vec![at(1, 1).class(Class::Frigate).cannons(18), at(3, 1).cannons(4)];
    let mut bench = Bench::new(&[("map", &map), ("closing", "physical")], ships);
    bench.wind(Wind::Calm, 1).act(Action::Attack(seat(1))).roll(3, 3).roll(3, 3);
    assert_eq!(bench.at(1), cell(1, 1));
    assert!(!bench.game.observe(&bench.state, Viewer::Seat(seat(1))).sees_port(1));
}

#[test]
fn ruling_14_money_counts_for_the_value() {
    let value = |count| {
        let ships = vec![at(0, 0).class(Class::Galleon).money(77).goods([1, 1, 0, 0, 0, 1]).cannons(3)];
        let bench = open(&[("value_money", count)], ships);
        bench.game.score(&bench.state, seat(0))
    };
    let cargo = 10 + 21 + 425 + 3 * 95;
    assert_eq!(value("on"), 77 + 350 + cargo);
    assert_eq!(value("off"), 350 + cargo);
}

/// The ports where seat 1 may respawn after it is sunk at the cell `wreck`.
fn respawn_ports(rows: &[&str], wreck: (usize, usize), others: &[(usize, usize)]) -> Vec<char> {
    let map = chart(rows);
    let mut ships = vec![at(wreck.0, wreck.1).cannons(4), at(wreck.0, wreck.1)];
    ships.extend(others.iter().map(|(column, row)| at(*column, *row)));
    let mut bench = Bench::new(&[("map", &map)], ships);
    win(&mut bench).act(Action::Respawn);
    let labels = |port: usize| bench.game.map().label(port);
    match bench.stage() {
        Stage::Place => {
            let outcomes = bench.game.chance_outcomes(&bench.state).unwrap();
            let port = |chance: &Chance| match chance {
                Chance::Port(port) => labels(usize::from(*port)),
                other => panic!("{other}"),
            };
            outcomes.iter().map(|(chance, _)| port(chance)).collect()
        }
        _ => vec![labels(bench.game.map().port_at(bench.at(1)).unwrap())],
    }
}

#[test]
fn ruling_15_far_and_near_are_manhattan() {
    // A wall makes C six cells away by ship, but four in Manhattan distance. E has the largest Manhattan
    // distance.
    let rows =
        ["A.........", ".......#..", ".......#C.", "..........", "..........", "D.........", "E........."];
    assert_eq!(respawn_ports(&rows, (5, 1), &[]), ['E'], "5 + 5 = 10, farther than A, D");
    assert_eq!(respawn_ports(&rows, (5, 1), &[(0, 5)]), ['A', 'C', 'D', 'E'], "near every port: any");
}

/// A wall bends the way to B: 9 cells as the crow flies from the north-western corner, 13 by ship.
const WALL: [&str; 7] = [
    "..........A.",
    "............",
    "............",
    "...#####....",
    "...#.B#.....",
    "...#........",
    "............",
];

#[test]
fn ruling_15_far_is_not_far_by_ship() {
    let bench = Bench::new(&[("map", &chart(&WALL))], vec![at(0, 0), at(0, 0)]);
    let by_ship = |port: usize| bench.game.map().port_distance(port, cell(0, 0));
    assert_eq!((by_ship(0), by_ship(1)), (10, 13), "by ship B is the farther one");
    assert_eq!(respawn_ports(&WALL, (0, 0), &[]), ['A'], "10 against 9 as the crow flies");
}

#[test]
fn ruling_15_near_is_not_near_by_ship() {
    let bench = Bench::new(&[("map", &chart(&WALL))], vec![at(0, 0), at(5, 2)]);
    assert_eq!(bench.game.map().port_distance(1, cell(5, 2)), 10, "the ship beyond the wall is far by ship");
    // One ship is near A; if the other one is near B, there is no free port.
    assert_eq!(respawn_ports(&WALL, (0, 0), &[(10, 2)]), ['B'], "B is free");
    assert_eq!(respawn_ports(&WALL, (0, 0), &[(10, 2), (5, 2)]), ['A', 'B'], "2 cells as the crow flies");
}

#[test]
fn ruling_16_equally_far_ports_are_equally_likely() {
    let rows = ["A...............B", ".................", ".................", "C...............D"];
    assert_eq!(respawn_ports(&rows, (8, 1), &[]), ['C', 'D'], "8 + 2");
}

#[test]
fn ruling_17_all_living_ships_count_as_near() {
    let rows = ["A...............B", ".................", ".................", "C...............D"];
    assert_eq!(respawn_ports(&rows, (8, 1), &[(16, 2)]), ['C'], "a third ship by B and D");
    assert_eq!(respawn_ports(&rows, (2, 1), &[]), ['D'], "the winner by A and C; B and D are free");
}

#[test]
fn ruling_18_a_respawned_seat_keeps_what_it_knows() {
    let rows = ["A...............B", ".................", ".................", "C...............D"];
    let ships = vec![at(0, 0).cannons(4), at(0, 0)];
    let mut bench = Bench::new(&[("map", &chart(&rows))], ships);
    win(&mut bench).act(Action::Respawn);
    let obs = bench.game.observe(&bench.state, Viewer::Seat(seat(1)));
    assert!(obs.sees_port(0) && obs.sees_port(3) && !obs.sees_port(1));
    assert_eq!((obs.money(seat(1)), obs.class(seat(1))), (Some(50), Class::Schooner));
    assert_eq!(obs.units(seat(1), Product::Cannon), Some(2));
}

#[test]
fn ruling_19_who_retires_is_out_for_good() {
    let mut bench = open(&[], vec![at(5, 5).cannons(4), at(5, 5), at(9, 9)]);
    win(&mut bench);
    assert_eq!((bench.stage(), bench.decider()), (Stage::Respawn, Some(seat(1))));
    assert_eq!(bench.legal(), [Action::Respawn, Action::Retire]);
    bench.act(Action::Retire);
    for expected in [0, 2, 0, 2, 0] {
        assert_eq!(bench.game.observe(&bench.state, Viewer::Public).current(), seat(expected));
        if bench.stage() == Stage::Wind {
            bench.wind(Wind::Fickle, 6);
        }
        bench.act(Action::EndTurn);
    }
    assert!(!bench.lives(1));
}

#[test]
fn ruling_20_caps_end_what_nobody_fights_over() {
    let mut bench = open(&[("max_rounds", "2")], vec![at(5, 5).money(10), at(9, 9)]);
    for _ in 0..4 {
        assert_ne!(bench.game.phase(&bench.state), Phase::Over);
        bench.wind(Wind::Fickle, 6).act(Action::EndTurn);
    }
    let outcome = |bench: &Bench| {
        assert_eq!(bench.game.phase(&bench.state), Phase::Over);
        let mut outcome = Outcome::default();
        bench.game.outcome(&bench.state, &mut outcome);
        outcome
    };
    let end = outcome(&bench);
    assert_eq!(
        (end.places.as_slice(), Privateers::definition().info.ends[end.end]),
        (&[1, 2][..], "round limit")
    );
    let mut bench = open(&[("target_value", "240")], vec![at(5, 5).money(50), at(9, 9)]);
    bench.wind(Wind::Fickle, 6).act(Action::EndTurn);
    assert_eq!(Privateers::definition().info.ends[outcome(&bench).end], "target value");
    let mut bench = open(&[("max_decisions", "1")], vec![at(5, 5), at(9, 9)]);
    bench.wind(Wind::Fickle, 6).act(Action::Move(North));
    let end = outcome(&bench);
    assert_eq!(
        (end.places.as_slice(), Privateers::definition().info.ends[end.end]),
        (&[1, 1][..], "decision limit")
    );
}

#[test]
fn ruling_21_ships_count_with_their_list_price() {
    let ships = vec![at(0, 0).money(1350), at(5, 5)];
    let mut bench = open(&[], ships);
    bench.wind(Wind::Calm, 1).act(Action::BuyShip(Class::Galleon)).act(Action::BuyShip(Class::Frigate));
    assert_eq!(bench.money(0), 0);
    assert_eq!(bench.game.score(&bench.state, seat(0)), 1350 + 190);
}

#[test]
fn ruling_22_only_one_side_loses_by_a_roll() {
    for a in 1..=6 {
        for b in 1..=6 {
            let mut bench = open(&[], vec![at(5, 5).cannons(0), at(5, 5).cannons(0)]);
            bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(a, b);
            assert_eq!(bench.lives(0), a >= b, "{a}:{b}");
            assert_eq!(bench.lives(1), b >= a, "{a}:{b}");
        }
    }
}

#[test]
fn ruling_23_one_player_needs_a_cap() {
    let make = |set: &[(&str, &str)]| {
        let mut variant = Variant::default();
        for (name, value) in set {
            variant.set(name, value).unwrap();
        }
        Privateers::new(variant, 1).map(drop)
    };
    assert!(make(&[]).is_ok());
    assert!(make(&[("max_rounds", "0"), ("target_value", "1000")]).is_ok());
    assert!(make(&[("max_rounds", "0")]).unwrap_err().reason.contains("hint"));
    let mut bench = open(&[("max_rounds", "2")], vec![at(5, 5)]);
    bench.wind(Wind::Fickle, 1).act(Action::EndTurn).wind(Wind::Fickle, 1).act(Action::EndTurn);
    assert_eq!(bench.game.phase(&bench.state), Phase::Over);
}

#[test]
fn ruling_24_stock_is_unlimited_and_prices_fixed() {
    let ships = vec![at(0, 0).class(Class::Frigate).money(10_000), at(5, 5)];
    let mut bench = open(&[], ships);
    let price = |bench: &Bench| {
        bench.game.observe(&bench.state, Viewer::Seat(seat(0))).price(0, Product::Lumber).unwrap()
    };
    bench.wind(Wind::Calm, 1);
    let before = price(&bench);
    bench.act(Action::BuyMax(Product::Lumber));
    assert_eq!((bench.units(0, Product::Lumber), price(&bench)), (20, before));
}

#[test]
fn ruling_25_the_winner_sees_the_loot_before_he_chooses() {
    let winner = at(5, 5).cannons(4).goods([4, 0, 0, 0, 0, 0]);
    let mut bench = open(&[], vec![winner, at(5, 5).goods([0, 0, 0, 0, 0, 2])]);
    win(&mut bench);
    assert_eq!(bench.stage(), Stage::Loot);
    let spice = |viewer: usize| {
        bench.game.observe(&bench.state, Viewer::Seat(seat(viewer))).units(seat(0), Product::Spice)
    };
    assert_eq!((spice(0), spice(1)), (Some(2), None));
    let hears = |viewer| bench.log.seen_by(viewer).any(|event| event.to_string().contains("takes from"));
    assert!(hears(Viewer::Seat(seat(0))) && hears(Viewer::Seat(seat(1))), "both know what was taken");
    assert!(!hears(Viewer::Public));
}

#[test]
fn stays_forbid_selling_what_was_bought_until_the_ship_moves_or_fights() {
    let mut bench = open(&[], vec![at(0, 0).money(100), at(5, 5)]);
    bench.wind(Wind::Fickle, 6).act(Action::Buy(Product::Lumber));
    assert!(bench.refused(Action::Sell(Product::Lumber)).contains("bought"));
    bench.act(Action::Sell(Product::Cannon));
    assert!(bench.refused(Action::Buy(Product::Cannon)).contains("sold"));
    bench.act(Action::EndTurn).wind(Wind::Fickle, 1).act(Action::EndTurn).wind(Wind::Fickle, 6);
    assert!(bench.refused(Action::Sell(Product::Lumber)).contains("bought"), "the stay goes on");
    bench.moves(&[East, West]).act(Action::Sell(Product::Lumber));
}

#[test]
fn lost_attacks_end_the_turn() {
    let mut bench = open(&[("mode", "survival")], vec![at(5, 5), at(5, 5).cannons(4), at(9, 9)]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(1, 6).make_room(Product::Lumber);
    assert_eq!((bench.stage(), bench.lives(0)), (Stage::Wind, false));
    assert_eq!(bench.game.observe(&bench.state, Viewer::Public).current(), seat(1));
}

#[test]
fn survival_ends_with_the_last_ship_and_ranks_by_elimination() {
    let mut bench = open(&[("mode", "survival")], vec![at(5, 5).cannons(4), at(5, 5), at(5, 5)]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(2))).roll(6, 1);
    let discards = |bench: &mut Bench| {
        while bench.stage() == Stage::Loot {
            let action = bench.legal()[0];
            bench.act(action);
        }
    };
    discards(&mut bench);
    bench.act(Action::Attack(seat(1))).roll(6, 1);
    discards(&mut bench);
    let mut outcome = Outcome::default();
    bench.game.outcome(&bench.state, &mut outcome);
    assert_eq!(outcome.places, [1, 2, 3]);
    assert_eq!(Privateers::definition().info.ends[outcome.end], "last ship");
}

#[test]
fn start_value_is_240() {
    let game = game(2, &[]);
    let bench = Bench::new(&[], vec![ShipSetup::at(game.map().port_cell(0)).money(50); 2]);
    assert_eq!(bench.game.score(&bench.state, seat(0)), 50 + 2 * 95);
}

/// The rules and the game's facts state the number of players.
#[test]
fn r8_4_recommended_seats_are_stated() {
    let info = Privateers::definition().info;
    assert!(info.seats_advice.contains("best with 5") && info.seats_advice.contains("more players than"));
    let clause = info.rules.split("- R8.4").nth(1).unwrap().split("\n## ").next().unwrap();
    assert!(clause.contains("best with 5") && clause.contains("more players than ports"), "{clause}");
}

/// In `survival` a seat is out with the step that sinks it, whether or not the winner makes room, and whoever
/// attacked. The public hears the same in the same step, and nothing in the steps of making room.
#[test]
fn ruling_33_who_is_sunk_is_out_before_the_winner_makes_room() {
    for winner_attacks in [true, false] {
        let events_with = |goods: u16| {
            let winner = at(5, 5).cannons(4).goods([goods, 0, 0, 0, 0, 0]);
            let loser = at(5, 5).goods([0, 0, 0, 0, 0, 2]);
            let ships = if winner_attacks { vec![winner, loser] } else { vec![loser, winner] };
            let ships = [ships, vec![at(9, 9), at(1, 9)]].concat();
            let mut bench = open(&[("mode", "survival")], ships);
            let dice = if winner_attacks { [6, 1] } else { [1, 6] };
            bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(dice[0], dice[1]);
            let public = |bench: &Bench| {
                bench.log.seen_by(Viewer::Public).map(ToString::to_string).collect::<Vec<_>>()
            };
            let with_the_dice = public(&bench);
            let makes_room = bench.legal() != [Action::EndTurn];
            while bench.legal() != [Action::EndTurn] {
                bench.act(Action::Discard(Product::Lumber));
                assert_eq!(public(&bench), with_the_dice, "making room tells the public nothing");
            }
            assert_eq!(bench.stage_for(Viewer::Public), Stage::Loot, "the winner says when it goes on");
            (makes_room, with_the_dice)
        };
        let ((full, crowded), (empty, roomy)) = (events_with(4), events_with(0));
        assert!(full && !empty);
        assert_eq!(crowded, roomy);
        let (winner, loser) = if winner_attacks { (0, 1) } else { (1, 0) };
        let last = [format!("seat {loser} is sunk by seat {winner}"), format!("seat {loser} is out")];
        assert!(crowded.ends_with(&last), "{crowded:?}");
    }
}

/// The limit on decisions ends the making of room, but the fight was decided.
#[test]
fn ruling_27_a_last_fight_that_is_cut_short_ends_as_last_ship() {
    for (others, end) in [(0, "last ship"), (1, "decision limit")] {
        let winner = at(5, 5).cannons(4).goods([4, 0, 0, 0, 0, 0]);
        let mut ships = vec![winner, at(5, 5).goods([0, 0, 0, 0, 0, 2])];
        ships.extend(vec![at(9, 9); others]);
        let mut bench = open(&[("mode", "survival"), ("max_decisions", "2")], ships);
        win(&mut bench).act(Action::Discard(Product::Lumber));
        assert_eq!(bench.game.phase(&bench.state), Phase::Over);
        let mut outcome = Outcome::default();
        bench.game.outcome(&bench.state, &mut outcome);
        assert_eq!(Privateers::definition().info.ends[outcome.end], end, "{others} others");
    }
}
