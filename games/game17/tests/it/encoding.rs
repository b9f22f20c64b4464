//! The encoding of threats and opportunities.

use meeple_core::{Game, NoEvents, Phase, Playable, Seat, Stream, Viewer};
use meeple_game17::{Action, Chance, Coin, Departure, Game17, State};

use crate::table::game;

/// A board of 4 x 4: the owner 0 has two squares, the owner 1 five, all others one.
const OWNERS: [u16; 16] = [0, 0, 2, 3, 4, 5, 6, 7, 1, 1, 1, 1, 1, 8, 9, 10];
const NUMBERS: [u32; 16] = [3, 0, 2, 4, 1, 1, 0, 0, 2, 2, 2, 2, 4, 1, 0, 0];

/// The numbers of a field for owner 0, scaled back from shares to squares and pieces.
fn scaled_back(game: &Game17, state: &State, name: &str) -> Vec<f32> {
    let encoding = game.encoding().unwrap();
    let fields = (encoding.fields)(game);
    let mut numbers = vec![0.0; encoding.size(game)];
    let seat = Seat::new(0);
    (encoding.write)(game, &game.observe(state, Viewer::Seat(seat)), seat, &mut numbers);
    let at = fields.iter().position(|field| field.name == name).unwrap();
    let begin: usize = fields[..at].iter().map(|field| field.size).sum();
    let total: u32 = NUMBERS.iter().sum();
    let wholes = [16.0, total as f32].map(|whole| whole / 20.0);
    let own = numbers[begin..][..fields[at].size].iter().enumerate();
    own.map(|(index, number)| (number * wholes[index % 2] * 1e6).round() / 1e6).collect()
}

#[test]
fn what_is_exposed_and_what_can_be_taken() {
    let game = game(&[("size", "4")]);
    let order: Vec<u16> = (0..16).collect();
    let state = game.position(&OWNERS, &NUMBERS, &order).unwrap();
    // Owners of few squares, of more, and the strongest: squares and pieces.
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
        assert_eq!(scaled_back(&game, &state, name), expected, "{name}: {comment}");
    }
    let front = scaled_back(&game, &state, "front");
    // Both numbers of this field are numbers of pieces.
    let pieces = |share: f32, whole: f32| share / whole * NUMBERS.iter().sum::<u32>() as f32;
    assert_eq!([pieces(front[0], 16.0).round(), front[1]], [3.0, 0.0], "all own pieces stand beside others");
}

#[test]
fn who_has_had_his_last_turn_threatens_nobody() {
    let game = game(&[("size", "4"), ("rounds", "1")]);
    let order: Vec<u16> = [1, 0].into_iter().chain(2..16).collect();
    let mut state = game.position(&OWNERS, &NUMBERS, &order).unwrap();
    assert_eq!(scaled_back(&game, &state, "exposed")[2..4], [1.0, 3.0]);
    game.apply(&mut state, Seat::new(1), &Action::default(), &mut NoEvents).unwrap();
    assert_eq!(scaled_back(&game, &state, "exposed")[..4], [2.0, 3.0, 0.0, 0.0]);
}

/// A symmetry of the board: turned or mirrored, and then shifted around the torus.
#[derive(Clone, Copy, Debug)]
struct Motion {
    size: i16,
    /// The images of a step south and a step east.
    steps: [(i16, i16); 2],
    shift: (i16, i16),
}

impl Motion {
    /// All eight rotations and reflections, each with a random shift.
    fn all(size: usize, draws: &mut Stream) -> Vec<Self> {
        let size = size as i16;
        let signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let steps =
            signs.iter().flat_map(|(one, other)| [[(*one, 0), (0, *other)], [(0, *one), (*other, 0)]]);
        steps
            .map(|steps| Self {
                size,
                steps,
                shift: (draws.index(size as usize) as i16, draws.index(size as usize) as i16),
            })
            .collect()
    }

    fn turned(&self, (row, column): (i16, i16)) -> (i16, i16) {
        let [south, east] = self.steps;
        (row * south.0 + column * east.0, row * south.1 + column * east.1)
    }

    fn place(&self, (row, column): (i16, i16)) -> (i16, i16) {
        let (row, column) = self.turned((row, column));
        ((row + self.shift.0).rem_euclid(self.size), (column + self.shift.1).rem_euclid(self.size))
    }

