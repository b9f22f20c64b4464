//! Systems of linear equations.

use crate::square::Square;

/// Solves `matrix * x = side` by Gaussian elimination with partial pivoting. `None` if the matrix is
/// numerically singular.
pub(crate) fn solve(mut matrix: Square, mut side: Vec<f64>) -> Option<Vec<f64>> {
    let size = matrix.size();
    let least = 1e-14 * matrix.scale();
    for step in 0..size {
        let pivot =
            (step..size).max_by(|a, b| matrix.at(*a, step).abs().total_cmp(&matrix.at(*b, step).abs()))?;
        if matrix.at(pivot, step).abs() <= least {
            return None;
        }
        if pivot != step {
            for column in 0..size {
                let (own, other) = (matrix.at(step, column), matrix.at(pivot, column));
                matrix.set(step, column, other);
                matrix.set(pivot, column, own);
            }
            side.swap(step, pivot);
        }
        for row in step + 1..size {
            let factor = matrix.at(row, step) / matrix.at(step, step);
            if factor != 0.0 {
                for column in step..size {
                    matrix.set(row, column, matrix.at(row, column) - factor * matrix.at(step, column));
                }
                side[row] -= factor * side[step];
            }
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix.at(row, column) * side[column]).sum();
        side[row] = (side[row] - known) / matrix.at(row, row);
    }
    side.iter().all(|value| value.is_finite()).then_some(side)
}
