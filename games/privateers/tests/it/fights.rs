//! Exact fight probabilities, and fights as they are played.

use meeple_core::{Game, NoEvents, Seat, Stream, Viewer};
use meeple_privateers::fight::{FightTable, Fighter, hit};
use meeple_privateers::{Action, Chance, Class, Setup, ShipSetup, Wind};

use crate::bench::{cell, game, open_sea};

const S: Class = Class::Schooner;
const G: Class = Class::Galleon;
const F: Class = Class::Frigate;

/// Initiator, defender, distance, probability that the initiator wins: from the rules.
const EXACT: [(Class, u16, Class, u16, u8, f64); 13] = [
    (S, 2, S, 2, 0, 0.500000),
    (S, 0, S, 2, 0, 0.336111),
    (S, 4, S, 2, 0, 0.656946),
    (S, 2, S, 4, 0, 0.343054),
    (S, 4, F, 18, 0, 0.042904),
    (G, 2, S, 2, 1, 0.613053),
    (F, 2, S, 2, 2, 0.712217),
    (F, 2, G, 2, 2, 0.613053),
    (F, 4, S, 4, 2, 0.656455),
    (F, 18, S, 4, 2, 0.976520),
    (F, 18, G, 12, 2, 0.764302),
    (G, 12, F, 18, 1, 0.269483),
    (G, 12, F, 12, 1, 0.500000),
];

#[test]
fn exact_probabilities_of_the_rules() {
    let game = game(2, &[]);
    for (a, x, b, y, distance, expected) in EXACT {
        let (a, b) = (Fighter::new(a, x), Fighter::new(b, y));
        let win = game.win_probability(a, b, distance);
        assert!((win - expected).abs() < 5e-7, "{a:?} against {b:?} at {distance}: {win}, not {expected}");
    }
}

#[test]
fn equal_sides_are_a_coin() {
    let table = FightTable::new(18, 2);
    for points in 0..=18 {
        assert!((table.win(points, points, 0) - 0.5).abs() < 1e-12);
        for other in 0..=18 {
            let both = table.win(points, other, 0) + table.win(other, points, 0);
            assert!((both - 1.0).abs() < 1e-12, "{points} against {other}");
            assert!(table.win(points, other, 1) >= table.win(points, other, 0), "a free roll never hurts");
            assert!(table.win(points, other, 2) >= table.win(points, other, 1), "a free roll never hurts");
        }
    }
}

#[test]
fn a_roll_hits_the_lower_die() {
    assert_eq!(hit(4, 4, true), [0, 0]);
    assert_eq!(hit(6, 1, true), [0, 5]);
    assert_eq!(hit(1, 3, true), [2, 0]);
    assert_eq!(hit(1, 3, false), [0, 0]);
    assert_eq!(hit(5, 4, false), [0, 1]);
}

/// Plays fights through the rules, and counts how often the initiator's ship swims afterwards.
fn simulate(a: (Class, u16), b: (Class, u16), distance: u8, fights: u32, rng: &mut Stream) -> f64 {
    let game = game(2, &[("map", &open_sea())]);
    let ships = vec![
        ShipSetup::at(cell(5, 5)).class(a.0).cannons(a.1),
        ShipSetup::at(cell(5 + usize::from(distance), 5)).class(b.0).cannons(b.1),
    ];
    let mut start = game.set_up(&Setup { ships, prices: None });
    game.apply_chance(&mut start, &Chance::Wind(Wind::Fickle, 6), &mut NoEvents);
    game.apply(&mut start, Seat::new(0), &Action::Attack(Seat::new(1)), &mut NoEvents).unwrap();
    let (mut state, mut won) = (start.clone(), 0);
    for _ in 0..fights {
        state.clone_from(&start);
        while game.observe(&state, Viewer::Public).stage() == meeple_privateers::Stage::Roll {
            let roll = Chance::Roll(1 + rng.below(6) as u8, 1 + rng.below(6) as u8);
            game.apply_chance(&mut state, &roll, &mut NoEvents);
        }
        won += u32::from(game.observe(&state, Viewer::Public).lives(Seat::new(0)));
    }
    f64::from(won) / f64::from(fights)
}

#[test]
fn fights_as_played_agree_with_the_exact_probabilities() {
    const FIGHTS: u32 = 100_000;
    let mut rng = Stream::from_seed(2026);
    for (a, x, b, y, distance, expected) in EXACT {
        let share = simulate((a, x), (b, y), distance, FIGHTS, &mut rng);
        let error = (expected * (1.0 - expected) / f64::from(FIGHTS)).sqrt();
        assert!(
            (share - expected).abs() < 4.0 * error,
            "{a} {x} against {b} {y} at {distance}: {share}, expected {expected} ± {error}"
        );
    }
}
