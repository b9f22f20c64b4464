//! Clauses of the rules that neither the rulings nor the situations of the rules text cover.

use meeple_core::{
    ChanceStreams, Defined as _, EpisodeSeed, EventLog, Game, Level, NoEvents, Outcome, Phase, Present,
    Viewer,
};
use meeple_privateers::Heading::{East, North, South};
use meeple_privateers::{Action, Chance, Class, Event, Privateers, Product, Stage, Wind};

use crate::bench::{Bench, at, cell, chart, game, open, seat};

#[test]
fn r1_4_ships_share_cells_and_never_block() {
    let mut bench = open(&[], vec![at(5, 5), at(5, 4), at(5, 4)]);
    bench.wind(Wind::North, 6).moves(&[North, North]);
    assert_eq!(bench.at(0), cell(5, 3));
}

/// Counts of a draw by outcome; each of `n` outcomes should come `draws / n` times.
fn check_uniform(counts: &[u32], what: &str) {
    let draws: u32 = counts.iter().sum();
    let expected = f64::from(draws) / counts.len() as f64;
    let deviation = (expected * (1.0 - 1.0 / counts.len() as f64)).sqrt();
    for (outcome, count) in counts.iter().enumerate() {
        let off = (f64::from(*count) - expected) / deviation;
        assert!(off.abs() < 5.0, "{what}: outcome {outcome} came {count} times, expected {expected:.0}");
    }
}

#[test]
fn r2_4_r4_1_r4_2_chance_is_uniform_and_independent() {
    const SETUPS: u64 = 6000;
    let game = game(3, &[("map", "pocket")]);
    let (mut orders, mut spawns, mut pairs) = ([0; 6], [0; 4], [0; 16]);
    let (mut ranks, mut both, mut winds) = ([0; 4], [0; 16], [0; 36]);
    for index in 0..SETUPS {
        let mut streams = ChanceStreams::new(EpisodeSeed::new(8, index));
        let mut state = game.initial_state();
        let (mut ports, mut spice, mut textile) = (Vec::new(), 0, 0);
        loop {
            let chance = game.sample_chance(&state, &mut streams);
            let begun = game.observe(&state, Viewer::Public).has_begun();
            assert_eq!(begun, matches!(chance, Chance::Wind(..)), "the first wind comes last");
            match chance {
                Chance::Order(order) => {
                    let all = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
                    orders[all.iter().position(|known| known == order.items()).unwrap()] += 1;
                }
                Chance::Port(port) => ports.push(usize::from(port)),
                Chance::Prices(Product::Spice, all) => spice = usize::from(all.items()[0]),
                Chance::Prices(Product::Textile, all) => textile = usize::from(all.items()[0]),
                Chance::Prices(..) => {}
                Chance::Wind(wind, power) => {
                    winds[wind.index() * 6 + usize::from(power) - 1] += 1;
                    break;
                }
                Chance::Roll(..) => panic!("nobody fights yet"),
            }
            game.apply_chance(&mut state, &chance, &mut NoEvents);
        }
        spawns[ports[0]] += 1;
        pairs[ports[0] * 4 + ports[1]] += 1;
        ranks[spice] += 1;
        both[spice * 4 + textile] += 1;
    }
    check_uniform(&orders, "order of the seats");
    check_uniform(&spawns, "first port");
    check_uniform(&pairs, "ports of two seats");
    check_uniform(&ranks, "price of spice in A");
    check_uniform(&both, "prices of spice and textile in A");
    check_uniform(&winds, "direction and power");
}

#[test]
fn r4_5_a_new_ship_spends_the_rest_at_its_own_costs() {
    let map = chart(&["A....", ".....", "....B"]);
    let ships = vec![at(0, 1).money(2000), at(4, 0)];
    let mut bench = Bench::new(&[("map", &map)], ships);
    bench.wind(Wind::North, 6).act(Action::Move(North));
    assert!(bench.refused(Action::Move(South)).contains("schooner cannot"));
    bench.act(Action::BuyShip(Class::Galleon)).act(Action::Move(South));
    assert_eq!(bench.budget(), 12 - 1 - 4);
    bench.act(Action::Move(North)).act(Action::BuyShip(Class::Frigate)).act(Action::Move(South));
    assert_eq!(bench.budget(), 12 - 1 - 4 - 1 - 2);
}

