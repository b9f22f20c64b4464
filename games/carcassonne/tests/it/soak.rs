//! Random games, compared with the second scorer after every action.

use crate::reference::{Board, Features};
use crate::support::{game, points, seen};
use meeple_carcassonne::{Action, Carcassonne, Kind, Stage, State};
use meeple_core::{ChanceStreams, EpisodeSeed, Game, NoEvents, Phase, Seat, Viewer};

include!("../../examples/shared/soak.rs");

#[test]
fn second_scorer_agrees_at_every_level_and_table() {
    for preset in ["river", "farms", "towers", "classic"] {
        for seats in 2..=6 {
            let game = game(preset, &[], seats);
            (0..8).for_each(|index| assert!(compare(&game, 1, index).0.len() > 12));
        }
    }
}

#[test]
fn second_scorer_agrees_without_point_limit() {
    // All tiles are used: 12 of the river and 72 of the base game, and 18 more with towers.
    for (preset, tiles) in [("river", 84), ("farms", 84), ("towers", 102)] {
        let game = game(preset, &[("point-limit", "0")], 2);
        for index in 0..6 {
            let (laid, gone) = compare(&game, 2, index);
            assert_eq!(laid.len() + gone, tiles, "{preset}, game {index}");
        }
    }
}

#[test]
fn river_never_gets_stuck_nor_touches_itself() {
    let game = game("river", &[], 4);
    assert!((0..3000).all(|index| one_river(&game, 3, index) == 12));
}

#[test]
fn restarting_equals_starting() {
    // The comparison includes broken rivers, which the U-turn rules without look-ahead allow.
    for (preset, set) in [("towers", &[][..]), ("classic", &[]), ("farms", &[("uturn", "two-curves")])] {
        let game = game(preset, set, 3);
        let mut broken = 0;
        for index in 0..40 {
            let seed = EpisodeSeed::new(9, index);
            let mut chance = ChanceStreams::new(seed);
            let mut rng = seed.agent(Seat::new(0));
            let mut state = game.initial_state();
            while game.phase(&state) != Phase::Over {
                match game.phase(&state) {
                    Phase::Decide(seats) => {
                        let seat = seats.lowest().unwrap();
                        let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
                        game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
                    }
                    _ => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
                }
            }
            let lake = Kind::new(meeple_carcassonne::KINDS - 1);
            broken +=
                usize::from(!state_board(&game, &state).tiles().iter().any(|placed| placed.kind() == lake));
            game.reset(&mut state);
            assert_eq!(state, game.initial_state(), "{preset}, game {index}");
        }
        if !set.is_empty() {
            assert!(broken > 0, "some river is broken off");
        }
    }
}