    fn square(&self, square: usize) -> usize {
        let (row, column) = self.place((square as i16 / self.size, square as i16 % self.size));
        (row * self.size + column) as usize
    }

    /// The image of a list by square.
    fn board<T: Copy>(&self, squares: &[T]) -> Vec<T> {
        let mut moved = squares.to_vec();
        squares.iter().enumerate().for_each(|(square, what)| moved[self.square(square)] = *what);
        moved
    }

    fn action(&self, action: &Action) -> Action {
        let ways = [(-1, 0), (1, 0), (0, 1), (0, -1)];
        let departures = action.0.iter().map(|departure| {
            let (row, column) = self.place((departure.row, departure.column));
            let mut counts = [0; 4];
            for (way, count) in ways.iter().zip(departure.counts) {
                counts[ways.iter().position(|to| *to == self.turned(*way)).unwrap()] = count;
            }
            Departure { row, column, counts }
        });
        Action(departures.collect())
    }
}

/// Checks that two positions differ only by a symmetry, and that their encodings are equal for every seat.
fn expect_alike(game: &Game17, motion: &Motion, [one, other]: [&State; 2], seats: &[u16]) {
    let encoding = game.encoding().unwrap();
    for seat in seats.iter().map(|seat| Seat::new(usize::from(*seat))) {
        let seen = [one, other].map(|state| game.observe(state, Viewer::Seat(seat)));
        assert_eq!(motion.board(seen[0].owners()), seen[1].owners(), "{motion:?}");
        assert_eq!(motion.board(seen[0].numbers()), seen[1].numbers(), "{motion:?}");
        let mut rows = [vec![0.0; encoding.size(game)], vec![0.0; encoding.size(game)]];
        seen.iter().zip(&mut rows).for_each(|(seen, rows)| (encoding.write)(game, seen, seat, rows));
        let mut begin = 0;
        for field in (encoding.fields)(game) {
            let [one, other] = rows.each_ref().map(|rows| &rows[begin..][..field.size]);
            begin += field.size;
            let moved = if field.size == seen[0].owners().len() { motion.board(one) } else { one.to_vec() };
            // Sums are computed in another order.
            let alike = moved.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-5);
            assert!(alike, "{}, {seat:?}, {motion:?}: {moved:?}, {other:?}", field.name);
        }
    }
}

#[test]
fn a_board_that_is_turned_mirrored_or_shifted_is_the_same_board() {
    let mut draws = Stream::from_seed(17);
    for (size, positions) in [(3, 30), (4, 30), (7, 20), (14, 4)] {
        let game = game(&[("size", &size.to_string())]);
        let count = size * size;
        for _ in 0..positions {
            // A few large owners and many small ones, squares without pieces among them.
            let large = 1 + draws.index(count);
            let owners: Vec<u16> = (0..count).map(|_| draws.index(large) as u16).collect();
            let mut numbers: Vec<u32> = (0..count).map(|_| draws.below(5)).collect();
            numbers[0] = 4;
            let order: Vec<u16> = (0..count as u16).collect();
            let begun = game.position(&owners, &numbers, &order).unwrap();
            let Phase::Decide(deciding) = game.phase(&begun) else { panic!("somebody has pieces") };
            let mover = deciding.lowest().unwrap();
            let action = game.sample_action(&begun, mover, &mut draws, &mut Vec::new());
            let seats = [mover.index() as u16, owners[count - 1], count as u16 - 1];
            let play = |state: &mut State, action: &Action| {
                game.apply(state, mover, action, &mut NoEvents).unwrap();
                while game.phase(state) == Phase::Chance {
                    game.apply_chance(state, &Chance::Coin(Coin::Mover), &mut NoEvents);
                }
            };
            let mut played = begun.clone();
            play(&mut played, &action);
            for motion in Motion::all(size, &mut draws) {
                let mut moved =
                    game.position(&motion.board(&owners), &motion.board(&numbers), &order).unwrap();
                expect_alike(&game, &motion, [&begun, &moved], &seats);
                play(&mut moved, &motion.action(&action));
                expect_alike(&game, &motion, [&played, &moved], &seats);
            }
        }
    }
}