#[test]
fn r5_2_buying_needs_money_and_room() {
    let mut bench = open(&[], vec![at(0, 0).money(150).goods([4, 0, 0, 0, 0, 0]).cannons(3), at(9, 9)]);
    bench.wind(Wind::Calm, 1);
    assert!(bench.refused(Action::Buy(Product::Sugar)).contains("room"), "the hold is full");
    bench.act(Action::Buy(Product::Cannon));
    assert_eq!((bench.units(0, Product::Cannon), bench.money(0)), (4, 55), "a mount was free");
    assert!(bench.refused(Action::Buy(Product::Cannon)).contains("no money or no room"));
    let mut bench = open(&[], vec![at(0, 0).money(94), at(9, 9)]);
    bench.wind(Wind::Calm, 1);
    assert!(bench.refused(Action::Buy(Product::Rum)).contains("money"), "rum costs 95 here");
    bench.act(Action::Buy(Product::Tobacco));
    let mut bench = open(&[], vec![at(1, 0).money(94), at(9, 9)]);
    bench.wind(Wind::Fickle, 1);
    assert!(bench.refused(Action::Buy(Product::Tobacco)).contains("not in a port"));
}

#[test]
fn r5_3_stowed_cannons_are_sold_first() {
    let mut bench = open(&[], vec![at(0, 0).cannons(6), at(9, 9)]);
    let view = |bench: &Bench| {
        let obs = bench.game.observe(&bench.state, Viewer::Seat(seat(0)));
        (obs.mounted(seat(0)).unwrap(), obs.load(seat(0)).unwrap())
    };
    bench.wind(Wind::Calm, 1);
    let mut seen = vec![view(&bench)];
    for _ in 0..3 {
        bench.act(Action::Sell(Product::Cannon));
        seen.push(view(&bench));
    }
    assert_eq!(seen, [(4, 2), (4, 1), (4, 0), (3, 0)]);
    assert!(bench.refused(Action::Sell(Product::Rum)).contains("none"));
}

#[test]
fn r5_6_bulk_trades_are_so_many_single_ones() {
    for product in Product::ALL {
        let start = || {
            let ships = vec![at(0, 0).class(Class::Galleon).money(1000).cannons(3), at(9, 9)];
            let mut bench = open(&[], ships);
            bench.wind(Wind::Calm, 1);
            bench
        };
        let cargo = |bench: &Bench| bench.game.observe(&bench.state, Viewer::Seat(seat(0))).cargo(seat(0));
        let (mut bulk, mut single) = (start(), start());
        bulk.act(Action::BuyMax(*product));
        while single.legal().contains(&Action::Buy(*product)) {
            single.act(Action::Buy(*product));
        }
        assert_eq!(cargo(&bulk), cargo(&single), "buying {product}");
        let stay = |bench: &mut Bench| {
            bench.act(Action::EndTurn).wind(Wind::Fickle, 1).act(Action::EndTurn);
            bench.wind(Wind::Fickle, 6).moves(&[East, meeple_privateers::Heading::West]);
        };
        stay(&mut bulk);
        stay(&mut single);
        bulk.act(Action::SellAll(*product));
        while single.legal().contains(&Action::Sell(*product)) {
            single.act(Action::Sell(*product));
        }
        assert_eq!(cargo(&bulk), cargo(&single), "selling {product}");
    }
}

#[test]
fn r6_3_dice_take_the_difference() {
    let mut bench = open(&[], vec![at(5, 5).class(Class::Frigate).cannons(18), at(5, 5).cannons(4)]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1)));
    let mut seen = Vec::new();
    for (a, b) in [(2, 2), (1, 6), (4, 3), (6, 3), (1, 2)] {
        seen.push(bench.roll(a, b).points());
    }
    assert_eq!(seen, [[18, 4], [13, 4], [13, 3], [13, 0], [12, 0]]);
    assert_eq!(bench.stage(), Stage::Roll, "0 points swim");
    bench.roll(2, 1);
    assert!(!bench.lives(1), "below 0");
}

