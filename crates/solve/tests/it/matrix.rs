//! Simultaneous decisions.

use meeple_core::{Defined as _, Params, Seat};
use meeple_solve::{Profile, best_response, nash_conv};
use meeple_testkit::toys::{Matrix, MatrixVariant};

use crate::support::{close, learned, tree};

fn matrix(rows: u8, columns: u8, gains: &[i64]) -> Matrix {
    Matrix::new(MatrixVariant { rows, columns, gains: gains.to_vec() }, 2).unwrap()
}

/// Rock, paper, scissors in which rock wins two points from scissors. In equilibrium rock and scissors have a
/// share of 1/4 each.
fn rock() -> Matrix {
    let mut variant = MatrixVariant::default();
    let preset = Matrix::definition().info.presets.iter().find(|preset| preset.name == "rock").unwrap();
    preset.set.iter().for_each(|(name, text)| variant.set(name, text).unwrap());
    Matrix::new(variant, 2).unwrap()
}

#[test]
fn nobody_sees_what_the_other_chooses_now() {
    let tree = tree(&matrix(2, 2, &[1, -1, -1, 1]));
    assert_eq!(tree.size().information_sets, [1, 1]);
    assert_eq!((tree.histories_of(0), tree.histories_of(1)), (1, 2));
    // A fixed choice has a known best response. Against uniform choices no response gains.
    let heads = Profile::new(&tree, |set| if set == 0 { vec![1.0, 0.0] } else { vec![0.5, 0.5] }).unwrap();
    close(best_response(&tree, &heads, Seat::new(1)).value, 1.0, 1e-12);
    close(best_response(&tree, &heads, Seat::new(0)).value, 0.0, 1e-12);
    close(nash_conv(&tree, &Profile::uniform(&tree)), 0.0, 1e-12);
}

#[test]
fn mixed_equilibria_are_equilibria() {
    let tree = tree(&rock());
    let known = Profile::new(&tree, |_| vec![0.25, 0.5, 0.25]).unwrap();
    close(nash_conv(&tree, &known), 0.0, 1e-9);
    close(nash_conv(&tree, &Profile::uniform(&tree)), 2.0 / 3.0, 1e-12);
}

#[test]
fn mixed_equilibria_are_learned() {
    for (game, expected, value) in [
        (matrix(2, 2, &[1, -1, -1, 1]), vec![0.5, 0.5], 0.0),
        (rock(), vec![0.25, 0.5, 0.25], 0.0),
        // A game with different numbers of choices, and a saddle point at row 2, column 1.
        (matrix(2, 3, &[0, 3, 1, 1, 4, 2]), vec![0.0, 1.0], 1.0),
    ] {
        let tree = tree(&game);
        let solution = learned(&tree, 200_000, 3);
        let exploitability = solution.nash_conv() / 2.0;
        assert!(exploitability < 0.01, "{exploitability}");
        close(solution.values[0], value, 0.01);
        let found = solution.profile.at(&tree, 0).iter();
        found.zip(expected).for_each(|(found, expected)| close(*found, expected, 0.02));
    }
}
