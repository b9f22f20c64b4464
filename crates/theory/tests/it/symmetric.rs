use meeple_theory::{Compositions, TableGame, nash_average, symmetric_equilibrium};

use crate::{Random, near};

/// A game in which everybody gains 1 if somebody volunteers; each volunteer pays `cost`.
fn volunteers(seats: usize, cost: f64) -> TableGame {
    let tables = Compositions::new(seats, 2);
    let gain = |index| {
        let volunteers = tables.counts(index)[0];
        [1.0 - cost, if volunteers > 0 { 1.0 } else { 0.0 }]
    };
    let pay_offs = (0..tables.len()).flat_map(gain).collect();
    TableGame::new(tables, pay_offs)
}

#[test]
fn volunteers_are_as_many_as_known() {
    for (seats, cost) in [(2, 0.3), (3, 0.5), (5, 0.1)] {
        let found = symmetric_equilibrium(&volunteers(seats, cost));
        // In equilibrium the probability that nobody else volunteers is `cost`.
        let shirks = cost.powf(1.0 / (seats - 1) as f64);
        near(&found.shares, &[1.0 - shirks, shirks], 1e-9);
        assert!(found.gain < 1e-9);
    }
}

#[test]
fn zero_sum_games_of_two_agree_with_nash_averaging() {
    let mut random = Random(29);
    for size in [2, 3, 5, 8] {
        let margins = random.antisymmetric(size);
        let tables = Compositions::new(2, size);
        let mut pay_offs = vec![0.0; tables.len() * size];
        for row in 0..size {
            for column in 0..size {
                let mut counts = vec![0; size];
                counts[row] += 1;
                counts[column] += 1;
                pay_offs[tables.index(&counts) * size + row] = margins.at(row, column);
            }
        }
        let found = symmetric_equilibrium(&TableGame::new(tables, pay_offs));
        assert!(found.gain < 1e-8, "{found:?}");
        near(&found.shares, &nash_average(&margins).shares, 1e-6);
    }
}

#[test]
fn random_games_of_three_and_four_have_equilibria() {
    let mut random = Random(31);
    for number in 0..40 {
        let (seats, strategies) = (3 + number % 2, 2 + number % 5);
        let tables = Compositions::new(seats, strategies);
        let pay_offs: Vec<f64> = (0..tables.len() * strategies).map(|_| random.next()).collect();
        let found = symmetric_equilibrium(&TableGame::new(tables, pay_offs));
        assert!(found.gain < 1e-8, "game {number}: {found:?}");
        assert!((found.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(found.shares.iter().all(|share| *share >= 0.0));
    }
}

#[test]
fn one_that_dominates_is_all() {
    // The first strategy gains 1 at every table, the second 0.
    let tables = Compositions::new(4, 2);
    let pay_offs = [1.0, 0.0].repeat(tables.len());
    near(&symmetric_equilibrium(&TableGame::new(tables, pay_offs)).shares, &[1.0, 0.0], 1e-9);
}
