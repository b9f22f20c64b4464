use meeple_theory::{Compositions, TableGame};

use crate::near;

#[test]
fn tables_are_counted_in_order_and_found_again() {
    for (seats, strategies, expected) in [(2, 64, 2080), (4, 8, 330), (3, 1, 1), (1, 5, 5), (0, 3, 1)] {
        assert_eq!(Compositions::count(seats, strategies), Some(expected));
        let tables = Compositions::new(seats, strategies);
        assert_eq!(tables.len(), expected);
        for index in 0..tables.len() {
            let counts = tables.counts(index);
            assert_eq!(counts.iter().map(|count| usize::from(*count)).sum::<usize>(), seats);
            assert_eq!(tables.index(counts), index);
            assert!(index == 0 || tables.counts(index - 1) > counts);
        }
    }
    assert_eq!(Compositions::count(1000, 1000), None);
}

#[test]
fn what_one_gains_among_mixed_players_is_what_sampling_gives() {
    // Three seats, two strategies; tables aaa, aab, abb, bbb.
    let game = TableGame::new(Compositions::new(3, 2), vec![1.0, 9.0, 2.0, 3.0, 4.0, 5.0, 9.0, 7.0]);
    let mut pay_offs = [0.0; 2];
    game.against(&[0.25, 0.75], &mut pay_offs);
    // The two other players of a are aa, ab or ba, or bb; those of b likewise.
    let drawn = [0.0625, 0.375, 0.5625];
    let expected =
        [drawn[0] * 1.0 + drawn[1] * 2.0 + drawn[2] * 4.0, drawn[0] * 3.0 + drawn[1] * 5.0 + drawn[2] * 7.0];
    near(&pay_offs, &expected, 1e-12);
    // The margin of a is -1 with two seats, and -1 with one.
    near(&[game.margins().at(0, 1), game.margins().at(1, 0)], &[-1.0, 1.0], 1e-12);
    near(&[game.invasion().at(0, 1), game.invasion().at(1, 0)], &[-1.0, 1.0], 1e-12);
}

#[test]
fn a_copy_gains_what_its_original_gains() {
    // Four seats: pay-offs of a random game, and of the same game with a copy of its first strategy.
    let mut random = crate::Random(41);
    let once = Compositions::new(4, 3);
    let plain: Vec<f64> = (0..once.len() * 3).map(|_| random.next()).collect();
    let twice = Compositions::new(4, 4);
    let mut pay_offs = Vec::new();
    for index in 0..twice.len() {
        let counts = twice.counts(index);
        let table = once.index(&[counts[0] + counts[3], counts[1], counts[2]]);
        pay_offs.extend([0, 1, 2, 0].map(|own| plain[table * 3 + own]));
    }
    let (mut few, mut many) = ([0.0; 3], [0.0; 4]);
    TableGame::new(once, plain).against(&[0.5, 0.3, 0.2], &mut few);
    TableGame::new(twice, pay_offs).against(&[0.1, 0.3, 0.2, 0.4], &mut many);
    near(&many, &[few[0], few[1], few[2], few[0]], 1e-12);
}
