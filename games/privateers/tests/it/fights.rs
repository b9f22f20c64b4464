//! Exact fight probabilities, and fights as they are played.

use meeple_core::{Game, NoEvents, Seat, Stream, Viewer};
use meeple_privateers::fight::{FightTable, Fighter, hit};
use meeple_privateers::{Action, Cell, Chance, Class, Privateers, Setup, ShipSetup, Stage, Wind};

use crate::bench::{game, open_sea};

include!("../../examples/shared/fights.rs");

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

#[test]
fn fights_as_played_agree_with_the_exact_probabilities() {
    const FIGHTS: u64 = 100_000;
    let game = game(2, &[("map", &open_sea())]);
    let mut rng = Stream::from_seed(2026);
    for (a, x, b, y, distance, expected) in EXACT {
        let share = share_won(&game, (a, x), (b, y), distance, FIGHTS, &mut rng);
        let error = (expected * (1.0 - expected) / FIGHTS as f64).sqrt();
        assert!(
            (share - expected).abs() < 4.0 * error,
            "{a} {x} against {b} {y} at {distance}: {share}, expected {expected} ± {error}"
        );
    }
}
