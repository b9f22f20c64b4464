//! Information by viewer.

use meeple_core::{ChanceStreams, EpisodeSeed, EventLog, Game, Phase, Seat, Stream, Viewer};
use meeple_privateers::{Action, Event, Privateers, Product, ShipSetup, Stage, State, Wind};

use crate::bench::{Bench, cell, episode, game, open_sea, seat};

/// The view of a state, as text.
fn seen(game: &Privateers, state: &State, viewer: Viewer) -> String {
    serde_json::to_string(&game.observe(state, viewer)).unwrap()
}

fn determinized(game: &Privateers, state: &State, viewer: Viewer, draw: u64) -> State {
    let mut other = game.initial_state();
    game.determinize(&game.observe(state, viewer), &mut Stream::from_seed(draw), &mut other);
    other
}

/// Checks everything about hidden information in one position.
fn check(game: &Privateers, state: &State, draw: u64) {
    for viewer in Seat::all(game.seats()).map(Viewer::Seat).chain([Viewer::Public]) {
        let own = seen(game, state, viewer);
        let other = determinized(game, state, viewer, draw);
        assert_eq!(seen(game, &other, viewer), own, "{viewer:?} can tell the states apart");
        let owes = |state: &State| matches!(viewer, Viewer::Seat(seat) if game.phase(state).owes(seat));
        assert_eq!(owes(&other), owes(state), "{viewer:?} is asked in one of them only");
        assert_eq!(game.information_key(&other, viewer), game.information_key(state, viewer));
        if let Some(fault) = game.find_fault(&other) {
            panic!("{viewer:?}: {fault}\n{own}");
        }
        // Sampling depends on the observation only: equal observations give equal results.
        let third = determinized(game, &other, viewer, draw ^ 77);
        assert_eq!(third, determinized(game, state, viewer, draw ^ 77), "{viewer:?}");
        if let Viewer::Seat(seat) = viewer {
            assert_eq!(game.score(&other, seat), game.score(state, seat));
            if game.phase(state).owes(seat) {
                let list = |state: &State| {
                    let mut legal = Vec::new();
                    game.legal_actions(state, seat, &mut legal);
                    legal
                };
                assert_eq!(list(&other), list(state), "seat {seat}");
            }
        }
    }
    let full = determinized(game, state, Viewer::Everything, draw);
    assert_eq!(full, *state, "who sees everything draws nothing");
}

/// A random episode; fights are sought, so that their information is tested too.
fn random_episode(game: &Privateers, index: u64, mut visit: impl FnMut(&State, &EventLog<Event>)) {
    let visit = |state: &State, log: &EventLog<Event>, _: &mut Stream| visit(state, log);
    episode(game, EpisodeSeed::new(5, index), visit, |legal, rng| match legal.last() {
        Some(attack @ Action::Attack(_)) if rng.chance(0.7) => *attack,
        _ => legal[rng.index(legal.len())],
    });
}

#[test]
fn determinize_changes_nothing_that_a_seat_can_see() {
    let sets: [&[(&str, &str)]; 4] = [
        &[("mode", "infinite")],
        &[("mode", "survival")],
        &[("mode", "infinite"), ("start_cannons", "4"), ("start_money", "700"), ("ranges", "1,2,3")],
        &[("mode", "infinite"), ("closing", "physical"), ("ranges", "2,2,2"), ("start_money", "3000")],
    ];
    let mut fights = 0;
    for set in sets {
        let game = game(4, &[&[("map", "pocket"), ("max_rounds", "10")], set].concat());
        for index in 0..4 {
            let mut step = 0;
            random_episode(&game, index, |state, _| {
                check(&game, state, index * 100_000 + step);
                fights += u64::from(game.observe(state, Viewer::Public).fight().is_some());
                step += 1;
            });
        }
    }
    assert!(fights > 100, "the test must see fights: {fights}");
}

/// Observation and events hold only numbers that the viewer may know: with marks in place of
/// others' hidden numbers, no mark appears.
#[test]
fn no_hidden_number_reaches_a_seat() {
    const MARK: i64 = 987_654_321;
    let ships = |money: [i64; 3]| {
        let ship = |seat: usize| ShipSetup::at(cell(5, 5 + seat)).money(money[seat]).cannons(2);
        vec![ship(0), ship(1), ship(2)]
    };
    for hidden in 0..3 {
        let mut money = [50; 3];
        money[hidden] = MARK;
        let mut bench = Bench::new(&[("map", &open_sea())], ships(money));
        bench.wind(Wind::Fickle, 6);
        for viewer in (0..3).map(|index| Viewer::Seat(seat(index))).chain([Viewer::Public]) {
            let text = seen(&bench.game, &bench.state, viewer);
            assert_eq!(text.contains("987654321"), viewer == Viewer::Seat(seat(hidden)), "{viewer:?}");
        }
        assert!(seen(&bench.game, &bench.state, Viewer::Everything).contains("987654321"));
    }
}