#[test]
fn r6_4_the_distance_shrinks_until_the_defender_reaches() {
    let mut bench =
        open(&[], vec![at(5, 5).class(Class::Frigate).cannons(9), at(7, 5).class(Class::Galleon)]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1)));
    let distance = |bench: &Bench| bench.game.observe(&bench.state, Viewer::Public).fight().unwrap().distance;
    assert_eq!(distance(&bench), 2);
    assert_eq!((bench.roll(3, 3).points(), distance(&bench)), ([9, 2], 1), "also after equal dice");
    assert_eq!((bench.roll(3, 5).points(), distance(&bench)), ([7, 2], 1), "a galleon reaches 1");
}

#[test]
fn r6_6_mounted_cannons_are_not_thrown_overboard() {
    let winner = at(5, 5).cannons(4).goods([4, 0, 0, 0, 0, 0]);
    let mut bench = open(&[], vec![winner, at(5, 5).cannons(2)]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1);
    let (lumber, cannon) = (Action::Discard(Product::Lumber), Action::Discard(Product::Cannon));
    assert_eq!(bench.legal(), [lumber, cannon]);
    bench.act(cannon).act(cannon);
    assert_eq!(bench.stage(), Stage::Respawn);
    assert_eq!((bench.units(0, Product::Cannon), bench.units(0, Product::Lumber)), (4, 4));
}

