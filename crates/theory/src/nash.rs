//! Nash averaging: the maximum-entropy equilibrium of a symmetric zero-sum game.

use crate::linear::solve;
use crate::square::Square;

/// The maximum-entropy equilibrium, and the ratings against it (Balduzzi, Tuyls, Perolat and Graepel 2018).
/// Copies of a strategy split its share and leave all ratings unchanged.
#[derive(Clone, PartialEq, Debug)]
pub struct NashAverage {
    pub shares: Vec<f64>,
    /// Expected margin of each strategy against the equilibrium: 0 (up to rounding) in its support, elsewhere
    /// at most 0.
    pub ratings: Vec<f64>,
    pub gain: f64,
}

/// Margins whose difference is below this fraction of the largest count as equal.
const TIE: f64 = 1e-9;

/// The Nash average of an antisymmetric matrix of margins, row against column.
///
/// An interior-point method follows the central path of the game, which is self-dual, to the face of all
/// equilibria. On this face the entropy is maximised. The gain is below 1e-9 of the largest margin.
///
/// # Panics
/// If there is no strategy.
pub fn nash_average(margins: &Square) -> NashAverage {
    let (size, scale) = (margins.size(), margins.scale());
    assert!(size > 0, "a strategy at least");
    let rated = |shares: Vec<f64>| {
        let ratings = margins.times(&shares);
        let gain = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        NashAverage { shares, ratings, gain }
    };
    if scale == 0.0 {
        return rated(vec![1.0 / size as f64; size]);
    }
    let unit = Square::from_rows(
        size,
        (0..size).flat_map(|row| margins.row(row).iter().map(|value| value / scale)).collect(),
    );
    let (inside, slack) = central(&unit);
    let total: f64 = inside.iter().sum();
    let near = rated(inside.iter().map(|share| share / total).collect());
    let support: Vec<usize> = (0..size).filter(|index| inside[*index] > slack[*index]).collect();
    match Face::new(&unit, support, &inside).map(|face| rated(face.spread())) {
        // Rounding may lose the face; the point inside it is still an equilibrium.
        Some(exact) if exact.gain <= near.gain.max(TIE * scale) => exact,
        _ => near,
    }
}

/// Maximum number of Newton steps; about twenty are usual.
const MAX_STEPS: usize = 200;

/// Follows the central path to its end. Shares p and slacks s = v - A p have uniform products p s, whose sum
/// is v by self-duality.
fn central(margins: &Square) -> (Vec<f64>, Vec<f64>) {
    let size = margins.size();
    let n = size as f64;
    let mut shares = vec![1.0 / n; size];
    let mut slacks: Vec<f64> = margins.times(&shares).into_iter().map(|won| 2.0 - won).collect();
    let (mut value, mut aim) = (2.0, 0.1);
    for _ in 0..MAX_STEPS {
        if value / n < 1e-13 {
            break;
        }
        // Newton step towards p s = aim v / n, with shares that sum to 1. The last column is the change of v.
        let mut matrix = Square::new(size + 1);
        let mut side = vec![0.0; size + 1];
        for row in 0..size {
            let unit = 1.0 / (shares[row] + slacks[row]);
            for column in 0..size {
                matrix.set(row, column, -shares[row] * margins.at(row, column) * unit);
            }
            matrix.set(row, row, slacks[row] * unit);
            matrix.set(row, size, shares[row] * unit);
            matrix.set(size, row, 1.0);
            side[row] = (aim * value / n - shares[row] * slacks[row]) * unit;
        }
        let Some(step) = solve(matrix, side) else { break };
        let won = margins.times(&step[..size]);
        let mut length: f64 = 1.0;
        for index in 0..size {
            if step[index] < 0.0 {
                length = length.min(-0.95 * shares[index] / step[index]);
            }
            let falls = won[index] - step[size];
            if falls > 0.0 {
                length = length.min(0.95 * slacks[index] / falls);
            }
        }
        for index in 0..size {
            shares[index] += length * step[index];
            slacks[index] += length * (step[size] - won[index]);
        }
        value = shares.iter().zip(&slacks).map(|(share, slack)| share * slack).sum();
        // After a short step the method recentres on the path, which allows a long next step.
        aim = if length < 0.3 { 0.8 } else { 0.1 };
    }
    (shares, slacks)
}

/// The face of all equilibria. Every strategy of the support has margin 0, and every other at most 0.
struct Face<'a> {
    margins: &'a Square,
    support: Vec<usize>,
    /// An equilibrium in the interior, by position in the support.
    inside: Vec<f64>,
    /// Directions along which all margins in the support stay 0.
    directions: Vec<Vec<f64>>,
}