#[test]
fn events_reach_only_who_may_know_them() {
    let game = game(4, &[("map", "pocket"), ("max_rounds", "12"), ("start_cannons", "4")]);
    let mut private = 0;
    for index in 0..6 {
        let mut last = None;
        random_episode(&game, index, |_, log| last = Some(log.clone()));
        let log = last.unwrap();
        for (audience, event) in log.entries() {
            let allowed = |viewer: Viewer| -> bool {
                let Viewer::Seat(viewer) = viewer else {
                    return matches!(viewer, Viewer::Everything)
                        || !matches!(
                            event,
                            Event::Prices { .. }
                                | Event::Bought { .. }
                                | Event::Sold { .. }
                                | Event::Discarded { .. }
                                | Event::FightPoints { .. }
                                | Event::Looted { .. }
                        );
                };
                match event {
                    Event::Prices { seat, .. }
                    | Event::Bought { seat, .. }
                    | Event::Sold { seat, .. }
                    | Event::Discarded { seat, .. } => *seat == viewer,
                    Event::FightPoints { seats, .. } => seats.contains(&viewer),
                    Event::Looted { seat, loser, .. } => [*seat, *loser].contains(&viewer),
                    _ => true,
                }
            };
            for viewer in Seat::all(4).map(Viewer::Seat).chain([Viewer::Public, Viewer::Everything]) {
                assert_eq!(audience.includes(viewer), allowed(viewer), "{viewer:?}: {event}");
            }
            private += usize::from(!audience.includes(Viewer::Public));
        }
    }
    assert!(private > 150, "{private}");
}