#[test]
fn r6_6_defenders_who_win_make_room_too() {
    let defender = at(5, 5).cannons(4).goods([4, 0, 0, 0, 0, 0]);
    let mut bench = open(&[], vec![at(5, 5).cannons(1).goods([0, 1, 0, 0, 0, 0]).money(9), defender]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(1, 6);
    assert_eq!((bench.stage(), bench.decider(), bench.money(1)), (Stage::Loot, Some(seat(1)), 9));
    bench.act(Action::Discard(Product::Lumber)).act(Action::Discard(Product::Lumber));
    assert_eq!((bench.stage(), bench.decider()), (Stage::Respawn, Some(seat(0))));
}

#[test]
fn r6_10_a_fight_ends_the_stay_of_both() {
    let ships = vec![at(0, 0).money(40).cannons(4), at(0, 0).money(40).cannons(4), at(0, 0)];
    let mut bench = open(&[("mode", "survival")], ships);
    // Seat 0 buys; seat 1 buys; seat 2 attacks seat 1 and loses; seat 0 attacks seat 1 and wins.
    bench.wind(Wind::Calm, 1).act(Action::Buy(Product::Lumber)).act(Action::EndTurn);
    bench.wind(Wind::Calm, 1).act(Action::Buy(Product::Lumber)).act(Action::EndTurn);
    bench.wind(Wind::Calm, 1).act(Action::Attack(seat(1))).roll(1, 6).make_room(Product::Cannon);
    bench.wind(Wind::Calm, 1);
    assert!(bench.refused(Action::Sell(Product::Lumber)).contains("bought"));
    bench.act(Action::EndTurn).wind(Wind::Calm, 1);
    assert!(bench.legal().contains(&Action::Sell(Product::Lumber)), "its defence ended the stay");
}

#[test]
fn r7_2_the_sunk_seat_acts_when_its_turn_comes() {
    let mut bench = open(&[], vec![at(5, 5).cannons(4), at(5, 5), at(9, 9)]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1).act(Action::Respawn);
    if bench.stage() == Stage::Place {
        bench.chance(Chance::Port(1));
    }
    assert_eq!(bench.decider(), Some(seat(0)), "the initiator goes on");
    bench.act(Action::EndTurn);
    assert_eq!(bench.game.observe(&bench.state, Viewer::Public).current(), seat(1), "in the old place");
}

#[test]
fn r8_2_a_round_is_a_turn_of_every_seat_with_a_ship() {
    let ships = vec![at(5, 5).cannons(4), at(5, 5), at(9, 9)];
    let mut bench = open(&[("mode", "survival"), ("max_rounds", "2")], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1);
    while bench.stage() == Stage::Loot {
        bench.act(bench.legal()[0]);
    }
    let mut turns = vec![0];
    bench.act(Action::EndTurn);
    while bench.game.phase(&bench.state) != Phase::Over {
        bench.wind(Wind::Fickle, 1);
        turns.push(bench.decider().unwrap().index());
        bench.act(Action::EndTurn);
    }
    assert_eq!(turns, [0, 2, 0, 2]);
}

#[test]
fn r8_3_ships_rank_by_value_and_the_sunk_by_their_end() {
    let ships = vec![at(5, 5).cannons(4), at(5, 5), at(9, 9).money(7), at(5, 5), at(1, 9).money(7)];
    let mut bench = open(&[("mode", "survival"), ("max_rounds", "1")], ships);
    bench.wind(Wind::Fickle, 6);
    for loser in [3, 1] {
        bench.act(Action::Attack(seat(loser))).roll(6, 1).make_room(Product::Cannon);
    }
    bench.act(Action::EndTurn);
    for _ in 0..2 {
        bench.wind(Wind::Fickle, 1).act(Action::EndTurn);
    }
    let mut outcome = Outcome::default();
    bench.game.outcome(&bench.state, &mut outcome);
    assert_eq!(outcome.scores, [8 * 95, 0, 7 + 190, 0, 7 + 190]);
    assert_eq!(outcome.places, [1, 4, 2, 5, 2], "seat 1 sank after seat 3");
}

/// Places by seat, after seat 0 sinks seats 1 and 2, of which the first is out for good, and the
/// cap ends the game.
fn places_at_the_cap(mode: &str, decisions: &str) -> Vec<u32> {
    let ships = vec![at(5, 5).cannons(4), at(5, 5), at(5, 5).goods([2, 0, 0, 0, 0, 0]), at(1, 9)];
    let mut bench = open(&[("mode", mode), ("max_decisions", decisions)], ships);
    bench.wind(Wind::Fickle, 6);
    for loser in [1, 2] {
        bench.act(Action::Attack(seat(loser)));
        if bench.stage() == Stage::Roll {
            bench.roll(6, 1);
        }
        bench.make_room(Product::Lumber);
        if bench.stage() == Stage::Respawn {
            bench.act(Action::Retire);
        }
    }
    assert_eq!(bench.game.phase(&bench.state), Phase::Over, "{mode}, {decisions} decisions");
    let mut outcome = Outcome::default();
    bench.game.outcome(&bench.state, &mut outcome);
    assert_eq!(Privateers::definition().info.ends[outcome.end], "decision limit");
    outcome.places
}

#[test]
fn r8_3_who_is_sunk_but_not_yet_out_at_the_decision_cap_comes_before_who_is_out() {
    // Without respawns, the decisions are: attack, go on, attack, and two units overboard. The first of these
    // units is the last decision.
    assert_eq!(places_at_the_cap("survival", "4"), [1, 4, 3, 2], "seat 2's ship sank last");
    // The second attack is the last decision: the dice still decide the fight.
    assert_eq!(places_at_the_cap("survival", "3"), [1, 4, 3, 2]);
    // With respawns, the decisions are: attack, retirement, attack, one unit overboard.
    assert_eq!(places_at_the_cap("infinite", "4"), [1, 4, 3, 2]);
    assert_eq!(places_at_the_cap("infinite", "3"), [1, 4, 3, 2]);
    // After both units seat 2 has yet to decide if it comes back, so it is not out.
    assert_eq!(places_at_the_cap("infinite", "5"), [1, 4, 3, 2]);
}

/// Seat 0 attacks seat 1 as the last decision of the game.
fn last_attack(set: &[(&str, &str)], goods: [u16; 6]) -> Bench {
    let ships = vec![at(5, 5).cannons(4).goods([0, 0, 3, 0, 0, 0]), at(5, 5).goods(goods), at(1, 9)];
    let mut bench = open(&[&[("max_decisions", "1")], set].concat(), ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1)));
    bench
}

