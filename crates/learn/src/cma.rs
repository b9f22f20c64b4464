//! The evolution strategy CMA-ES (Hansen and Ostermeier 2001), with the constants of Hansen's tutorial
//! (2016): maximises a function of real parameters by its values alone.

use meeple_core::Stream;

/// A normal distribution of candidates that adapts to the fitness landscape.
#[derive(Clone, Debug)]
pub struct Cma {
    mean: Vec<f64>,
    sigma: f64,
    /// Covariance matrix at step size 1, `[n, n]`.
    covariance: Vec<Vec<f64>>,
    /// `[n]`
    sigma_path: Vec<f64>,
    covariance_path: Vec<f64>,
    weights: Vec<f64>,
    population: usize,
    generations: u32,
}

impl Cma {
    /// Candidates start around `mean`, which is not empty.
    pub fn new(mean: Vec<f64>, sigma: f64) -> Self {
        let size = mean.len();
        let population = 4 + (3.0 * (size as f64).ln()).floor() as usize;
        let parents = population / 2;
        let raw = (1..=parents).map(|rank| (parents as f64 + 0.5).ln() - (rank as f64).ln());
        let raw: Vec<f64> = raw.collect();
        let all: f64 = raw.iter().sum();
        let unit = |row| (0..size).map(move |column| f64::from(u8::from(row == column)));
        Self {
            mean,
            sigma,
            covariance: (0..size).map(|row| unit(row).collect()).collect(),
            sigma_path: vec![0.0; size],
            covariance_path: vec![0.0; size],
            weights: raw.iter().map(|weight| weight / all).collect(),
            population,
            generations: 0,
        }
    }

    /// `[n]`
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    pub fn population(&self) -> usize {
        self.population
    }

    /// Samples a generation, `[population, n]`.
    pub fn ask(&self, rng: &mut Stream) -> Vec<Vec<f64>> {
        let (lengths, axes) = eigen(&self.covariance);
        let candidate = |_| {
            let drawn: Vec<f64> = lengths.iter().map(|length| length.max(0.0).sqrt() * normal(rng)).collect();
            let along =
                axes.iter().map(|axis| axis.iter().zip(&drawn).map(|(part, drawn)| part * drawn).sum());
            let along: Vec<f64> = along.collect();
            self.mean.iter().zip(along).map(|(mean, step)| mean + self.sigma * step).collect()
        };
        (0..self.population).map(candidate).collect()
    }

    /// Updates the distribution by the fitness of a generation, `[population]`; higher is better.
    pub fn tell(&mut self, candidates: &[Vec<f64>], fitness: &[f64]) {
        let size = self.mean.len() as f64;
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|one, other| fitness[*other].total_cmp(&fitness[*one]));
        let effective = 1.0 / self.weights.iter().map(|weight| weight * weight).sum::<f64>();
        let fade_sigma = (effective + 2.0) / (size + effective + 5.0);
        let damping = 1.0 + 2.0 * (((effective - 1.0) / (size + 1.0)).sqrt() - 1.0).max(0.0) + fade_sigma;
        let fade_covariance = (4.0 + effective / size) / (size + 4.0 + 2.0 * effective / size);
        let by_path = 2.0 / ((size + 1.3).powi(2) + effective);
        let by_rank = (1.0 - by_path)
            .min(2.0 * (effective - 2.0 + 1.0 / effective) / ((size + 2.0).powi(2) + effective));
        let expected = size.sqrt() * (1.0 - 1.0 / (4.0 * size) + 1.0 / (21.0 * size * size));

