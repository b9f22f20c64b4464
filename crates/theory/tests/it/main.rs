//! Tests with games whose answers are known, or are computed in another way.

mod alpha_rank;
mod cycles;
mod nash;
mod replicator;
mod symmetric;
mod table_game;

use meeple_theory::Square;

fn rps() -> Square {
    Square::from_rows(3, vec![0.0, -1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0, 0.0])
}

/// A stream of numbers from -1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn antisymmetric(&mut self, size: usize) -> Square {
        let mut matrix = Square::new(size);
        for row in 0..size {
            for column in row + 1..size {
                let value = self.next();
                matrix.set(row, column, value);
                matrix.set(column, row, -value);
            }
        }
        matrix
    }
}

/// The same game with a copy of strategy `index`, which comes last.
fn doubled(matrix: &Square, index: usize) -> Square {
    let size = matrix.size();
    let own = |place: usize| if place == size { index } else { place };
    let mut copy = Square::new(size + 1);
    for row in 0..=size {
        for column in 0..=size {
            copy.set(row, column, matrix.at(own(row), own(column)));
        }
    }
    copy
}

fn near(found: &[f64], expected: &[f64], error: f64) {
    let same = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= error);
    assert!(same && found.len() == expected.len(), "expected {expected:?}, found {found:?}");
}