#[test]
fn r8_2_the_limit_on_decisions_lets_the_dice_finish_a_fight() {
    for mode in ["infinite", "survival"] {
        // Seat 0 wins, loses, or wins after several rolls.
        for (rolls, places) in
            [(&[(6, 1)][..], [1, 3, 2]), (&[(1, 6)], [3, 1, 2]), (&[(2, 2), (1, 3), (6, 1)], [1, 3, 2])]
        {
            let mut bench = last_attack(&[("mode", mode)], [0; 6]);
            for (initiator, defender) in rolls {
                assert_eq!(bench.game.phase(&bench.state), Phase::Chance, "the fight goes on");
                bench.roll(*initiator, *defender);
            }
            let mut outcome = Outcome::default();
            bench.game.outcome(&bench.state, &mut outcome);
            assert_eq!(outcome.places, places, "{mode}, {rolls:?}");
            assert_eq!(Privateers::definition().info.ends[outcome.end], "decision limit");
        }
    }
}

#[test]
fn r8_2_nobody_is_asked_after_the_last_decision() {
    // 3 tobacco, 2 lumber, 1 spice and 2 stowed cannons take 8 units of a hold of 4, so the least valuable
    // units go.
    let mut bench = last_attack(&[], [2, 0, 0, 0, 0, 1]);
    bench.roll(6, 1);
    assert_eq!(bench.game.phase(&bench.state), Phase::Over);
    let units = Product::ALL.iter().map(|product| bench.units(0, *product)).collect::<Vec<_>>();
    assert_eq!(units, [0, 0, 1, 0, 0, 1, 6], "4 cannons are mounted");
    assert!(bench.game.find_fault(&bench.state).is_none());
}

#[test]
fn r8_2_a_fresh_ship_still_gets_its_port() {
    let map = chart(&["A.......B", ".........", "....#....", ".........", "C.......D"]);
    let ships = vec![at(4, 1).cannons(4), at(4, 1)];
    let mut bench = Bench::new(&[("map", &map), ("max_decisions", "2"), ("respawn_distance", "1")], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1).act(Action::Respawn);
    assert_eq!(bench.stage(), Stage::Place, "several ports are equally far");
    let port = bench.game.chance_outcomes(&bench.state).unwrap()[0].0;
    bench.chance(port);
    assert_eq!(bench.game.phase(&bench.state), Phase::Over);
    let mut outcome = Outcome::default();
    bench.game.outcome(&bench.state, &mut outcome);
    assert_eq!(outcome.scores, [4 * 95 + 2 * 95, 240]);
}

/// At the level of rounds, viewers stop at every round, and hear of sunk and new ships.
#[test]
fn landmarks_are_rounds_sunk_ships_and_new_ones() {
    let ships = vec![at(5, 5).cannons(4), at(5, 5), at(0, 0).money(400)];
    let mut bench = open(&[("max_rounds", "3")], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(6, 1).act(Action::Respawn);
    bench.act(Action::EndTurn);
    for _ in 0..8 {
        if bench.game.phase(&bench.state) != Phase::Over {
            bench.wind(Wind::Fickle, 1);
            let galleon = Action::BuyShip(Class::Galleon);
            if bench.legal().contains(&galleon) {
                bench.act(galleon);
            }
            bench.act(Action::EndTurn);
        }
    }
    let entries = bench.log.entries().iter();
    let landmarks = entries.filter(|(_, event)| Privateers::event_level(event) == Level::Round);
    let texts: Vec<String> = landmarks.map(|(_, event)| event.to_string()).collect();
    let expected = ["seat 1 is sunk by seat 0", "seat 2 buys a galleon", "round 2 begins", "round 3 begins"];
    assert_eq!(texts, expected);
    let roll = bench.log.entries().iter().find(|(_, event)| matches!(event, Event::Rolled { .. }));
    assert_eq!(Privateers::event_level(&roll.unwrap().1), Level::Detail);
}

#[test]
fn the_first_round_begins_when_all_ships_are_fitted_out() {
    let game = game(2, &[("map", "pocket")]);
    let mut streams = ChanceStreams::new(EpisodeSeed::new(1, 1));
    let (mut state, mut log) = (game.initial_state(), EventLog::new());
    while log.entries().iter().all(|(_, event)| !matches!(event, Event::Wind { .. })) {
        let chance = game.sample_chance(&state, &mut streams);
        game.apply_chance(&mut state, &chance, &mut log);
    }
    let rounds = log.entries().iter().filter(|(_, event)| matches!(event, Event::RoundBegan { round: 1 }));
    assert_eq!(rounds.count(), 1);
}