impl<'a> Face<'a> {
    /// Finds the face of this support. `None` if the support has no equilibrium near the given one.
    fn new(margins: &'a Square, support: Vec<usize>, near: &[f64]) -> Option<Self> {
        // Equations in row echelon form: shares sum to 1, and margins are 0. The last column is the
        // right-hand side.
        let count = support.len();
        let mut rows = vec![[vec![1.0; count], vec![1.0]].concat()];
        for own in &support {
            let row = support.iter().map(|other| margins.at(*own, *other)).chain([0.0]);
            rows.push(row.collect());
        }
        let mut pivots = Vec::new();
        for column in 0..count {
            let from = pivots.len();
            let best =
                (from..rows.len()).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()));
            let Some(best) = best.filter(|best| rows[*best][column].abs() > TIE) else { continue };
            rows.swap(from, best);
            let pivot = rows[from].clone();
            for (index, row) in rows.iter_mut().enumerate() {
                let factor = row[column] / pivot[column];
                if index == from {
                    row.iter_mut().for_each(|value| *value /= pivot[column]);
                } else if factor != 0.0 {
                    row.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
                }
            }
            pivots.push(column);
        }
        let free: Vec<usize> = (0..count).filter(|column| !pivots.contains(column)).collect();
        let mut inside: Vec<f64> = support.iter().map(|index| near[*index]).collect();
        for (row, pivot) in rows.iter().zip(&pivots) {
            inside[*pivot] =
                row[count] - free.iter().map(|column| row[*column] * inside[*column]).sum::<f64>();
        }
        let directions = free.iter().map(|column| {
            let mut direction = vec![0.0; count];
            direction[*column] = 1.0;
            rows.iter().zip(&pivots).for_each(|(row, pivot)| direction[*pivot] = -row[*column]);
            direction
        });
        let directions = directions.collect();
        inside.iter().all(|share| *share > 0.0).then_some(Self { margins, support, inside, directions })
    }

    fn spread(self) -> Vec<f64> {
        let (margins, count) = (self.margins, self.directions.len());
        let others: Vec<usize> = (0..margins.size()).filter(|index| !self.support.contains(index)).collect();
        let won = |own: usize, along: &[f64]| -> f64 {
            self.support.iter().zip(along).map(|(other, share)| margins.at(own, *other) * share).sum()
        };
        let changes: Vec<Vec<f64>> = others
            .iter()
            .map(|own| self.directions.iter().map(|direction| won(*own, direction)).collect())
            .collect();
        let mut shares = self.inside.clone();
        // A vanishing log barrier keeps the margins of other strategies negative. Margins that are always 0
        // need no barrier.
        let bound: Vec<usize> = (0..others.len())
            .filter(|place| changes[*place].iter().any(|change| change.abs() > TIE))
            .filter(|place| won(others[*place], &shares) < -TIE)
            .collect();
        let mut barrier = 1e-2;
        while count > 0 && barrier > 1e-13 {
            barrier *= 0.1;
            for _ in 0..40 {
                let slacks: Vec<f64> = bound.iter().map(|place| -won(others[*place], &shares)).collect();
                let mut gradient = vec![0.0; count];
                let mut hessian = Square::new(count);
                for (a, along) in self.directions.iter().enumerate() {
                    gradient[a] =
                        along.iter().zip(&shares).map(|(step, share)| -step * share.ln()).sum::<f64>()
                            - bound
                                .iter()
                                .zip(&slacks)
                                .map(|(place, slack)| barrier * changes[*place][a] / slack)
                                .sum::<f64>();
                    for (b, other) in self.directions.iter().enumerate() {
                        let entropy: f64 = (0..shares.len()).map(|i| along[i] * other[i] / shares[i]).sum();
                        let bounds: f64 = bound
                            .iter()
                            .zip(&slacks)
                            .map(|(place, slack)| {
                                barrier * changes[*place][a] * changes[*place][b] / (slack * slack)
                            })
                            .sum();
                        hessian.set(a, b, entropy + bounds);
                    }
                }
                let Some(step) = solve(hessian, gradient) else { break };
                let along: Vec<f64> = (0..shares.len())
                    .map(|i| {
                        self.directions.iter().zip(&step).map(|(direction, step)| direction[i] * step).sum()
                    })
                    .collect();
                let mut length: f64 = 1.0;
                for (share, step) in shares.iter().zip(&along) {
                    if *step < 0.0 {
                        length = length.min(-0.9 * share / step);
                    }
                }
                for (place, slack) in bound.iter().zip(&slacks) {
                    let change = won(others[*place], &along);
                    if change > 0.0 {
                        length = length.min(0.9 * slack / change);
                    }
                }
                shares.iter_mut().zip(&along).for_each(|(share, step)| *share += length * step);
                if along.iter().all(|step| step.abs() < 1e-13) {
                    break;
                }
            }
        }
        let total: f64 = shares.iter().sum();
        let mut all = vec![0.0; margins.size()];
        self.support.iter().zip(&shares).for_each(|(index, share)| all[*index] = share / total);
        all
    }
}