#[test]
fn price_draws_keep_what_was_seen_and_permute_the_rest() {
    let game = game(2, &[("map", "pocket")]);
    let mut streams = ChanceStreams::new(EpisodeSeed::new(1, 1));
    let mut state = game.initial_state();
    while game.phase(&state) == Phase::Chance {
        let chance = game.sample_chance(&state, &mut streams);
        game.apply_chance(&mut state, &chance, &mut EventLog::new());
    }
    let viewer = Viewer::Seat(seat(0));
    let known = game.observe(&state, viewer).known_ports(seat(0)).trailing_zeros() as usize;
    let price = |state: &State, port: usize| {
        game.observe(state, Viewer::Everything).price(port, Product::Spice).unwrap()
    };
    let unknown = (known + 1) % 4;
    let mut counts = std::collections::BTreeMap::new();
    for draw in 0..3000 {
        let other = determinized(&game, &state, viewer, draw);
        assert_eq!(price(&other, known), price(&state, known));
        *counts.entry(price(&other, unknown)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 3, "the three prices not seen: {counts:?}");
    // Binomial(3000, 1/3): mean 1000, deviation 26.
    assert!(counts.values().all(|count| (870..=1130).contains(count)), "{counts:?}");
}

#[test]
fn sightings_last_until_the_ship_may_have_changed() {
    // Seat 1 defends, wins at sea, and is remembered exactly until it comes to a port.
    let ships = vec![
        ShipSetup::at(cell(1, 1)).cannons(1),
        ShipSetup::at(cell(1, 1)).cannons(3),
        ShipSetup::at(cell(9, 9)),
    ];
    let mut bench = Bench::new(&[("map", &open_sea())], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(1, 6).act(Action::Respawn);
    let sighting = |bench: &Bench| bench.game.observe(&bench.state, Viewer::Seat(seat(0))).sighting(seat(1));
    let view = sighting(&bench).unwrap();
    assert_eq!((view.mounted, view.exact), (4, true), "3 and 1 captured");
    let drawn = determinized(&bench.game, &bench.state, Viewer::Seat(seat(0)), 9);
    let full = bench.game.observe(&drawn, Viewer::Everything);
    assert_eq!(full.mounted(seat(1)), Some(4));
    use meeple_privateers::Heading::{North, West};
    bench.wind(Wind::Fickle, 6).moves(&[North, West]);
    let view = sighting(&bench).unwrap();
    assert_eq!((view.mounted, view.exact), (4, false), "it is in port A now");
    let third = bench.game.observe(&bench.state, Viewer::Seat(seat(2)));
    assert_eq!(third.sighting(seat(1)), None, "seat 2 only saw who won");
}

/// A test on 193 generated maps found that a game that ended with a fight kept the fighters' points.
#[test]
fn an_ended_game_keeps_nothing_of_its_last_fight() {
    let ship = ShipSetup::at(cell(1, 1)).cannons(3);
    let mut bench = Bench::new(&[("map", &open_sea()), ("mode", "survival")], vec![ship.cannons(1), ship]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(1, 6).make_room(Product::Lumber);
    assert_eq!(bench.game.phase(&bench.state), Phase::Over);
    check(&bench.game, &bench.state, 1);
}

/// A position after a fight. Before it, the winner carried `laden` units of lumber, and with more than two of
/// them it must make room.
fn after_a_fight(mode: &str, laden: u16) -> Bench {
    let mut ships = vec![
        ShipSetup::at(cell(1, 1)).cannons(1).money(333).goods([0, 0, 0, 0, 0, 2]),
        ShipSetup::at(cell(1, 1)).cannons(2).money(100).goods([laden, 0, 0, 0, 0, 0]),
        ShipSetup::at(cell(9, 9)),
    ];
    ships.extend([ShipSetup::at(cell(9, 5))]);
    let mut bench = Bench::new(&[("map", &open_sea()), ("mode", mode)], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(2, 1).roll(1, 6);
    // In `survival` the winner always decides when play goes on.
    assert_eq!(bench.stage() == Stage::Loot, laden > 2 || mode == "survival", "{laden}");
    bench
}

/// Observation and events of a viewer, in one of two fights that differ only in the winner's discards.
fn gets(bench: &Bench, viewer: Viewer) -> (String, Vec<String>) {
    let heard = bench.log.seen_by(viewer).map(Event::to_string).collect();
    (seen(&bench.game, &bench.state, viewer), heard)
}

#[test]
fn r9_1_only_the_winner_knows_that_he_made_room() {
    for mode in ["infinite", "survival"] {
        let [mut full, mut empty] = [after_a_fight(mode, 4), after_a_fight(mode, 0)];
        let others = [Viewer::Seat(seat(0)), Viewer::Seat(seat(2)), Viewer::Seat(seat(3)), Viewer::Public];
        // Others see no difference while the winner makes room: for them the fight waits for its loser or
        // winner.
        for viewer in &others[usize::from(mode == "infinite")..] {
            assert_eq!(gets(&full, *viewer), gets(&empty, *viewer), "{mode}, {viewer:?}");
        }
        assert_eq!(full.stage_for(Viewer::Seat(seat(1))), Stage::Loot);
        for bench in [&mut full, &mut empty] {
            bench.make_room(Product::Lumber);
        }
        for _ in 0..3 {
            for viewer in others {
                assert_eq!(gets(&full, viewer), gets(&empty, viewer), "{mode}, {viewer:?}");
            }
            assert_ne!(gets(&full, Viewer::Seat(seat(1))), gets(&empty, Viewer::Seat(seat(1))), "{mode}");
            for bench in [&mut full, &mut empty] {
                match bench.stage() {
                    Stage::Respawn => bench.act(Action::Respawn),
                    Stage::Place => bench.chance(meeple_privateers::Chance::Port(1)),
                    Stage::Wind => bench.wind(Wind::North, 3),
                    _ => bench.act(Action::EndTurn),
                };
            }
        }
    }
}

#[test]
fn r9_1_how_a_turn_ended_is_hidden() {
    // In one world seat 0 has something to sell in port A and ends its turn after it; in the other
    // its turn passes by itself.
    let turn = |money: i64, goods: [u16; 6]| {
        let ships =
            vec![ShipSetup::at(cell(0, 1)).cannons(0).money(money).goods(goods), ShipSetup::at(cell(9, 9))];
        let mut bench = Bench::new(&[("map", &open_sea())], ships);
        bench.wind(Wind::North, 1).act(Action::Move(meeple_privateers::Heading::North));
        while bench.game.phase(&bench.state) != Phase::Chance {
            let legal = bench.legal();
            let sale = legal.iter().find(|action| matches!(action, Action::SellAll(_)));
            bench.act(sale.copied().unwrap_or(Action::EndTurn));
        }
        bench
    };
    let [poor, rich] = [turn(0, [0; 6]), turn(0, [1, 1, 0, 0, 0, 0])];
    assert!(rich.money(0) > poor.money(0));
    for viewer in [Viewer::Seat(seat(1)), Viewer::Public] {
        assert_eq!(gets(&poor, viewer), gets(&rich, viewer), "{viewer:?}");
    }
}

/// Questions to the observation agree with the legal actions.
#[test]
fn questions_agree_with_the_legal_actions() {
    let (mut asked, mut yes) = (0, [0; 4]);
    for (index, set) in
        [[("map", "pocket"), ("start_money", "2000")], [("map", "pocket"), ("ranges", "6,6,6")]]
            .iter()
            .enumerate()
    {
        let game = game(3, &[&[("max_rounds", "12")], &set[..]].concat());
        let mut visit = |state: &State| {
            for viewer in Seat::all(3) {
                let obs = game.observe(state, Viewer::Seat(viewer));
                let acts = obs.stage() == Stage::Act && obs.current() == viewer;
                let mut legal = Vec::new();
                if acts {
                    game.legal_actions(state, viewer, &mut legal);
                }
                let mut holds = |answer: bool, action: Action| {
                    assert_eq!(answer, legal.contains(&action), "seat {viewer}: {action}");
                    asked += 1;
                    answer
                };
                for product in Product::ALL {
                    yes[0] += u64::from(holds(obs.buyable(*product) > 0, Action::Buy(*product)));
                    yes[1] += u64::from(holds(obs.sellable(*product) > 0, Action::Sell(*product)));
                }
                for class in [meeple_privateers::Class::Galleon, meeple_privateers::Class::Frigate] {
                    yes[2] += u64::from(holds(obs.may_upgrade(class), Action::BuyShip(class)));
                }
                for other in Seat::all(3) {
                    yes[3] += u64::from(holds(obs.targets().contains(other), Action::Attack(other)));
                }
            }
        };
        for episode in 0..5 {
            random_episode(&game, 10 * index as u64 + episode, |state, _| visit(state));
        }
    }
    assert!(asked > 15_000 && yes.iter().all(|count| *count > 20), "{asked} {yes:?}");
}

/// Prior of hidden money: uniform up to the money of a fresh ship plus its class's earnings in the
/// rounds since.
#[test]
fn r9_4_hidden_money_is_uniform_up_to_its_ceiling() {
    use meeple_privateers::Class;
    for (class, income) in [(Class::Schooner, 30), (Class::Galleon, 150), (Class::Frigate, 400)] {
        for rounds in [1, 4] {
            let ships = vec![ShipSetup::at(cell(1, 1)), ShipSetup::at(cell(9, 9)).class(class).money(7)];
            let mut bench = Bench::new(&[("map", &open_sea()), ("start_money", "60")], ships);
            for _ in 1..rounds {
                bench.wind(Wind::Calm, 1).wind(Wind::Calm, 1);
            }
            let most = 60 + income * i64::from(rounds);
            let draws = 4000;
            let drawn: Vec<i64> = (0..draws)
                .map(|draw| {
                    let world = determinized(&bench.game, &bench.state, Viewer::Seat(seat(0)), draw);
                    bench.game.observe(&world, Viewer::Everything).money(seat(1)).unwrap()
                })
                .collect();
            let (least, greatest) = (drawn.iter().min().unwrap(), drawn.iter().max().unwrap());
            assert!(
                *least <= most / 50 && *greatest <= most && *greatest >= most - most / 50,
                "{class}, {rounds}"
            );
            // Uniform: the mean is half of it, within five deviations of most / sqrt(12 draws).
            let mean = drawn.iter().sum::<i64>() as f64 / draws as f64;
            let deviation = most as f64 / (12.0 * draws as f64).sqrt();
            assert!((mean - most as f64 / 2.0).abs() < 5.0 * deviation + 0.5, "{class}, {rounds}: {mean}");
        }
    }
}

/// Bound on hidden wealth: the best trades since the ship was fitted out. A fresh ship that has
/// been in no port has its initial contents.
#[test]
fn r9_4_nobody_is_supposed_to_be_richer_than_trade_makes() {
    let game = game(3, &[("map", "pocket"), ("max_rounds", "12")]);
    let (mut held, mut bounded) = (0, 0);
    random_episode(&game, 3, |state, _| {
        let obs = game.observe(state, Viewer::Seat(seat(0)));
        for draw in 0..3 {
            let world = determinized(&game, state, Viewer::Seat(seat(0)), draw);
            let everything = game.observe(&world, Viewer::Everything);
            for other in obs.living().filter(|other| *other != seat(0)) {
                let cargo = everything.cargo(other).unwrap();
                let worth: i64 = Product::ALL
                    .iter()
                    .map(|product| {
                        i64::from(cargo.units[product.index()]) * i64::from(game.price_list(*product)[0])
                    })
                    .sum();
                let json = serde_json::to_value(obs).unwrap();
                let ceiling = json["ships"][other.index()]["ceiling"].as_i64().unwrap();
                assert!(cargo.money + worth <= ceiling, "seat {other}: {cargo:?} against {ceiling}");
                held += 1;
                bounded += u64::from(cargo.money + worth > ceiling * 9 / 10);
            }
        }
    });
    assert!(held > 400 && bounded > 50, "{held} {bounded}");
}