        let before = std::mem::take(&mut self.mean);
        let best = || order.iter().zip(&self.weights);
        let at = |place: usize| best().map(|(index, weight)| weight * candidates[*index][place]).sum();
        self.mean = (0..before.len()).map(at).collect();
        let steps = |to: &[f64]| -> Vec<f64> {
            to.iter().zip(&before).map(|(to, from)| (to - from) / self.sigma).collect()
        };
        let step = steps(&self.mean);
        let (lengths, axes) = eigen(&self.covariance);
        let round = inverse_root(&lengths, &axes, &step);
        let gain = (fade_sigma * (2.0 - fade_sigma) * effective).sqrt();
        for (path, round) in self.sigma_path.iter_mut().zip(&round) {
            *path = (1.0 - fade_sigma) * *path + gain * round;
        }
        let length = self.sigma_path.iter().map(|part| part * part).sum::<f64>().sqrt();
        self.generations += 1;
        let settled = 1.0 - (1.0 - fade_sigma).powi(2 * self.generations as i32);
        let goes = length / settled.sqrt() < (1.4 + 2.0 / (size + 1.0)) * expected;
        let gain = if goes { (fade_covariance * (2.0 - fade_covariance) * effective).sqrt() } else { 0.0 };
        for (path, step) in self.covariance_path.iter_mut().zip(&step) {
            *path = (1.0 - fade_covariance) * *path + gain * step;
        }
        let stalled = if goes { 0.0 } else { by_path * fade_covariance * (2.0 - fade_covariance) };
        let chosen: Vec<(f64, Vec<f64>)> =
            best().map(|(index, weight)| (*weight, steps(&candidates[*index]))).collect();
        for (row, covariances) in self.covariance.iter_mut().enumerate() {
            for (column, covariance) in covariances.iter_mut().enumerate() {
                let ranks: f64 = chosen.iter().map(|(weight, step)| weight * step[row] * step[column]).sum();
                *covariance = (1.0 - by_path - by_rank + stalled) * *covariance
                    + by_path * self.covariance_path[row] * self.covariance_path[column]
                    + by_rank * ranks;
            }
        }
        self.sigma *= ((fade_sigma / damping) * (length / expected - 1.0)).exp();
    }
}

/// A standard normal variate (Marsaglia's polar method).
fn normal(rng: &mut Stream) -> f64 {
    loop {
        let [x, y] = [rng.unit() * 2.0 - 1.0, rng.unit() * 2.0 - 1.0];
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

/// C^(−½) `step`, for eigenvalues `lengths` and eigenvectors `axes` of C.
fn inverse_root(lengths: &[f64], axes: &[Vec<f64>], step: &[f64]) -> Vec<f64> {
    let along = |axis: usize| -> f64 { axes.iter().zip(step).map(|(row, step)| row[axis] * step).sum() };
    let scaled: Vec<f64> =
        (0..step.len()).map(|axis| along(axis) / lengths[axis].max(1e-30).sqrt()).collect();
    axes.iter().map(|row| row.iter().zip(&scaled).map(|(part, scaled)| part * scaled).sum()).collect()
}

/// Eigenvalues `[n]` of a symmetric matrix and its eigenvectors as columns `[n, n]`, by Jacobi rotations.
fn eigen(matrix: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = matrix.len();
    let mut matrix = matrix.to_vec();
    let mut axes: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for _ in 0..50 {
        let off: f64 = (0..size).flat_map(|row| matrix[row][..row].iter()).map(|part| part * part).sum();
        if off < 1e-24 {
            break;
        }
        for one in 0..size {
            for other in one + 1..size {
                if matrix[one][other].abs() < 1e-300 {
                    continue;
                }
                let ratio = (matrix[other][other] - matrix[one][one]) / (2.0 * matrix[one][other]);
                let tangent = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
                let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
                let sine = tangent * cosine;
                let turned = |x: f64, y: f64| (cosine * x - sine * y, sine * x + cosine * y);
                for row in &mut matrix {
                    (row[one], row[other]) = turned(row[one], row[other]);
                }
                let (above, below) = matrix.split_at_mut(other);
                for (x, y) in above[one].iter_mut().zip(&mut below[0]) {
                    (*x, *y) = turned(*x, *y);
                }
                for row in &mut axes {
                    (row[one], row[other]) = turned(row[one], row[other]);
                }
            }
        }
    }
    ((0..size).map(|place| matrix[place][place]).collect(), axes)
}
