//! Step 7: the tests. The laws come first, then one test per clause of RULES.md, then the goldens.
#![allow(missing_docs)]

use meeple_coin_game::{CoinGame, Side, Variant};
use meeple_core::{Game, NoEvents, Outcome, Phase, Seat, SeatSet};

#[test]
fn laws() {
    meeple_testkit::for_every_preset::<CoinGame>(|laws| laws.episodes(30));
}

#[test]
fn fuzz() {
    meeple_testkit::fuzz::<CoinGame>(|fuzz| fuzz);
}

/// Plays rounds of two seats (both guesses, then the toss), and checks the points afterwards.
fn check(rounds: &[(Side, Side, Side)], expected: [i64; 2]) {
    let game = CoinGame::new(Variant { rounds: rounds.len() as u8 }, 2).unwrap();
    let mut state = game.initial_state();
    for (first, second, tossed) in rounds {
        assert_eq!(game.phase(&state), Phase::Decide(SeatSet::first(2)));
        game.apply(&mut state, Seat::new(1), second, &mut NoEvents).unwrap();
        game.apply(&mut state, Seat::new(0), first, &mut NoEvents).unwrap();
        assert_eq!(game.phase(&state), Phase::Chance);
        game.apply_chance(&mut state, tossed, &mut NoEvents);
    }
    assert_eq!(game.phase(&state), Phase::Over);
    assert_eq!(Seat::all(2).map(|seat| game.score(&state, seat)).collect::<Vec<_>>(), expected);
}

#[test]
fn r1_everybody_guesses_then_the_coin_is_tossed() {
    check(&[(Side::Heads, Side::Heads, Side::Tails)], [0, 0]);
}

#[test]
fn r2_who_guessed_right_scores_a_point() {
    check(&[(Side::Heads, Side::Tails, Side::Tails)], [0, 1]);
    check(&[(Side::Heads, Side::Heads, Side::Heads), (Side::Heads, Side::Tails, Side::Heads)], [2, 1]);
}

#[test]
fn r3_more_points_are_better() {
    let game = CoinGame::new(Variant { rounds: 1 }, 2).unwrap();
    let mut state = game.initial_state();
    for (seat, side) in [(0, Side::Heads), (1, Side::Tails)] {
        game.apply(&mut state, Seat::new(seat), &side, &mut NoEvents).unwrap();
    }
    game.apply_chance(&mut state, &Side::Heads, &mut NoEvents);
    let mut outcome = Outcome::default();
    game.outcome(&state, &mut outcome);
    assert_eq!((outcome.scores, outcome.places), (vec![1, 0], vec![1, 2]));
}

#[test]
fn playthroughs() {
    meeple_testkit::playthroughs::<CoinGame>(concat!(env!("CARGO_MANIFEST_DIR"), "/playthroughs"));
}

#[test]
fn signature() {
    meeple_testkit::signature::<CoinGame>(concat!(env!("CARGO_MANIFEST_DIR"), "/signature.txt"));
}

#[test]
fn rules_name_the_parameters() {
    meeple_testkit::rules_table::<CoinGame>(concat!(env!("CARGO_MANIFEST_DIR"), "/RULES.md"));
}
