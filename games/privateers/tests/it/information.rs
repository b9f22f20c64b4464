//! Who may know what.

use meeple_core::{ChanceStreams, EpisodeSeed, EventLog, Game, Phase, Seat, Stream, Viewer};
use meeple_privateers::{Action, Event, Privateers, Product, ShipSetup, State, Wind};

use crate::bench::{Bench, cell, episode, game, open_sea, seat};

/// What a viewer can see of a state, as text.
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
        assert_eq!(game.phase(&other), game.phase(state));
        assert_eq!(game.information_key(&other, viewer), game.information_key(state, viewer));
        if let Some(fault) = game.find_fault(&other) {
            panic!("{viewer:?}: {fault}\n{own}");
        }
        // It depends on the observation only: from two states that look the same comes the same.
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

/// Every number that a viewer's observation and events hold is his to know: with the hidden numbers of
/// others replaced by marks, no mark shows up.
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

/// Found by 193 generated maps: a game that ended with a fight kept the fighters' points.
#[test]
fn an_ended_game_keeps_nothing_of_its_last_fight() {
    let ship = ShipSetup::at(cell(1, 1)).cannons(3);
    let mut bench = Bench::new(&[("map", &open_sea()), ("mode", "survival")], vec![ship.cannons(1), ship]);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(1, 6);
    assert_eq!(bench.game.phase(&bench.state), Phase::Over);
    check(&bench.game, &bench.state, 1);
}
