use meeple_theory::{Square, nash_average};

use crate::{Random, doubled, near, rps};

#[test]
fn rock_paper_scissors_are_a_third_each() {
    let found = nash_average(&rps());
    near(&found.shares, &[1.0 / 3.0; 3], 1e-12);
    near(&found.ratings, &[0.0; 3], 1e-12);
}

#[test]
fn rings_with_unequal_prizes_have_their_known_shares() {
    // Rock wins a from scissors, scissors b from paper, paper c from rock: shares are proportional to b, a,
    // c.
    let (a, b, c) = (1.0, 2.0, 5.0);
    let matrix = Square::from_rows(3, vec![0.0, -c, a, c, 0.0, -b, -a, b, 0.0]);
    near(&nash_average(&matrix).shares, &[b / 8.0, a / 8.0, c / 8.0], 1e-12);
}

#[test]
fn one_that_beats_all_is_all() {
    let matrix = Square::from_rows(3, vec![0.0, 0.1, 0.2, -0.1, 0.0, 0.5, -0.2, -0.5, 0.0]);
    let found = nash_average(&matrix);
    near(&found.shares, &[1.0, 0.0, 0.0], 1e-9);
    near(&found.ratings, &[0.0, -0.1, -0.2], 1e-9);
}

#[test]
fn nothing_to_win_is_everybody_alike() {
    near(&nash_average(&Square::new(4)).shares, &[0.25; 4], 0.0);
    near(&nash_average(&Square::new(1)).shares, &[1.0], 0.0);
}

#[test]
fn a_copy_shares_its_part_and_changes_no_rating() {
    let mut random = Random(5);
    for size in 2..9 {
        let matrix = random.antisymmetric(size);
        let (once, twice) = (nash_average(&matrix), nash_average(&doubled(&matrix, 1)));
        near(&twice.ratings[..size], &once.ratings, 1e-8);
        near(&[twice.shares[1], twice.shares[size]], &[0.5 * once.shares[1]; 2], 1e-6);
    }
}

#[test]
fn near_ties_are_ties() {
    let matrix = Square::from_rows(3, vec![0.0, 1e-13, 1.0, -1e-13, 0.0, 1.0, -1.0, -1.0, 0.0]);
    near(&nash_average(&matrix).shares, &[0.5, 0.5, 0.0], 1e-6);
}

/// Random matrices have a unique equilibrium, so a copied strategy makes the face of equilibria here. At
/// maximum entropy both copies have half of the share of the original.
#[test]
fn random_games_have_their_equilibria() {
    let mut random = Random(7);
    for number in 0..100 {
        let size = 2 + number % 7;
        let plain = random.antisymmetric(size);
        let copied = number % size;
        let matrix = doubled(&plain, copied);
        let found = nash_average(&matrix);
        assert!(found.gain <= 1e-9, "{found:?}");
        assert!((found.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(found.shares.iter().all(|share| *share >= 0.0));
        let expected = by_supports(&plain);
        let mut expected: Vec<f64> = expected.into_iter().chain([0.0]).collect();
        expected[copied] /= 2.0;
        expected[size] = expected[copied];
        near(&found.shares, &expected, 1e-6);
    }
}

/// The equilibrium of a game without ties, by trying every support.
fn by_supports(matrix: &Square) -> Vec<f64> {
    let size = matrix.size();
    for bits in 1u32..1 << size {
        let support: Vec<usize> = (0..size).filter(|index| bits >> index & 1 == 1).collect();
        let Some(shares) = balanced(matrix, &support) else { continue };
        let fits = shares.iter().all(|share| *share > -1e-9)
            && (0..size).all(|row| {
                matrix.row(row).iter().zip(&shares).map(|(margin, share)| margin * share).sum::<f64>() <= 1e-9
            });
        if fits {
            return shares;
        }
    }
    panic!("every game has an equilibrium");
}

/// Shares on a support for which all its margins are 0: Gauss-Jordan elimination on all rows but one, and on
/// the sum of the shares.
fn balanced(matrix: &Square, support: &[usize]) -> Option<Vec<f64>> {
    let count = support.len();
    let mut rows: Vec<Vec<f64>> = support[1..]
        .iter()
        .map(|row| support.iter().map(|column| matrix.at(*row, *column)).chain([0.0]).collect())
        .collect();
    rows.push(vec![1.0; count + 1]);
    for step in 0..count {
        let pivot = (step..count).max_by(|a, b| rows[*a][step].abs().total_cmp(&rows[*b][step].abs()))?;
        rows.swap(step, pivot);
        let own = rows[step].clone();
        if own[step].abs() < 1e-12 {
            return None;
        }
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = if index == step { 1.0 - 1.0 / own[step] } else { row[step] / own[step] };
            row.iter_mut().zip(&own).for_each(|(value, own)| *value -= factor * own);
        }
    }
    let mut shares = vec![0.0; matrix.size()];
    support.iter().zip(&rows).for_each(|(index, row)| shares[*index] = row[count]);
    Some(shares)
}

#[test]
fn the_entropy_of_a_face_is_greatest() {
    // Two 3-cycles that tie with each other: all mixtures of the two equilibria are equilibria, and the even
    // one has maximum entropy.
    let mut matrix = Square::new(6);
    for row in 0..3 {
        for column in 0..3 {
            matrix.set(row, column, rps().at(row, column));
            matrix.set(3 + row, 3 + column, 0.5 * rps().at(row, column));
        }
    }
    near(&nash_average(&matrix).shares, &[1.0 / 6.0; 6], 1e-9);
    // A strategy that ties with all others joins the mixture.
    let mut with_idle = Square::new(4);
    for row in 0..3 {
        for column in 0..3 {
            with_idle.set(row, column, rps().at(row, column));
        }
    }
    near(&nash_average(&with_idle).shares, &[0.25; 4], 1e-9);
}

#[test]
fn a_bound_of_who_stays_out_is_kept() {
    // Strategies 0, 1 and 2 tie. Strategy 3 wins 2 from strategy 0, and loses 1 to 1 and 0.1 to 2. With the
    // shares a, b and c of the first three, it stays out while 2 a ≤ b + 0.1 c.
    let mut matrix = Square::new(4);
    for (row, column, value) in [(3, 0, 2.0), (3, 1, -1.0), (3, 2, -0.1)] {
        matrix.set(row, column, value);
        matrix.set(column, row, -value);
    }
    let found = nash_average(&matrix);
    assert!(found.gain <= 1e-9, "{found:?}");
    assert!(found.shares[3] < 1e-6, "{found:?}");
    // Lagrange: the shares are proportional to e^(-y m) with the margins m = (2, -1, -0.1), and the bound is
    // tight.
    let [a, b, c] = [found.shares[0], found.shares[1], found.shares[2]];
    assert!((2.0 * a - b - 0.1 * c).abs() < 1e-6, "{found:?}");
    let y = (b / a).ln() / 3.0;
    assert!(((c / a).ln() - 2.1 * y).abs() < 1e-4, "{found:?}");
}

#[test]
fn many_strategies_take_no_time_and_keep_the_gain() {
    let mut random = Random(11);
    for size in [32, 64] {
        let found = nash_average(&random.antisymmetric(size));
        assert!(found.gain <= 1e-9, "{}", found.gain);
    }
}
