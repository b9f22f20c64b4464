use meeple_theory::{Square, cyclic};

use crate::{Random, near, rps};

#[test]
fn a_ring_is_all_ring() {
    let found = cyclic(&rps());
    near(&[found.share], &[1.0], 1e-12);
    near(&found.potentials, &[0.0; 3], 1e-12);
    // Rock beats scissors, scissors beat paper, and paper beats rock.
    assert_eq!(found.clearest, Some([0, 2, 1]));
}

#[test]
fn differences_of_ratings_have_no_ring() {
    let ratings = [0.4, -0.1, 0.0, 0.3];
    let values = ratings.iter().flat_map(|own| ratings.iter().map(move |other| own - other)).collect();
    let found = cyclic(&Square::from_rows(4, values));
    assert_eq!((found.share, found.clearest), (0.0, None));
    near(&found.potentials, &[0.25, -0.25, -0.15, 0.15], 1e-12);
    assert_eq!(cyclic(&Square::new(3)).share, 0.0);
}

#[test]
fn potentials_leave_the_least() {
    let mut random = Random(2);
    let matrix = random.antisymmetric(6);
    let found = cyclic(&matrix);
    let rest = |potentials: &[f64]| -> f64 {
        let pairs = (0..6).flat_map(|row| (0..6).map(move |column| (row, column)));
        pairs
            .map(|(row, column)| (matrix.at(row, column) - potentials[row] + potentials[column]).powi(2))
            .sum()
    };
    let least = rest(&found.potentials);
    for _ in 0..50 {
        let other: Vec<f64> = found.potentials.iter().map(|own| own + 0.1 * random.next()).collect();
        assert!(rest(&other) >= least);
    }
}
