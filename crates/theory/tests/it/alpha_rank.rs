use meeple_theory::{Square, alpha_rank, alpha_rank_limit};

use crate::{Random, doubled, near, rps};

#[test]
fn two_strategies_have_their_closed_form() {
    for (margin, alpha, population) in [(0.3, 0.1, 50), (0.01, 2.0, 10), (-0.2, 1.0, 20)] {
        let matrix = Square::from_rows(2, vec![0.0, margin, -margin, 0.0]);
        let shares = alpha_rank(&matrix, alpha, population);
        let odds = (f64::from(population - 1) * alpha * margin * 2.0).exp();
        // A mutant with the margin d against the resident faces the margin -d in the other direction: both
        // count.
        let expected = ratio(alpha * margin, population) / ratio(-alpha * margin, population);
        assert!((expected / (odds).sqrt() - 1.0).abs() < 1e-9);
        near(&[shares[0] / shares[1]], &[expected], 1e-9 * expected);
    }
}

fn ratio(x: f64, m: u32) -> f64 {
    (1.0 - (-x).exp()) / (1.0 - (-f64::from(m) * x).exp())
}

#[test]
fn rings_and_ties_are_alike() {
    for alpha in [0.01, 1.0, 1000.0] {
        near(&alpha_rank(&rps(), alpha, 50), &[1.0 / 3.0; 3], 1e-12);
        near(&alpha_rank(&Square::new(5), alpha, 50), &[0.2; 5], 1e-12);
    }
}

/// Tied strategies invade each other like strategies with a tiny margin.
#[test]
fn a_tie_is_as_the_smallest_of_margins() {
    let with = |margin: f64| {
        let rows = vec![0.0, margin, 0.3, -margin, 0.0, 0.1, -0.3, -0.1, 0.0];
        alpha_rank(&Square::from_rows(3, rows), 1.0, 20)
    };
    near(&with(0.0), &with(1e-9), 1e-7);
    near(&with(0.0), &with(-1e-9), 1e-7);
}

/// Compares with the Markov chain, written out and raised to a high power.
#[test]
fn random_games_have_the_stationary_shares_of_the_chain() {
    let mut random = Random(3);
    for number in 0..100 {
        let size = 2 + number % 6;
        let matrix = random.antisymmetric(size);
        let (alpha, population) = (0.2, 10);
        let mut chain = vec![vec![0.0; size]; size];
        for (from, row) in chain.iter_mut().enumerate() {
            for to in (0..size).filter(|to| *to != from) {
                row[to] = ratio(alpha * matrix.at(to, from), population) / (size - 1) as f64;
            }
            row[from] = 1.0 - row.iter().sum::<f64>();
        }
        for _ in 0..20 {
            let square = |row: &Vec<f64>| -> Vec<f64> {
                (0..size).map(|column| (0..size).map(|k| row[k] * chain[k][column]).sum()).collect()
            };
            chain = chain.iter().map(square).collect();
        }
        near(&alpha_rank(&matrix, alpha, population), &chain[0], 1e-9);
    }
}

#[test]
fn strong_selection_leaves_who_beats_all() {
    let matrix = Square::from_rows(3, vec![0.0, 0.1, 0.2, -0.1, 0.0, 0.5, -0.2, -0.5, 0.0]);
    let found = alpha_rank_limit(&matrix, 50);
    near(&found.shares, &[1.0, 0.0, 0.0], 1e-5);
    assert!(alpha_rank(&matrix, 1e9, 50).iter().all(|share| share.is_finite()));
}

#[test]
fn selection_that_is_strong_enough_stays_so() {
    let mut random = Random(17);
    for size in 2..20 {
        let matrix = random.antisymmetric(size);
        let found = alpha_rank_limit(&matrix, 50);
        near(&alpha_rank(&matrix, 4.0 * found.alpha, 50), &found.shares, 1e-4);
        let sum: f64 = found.shares.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_copy_ranks_as_its_original() {
    let matrix = Random(23).antisymmetric(5);
    let shares = alpha_rank(&doubled(&matrix, 2), 1.0, 50);
    near(&[shares[5]], &[shares[2]], 1e-12);
}
