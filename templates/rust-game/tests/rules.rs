//! The laws of every game, one test per clause, and stored episodes.

use meeple_core::{Game, NoEvents, Phase, Seat, Viewer};

use template_game::{Choice, TemplateGame, Variant};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// Hundreds of properties: legal actions, secrets, texts, replays, searches, drawings.
#[test]
fn laws() {
    meeple_testkit::for_every_preset::<TemplateGame>(|laws| laws.episodes(20));
}

/// The laws for random parameters, agents and numbers of seats.
#[test]
fn fuzz() {
    meeple_testkit::fuzz::<TemplateGame>(|fuzz| fuzz);
}

/// Stored episodes: a change of the rules shows as a difference. `MEEPLE_BLESS=1 cargo test` accepts it.
#[test]
fn playthroughs() {
    meeple_testkit::playthroughs::<TemplateGame>(format!("{FOLDER}/playthroughs"));
}

/// One number for the whole behaviour.
#[test]
fn signature() {
    meeple_testkit::signature::<TemplateGame>(format!("{FOLDER}/signature.txt"));
}

#[test]
fn rules_name_the_parameters() {
    meeple_testkit::rules_table::<TemplateGame>(format!("{FOLDER}/RULES.md"));
}

/// Plays rounds, each with its dice by seat and its decisions in turn, and checks the points afterwards.
fn check(rounds: &[(&[u8], &[Choice])], expected: &[i64]) {
    let variant = Variant { rounds: rounds.len() as u8, ..Variant::default() };
    let game = TemplateGame::new(variant, expected.len()).unwrap();
    let mut state = game.initial_state();
    for (dice, choices) in rounds {
        for die in *dice {
            assert_eq!(game.phase(&state), Phase::Chance);
            game.apply_chance(&mut state, die, &mut NoEvents);
        }
        for choice in *choices {
            let Phase::Decide(seats) = game.phase(&state) else { panic!("expected a decision") };
            let seat = seats.into_iter().next().unwrap();
            game.apply(&mut state, seat, choice, &mut NoEvents).unwrap();
        }
    }
    assert_eq!(game.phase(&state), Phase::Over);
    let points: Vec<i64> = Seat::all(game.seats()).map(|seat| game.score(&state, seat)).collect();
    assert_eq!(points, expected);
}

use Choice::{Fold, Stay};

#[test]
fn r1_only_its_owner_sees_a_die() {
    let game = TemplateGame::new(Variant::default(), 2).unwrap();
    let mut state = game.initial_state();
    game.apply_chance(&mut state, &5, &mut NoEvents);
    let die = |viewer| game.observe(&state, viewer).die(Seat::new(0));
    assert_eq!(die(Viewer::Seat(Seat::new(0))), Some(5));
    assert_eq!(die(Viewer::Seat(Seat::new(1))), None);
    assert_eq!(die(Viewer::Public), None);
}

#[test]
fn r2_the_next_seat_begins_the_next_round() {
    // The second round's tie goes to seat 1, which decided first.
    check(&[(&[1, 1], &[Fold, Fold]), (&[3, 3], &[Stay, Stay])], &[-1, 2]);
}

#[test]
fn r5_the_highest_die_wins_a_point_for_each_player_who_stayed() {
    check(&[(&[2, 5, 6], &[Stay, Stay, Fold])], &[-1, 2, 0]);
    check(&[(&[2, 5, 6], &[Fold, Stay, Fold])], &[0, 1, 0]);
    check(&[(&[2, 5, 6], &[Fold, Fold, Fold])], &[0, 0, 0]);
    check(&[(&[4, 4, 4], &[Stay, Stay, Stay])], &[3, -1, -1]);
}
