//! What the encoding says of what is exposed and what can be taken.

use meeple_core::{Game, NoEvents, Playable, Seat, Viewer};
use meeple_game17::{Action, Game17, State};

use crate::table::game;

/// A board of 4 x 4: the owner 0 has two squares, the owner 1 five, all others one.
const OWNERS: [u16; 16] = [0, 0, 2, 3, 4, 5, 6, 7, 1, 1, 1, 1, 1, 8, 9, 10];
const NUMBERS: [u32; 16] = [3, 0, 2, 4, 1, 1, 0, 0, 2, 2, 2, 2, 4, 1, 0, 0];

/// The numbers of a field, as the owner 0 is told them: squares and pieces again, not as shares.
fn told(game: &Game17, state: &State, name: &str) -> Vec<f32> {
    let encoding = Game17::encoding().unwrap();
    let fields = (encoding.fields)(game);
    let mut numbers = vec![0.0; encoding.size(game)];
    let seat = Seat::new(0);
    (encoding.write)(game, &game.observe(state, Viewer::Seat(seat)), seat, &mut numbers);
    let at = fields.iter().position(|field| field.name == name).unwrap();
    let begin: usize = fields[..at].iter().map(|field| field.size).sum();
    let total: u32 = NUMBERS.iter().sum();
    let wholes = [16.0, total as f32].map(|whole| whole / 20.0);
    let told = numbers[begin..][..fields[at].size].iter().enumerate();
    told.map(|(index, number)| (number * wholes[index % 2] * 1e6).round() / 1e6).collect()
}

#[test]
fn what_is_exposed_and_what_can_be_taken() {
    let game = game(&[("size", "4")]);
    let order: Vec<u16> = (0..16).collect();
    let state = game.position(&OWNERS, &NUMBERS, &order).unwrap();
    // Of few squares, of more, of the strongest: squares and pieces.
    let cases: [(&str, &[f32], &str); 5] = [
        (
            "exposed",
            &[2., 3., 1., 3., 1., 3.],
            "4 north and 4 west of the 3, and anybody beside the empty one",
        ),
        ("takeable", &[1., 1., 0., 0., 0., 0.], "the 3 can take the 1 south of them, and no 4"),
        ("beside", &[5., 9., 1., 4., 1., 4.], "five of few squares, and the 4 of the strongest"),
        // The four west of the 3 all go east: 1 in 256. Nobody comes to the empty square: 3/4 · 3/4 · 9/16.
        ("at_risk", &[0.6875, 0.011719], "1/256 + 1 - 81/256 squares, 3/256 pieces"),
        ("rival", &[5., 12.], "the owner 1"),
    ];
    for (name, expected, comment) in cases {
        assert_eq!(told(&game, &state, name), expected, "{name}: {comment}");
    }
    let front = told(&game, &state, "front");
    // Both numbers are pieces.
    let pieces = |told: f32, whole: f32| told / whole * NUMBERS.iter().sum::<u32>() as f32;
    assert_eq!([pieces(front[0], 16.0).round(), front[1]], [3.0, 0.0], "all own pieces stand beside others");
}

#[test]
fn who_has_had_his_last_turn_threatens_nobody() {
    let game = game(&[("size", "4"), ("rounds", "1")]);
    let order: Vec<u16> = [1, 0].into_iter().chain(2..16).collect();
    let mut state = game.position(&OWNERS, &NUMBERS, &order).unwrap();
    assert_eq!(told(&game, &state, "exposed")[2..4], [1.0, 3.0]);
    game.apply(&mut state, Seat::new(1), &Action::default(), &mut NoEvents).unwrap();
    assert_eq!(told(&game, &state, "exposed")[..4], [2.0, 3.0, 0.0, 0.0]);
}
