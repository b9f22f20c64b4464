//! Maximum-likelihood strengths.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use thiserror::Error;

use super::likelihood::{DENSE, Model, Sample};
use super::orders::Orders;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RatingError {
    /// No episode has two competitors.
    #[error("expected episodes with at least two competitors, found none")]
    Empty,
    /// A competitor won or lost everything and there is no prior.
    #[error("there is no most likely rating: somebody won or lost everything\nhint: use a prior above 0")]
    NoMaximum,
    #[error(
        "the most likely rating was not found within the precision of the arithmetic\nhint: use a larger prior"
    )]
    NotFound,
}

/// Elo-like points per log unit of strength: 400 points are odds of ten to one.
pub const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// Valid weights of the prior game. A smaller prior is lost to rounding over a million episodes; a larger one
/// dominates the results.
pub(crate) const PRIORS: RangeInclusive<f64> = 1e-6..=100.0;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitOptions {
    /// Weight of each competitor's prior game against a phantom of strength 0, half of it won. With 0 the fit
    /// exists only if nobody lost or won everything.
    pub prior: f64,
    pub seats: SeatEffects,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { prior: 1.0, seats: SeatEffects::WhereMixed }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeatEffects {
    /// Effects are fitted if every competitor sat at several seats; otherwise they are confounded with
    /// strength.
    WhereMixed,
    None,
}

/// Fitted strengths, in log units.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// Strengths by competitor. The sum is near 0, and exactly 0 without a prior.
    pub strengths: Vec<f64>,
    /// By seat, with sum 0; empty without seat effects.
    pub seats: Vec<f64>,
    /// Log-likelihood of the orders and the prior.
    pub log_likelihood: f64,
    pub steps: usize,
}

/// Fits strengths to finishing orders. The result does not depend on the sequence of the episodes.
///
/// # Errors
/// If there are no orders, the maximum is not found, or none exists (only without a prior).
pub fn fit(orders: &Orders, options: FitOptions) -> Result<Fit, RatingError> {
    if orders.episodes() == 0 {
        return Err(RatingError::Empty);
    }
    let seats = options.seats == SeatEffects::WhereMixed && orders.seats_are_mixed();
    let model = Model::new(orders, seats, options.prior);
    let start = vec![0.0; model.size()];
    let solution = newton(&model, &model.sample(), start, PRECISE)?;
    Ok(Fit {
        strengths: solution.at[..orders.competitors].to_vec(),
        seats: centred(&solution.at[orders.competitors..]),
        log_likelihood: solution.value,
        steps: solution.steps,
    })
}

#[derive(Clone, PartialEq, Debug)]
pub struct Likelihood {
    /// Log-likelihood of the orders and the prior.
    pub value: f64,
    pub gradient: Vec<f64>,
    /// Negative Hessian in row-major order. A common shift of all strengths, or of all seat effects, has zero
    /// curvature. Without a prior, 1/n is therefore added to every pair of parameters of one kind.
    pub curvature: Vec<f64>,
}

/// The likelihood of finishing orders, the objective of [`fit`]. Its parameters `at` are the strengths,
/// followed by seat effects if `options` and the orders include them.
///
/// # Panics
/// If `at` does not have one number per competitor and seat effect.
pub fn likelihood(orders: &Orders, options: FitOptions, at: &[f64]) -> Likelihood {
    let seats = options.seats == SeatEffects::WhereMixed && orders.seats_are_mixed();
    let model = Model::new(orders, seats, options.prior);
    assert_eq!(at.len(), model.size(), "one number per competitor and seat effect");
    let sample = model.sample();
    let mut gradient = vec![0.0; at.len()];
    let value = model.gradient(&sample, at, &mut gradient);
    Likelihood { value, gradient, curvature: model.curvature(&sample, at) }
}

pub(super) fn centred(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter().map(|value| value - mean).collect()
}

pub(super) struct Solution {
    pub at: Vec<f64>,
    pub value: f64,
    pub steps: usize,
}

/// Longest step in any parameter, in log units: far from the maximum the quadratic model is poor.
const MAX_STEP: f64 = 3.0;
const MAX_STEPS: usize = 200;
/// Step length below which the fit of all episodes stops, in log units.
pub(super) const PRECISE: f64 = 1e-10;
/// A gradient component below this multiple of its summands' magnitude is rounding error.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// Newton's method with step halving. The log-likelihood is concave, so a local maximum is global.
///
/// With a small prior the maximum is flat: only the prior bounds a competitor that won everything. The value
/// is then a small remainder of large sums. A step is therefore accepted if the slope at its end is
/// non-negative; the value decides only beyond its rounding error. Near the maximum the gradient is pure
/// rounding error, which a flat curvature turns into steps that never shrink. Such a gradient therefore also
/// ends the iteration. Steps are damped (Levenberg 1944) if rounding leaves no curvature.
pub(super) fn newton(
    model: &Model<'_>,
    sample: &Sample,
    mut at: Vec<f64>,
    precise: f64,
) -> Result<Solution, RatingError> {
    let none = if model.prior > 0.0 { RatingError::NotFound } else { RatingError::NoMaximum };
    let weights = model.weights(sample);
    let flat = |gradient: &[f64]| {
        gradient.iter().zip(&weights).all(|(slope, weight)| slope.abs() <= ROUNDINGS * weight)
    };
    let mut gradient = vec![0.0; at.len()];
    let mut value = model.gradient(sample, &at, &mut gradient);
    for step in 1..=MAX_STEPS {
        if model.prior > 0.0 && flat(&gradient) {
            return Ok(Solution { at, value, steps: step - 1 });
        }
        let direction = match conjugate(model, sample, &at, &gradient, precise) {
            Some(direction) => direction,
            None => {
                let factor = damped(&model.curvature(sample, &at), model.prior > 0.0).ok_or(none)?;
                model.count_work(factor.work());
                let mut direction = gradient.clone();
                factor.solve(&mut direction);
                direction
            }
        };
        let longest = direction.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
        if !longest.is_finite() {
            return Err(none);
        }
        if longest < precise {
            // Quadratic convergence: the remaining error is about the square of this step.
            at.iter_mut().zip(&direction).for_each(|(value, part)| *value += part);
            return Ok(Solution { at, value, steps: step });
        }
        let mut scale = (MAX_STEP / longest).min(1.0);
        loop {
            let next: Vec<f64> = at.iter().zip(&direction).map(|(old, part)| old + scale * part).collect();
            let higher = model.gradient(sample, &next, &mut gradient);
            // A concave function rises as long as its slope is positive; near the maximum, rounding may cost
            // a little.
            let slope: f64 = gradient.iter().zip(&direction).map(|(slope, part)| slope * part).sum();
            let summed: f64 = weights.iter().zip(&at).map(|(weight, own)| weight * (1.0 + own.abs())).sum();
            if slope >= 0.0 || higher >= value - ROUNDINGS * summed {
                (at, value) = (next, higher);
                break;
            }
            scale *= 0.5;
            if scale < 1e-9 {
                return Err(none);
            }
        }
        if model.prior == 0.0 && at.iter().any(|value| value.abs() > 60.0) {
            return Err(none);
        }
    }
    Err(none)
}

/// Newton step by Jacobi-preconditioned conjugate gradients (Hestenes and Stiefel 1952): tens of passes
/// instead of a factorisation. `None` where the factorisation is cheaper, or if rounding stalls the
/// iteration.
///
/// The residual is reduced far below `precise`, because competitors that hardly met are connected by small
/// curvatures.
fn conjugate(
    model: &Model<'_>,
    sample: &Sample,
    at: &[f64],
    gradient: &[f64],
    precise: f64,
) -> Option<Vec<f64>> {
    let precise = precise * CONJUGATE;
    if model.size() <= DENSE {
        return None;
    }
    let curved = model.curved(sample, at);
    let measured = |rest: &[f64]| -> Vec<f64> {
        rest.iter().zip(&curved.diagonal).map(|(rest, curved)| rest / curved).collect()
    };
    let mut solution = vec![0.0; at.len()];
    let mut rest = gradient.to_vec();
    let mut along = measured(&rest);
    let mut product = vec![0.0; at.len()];
    let first = dot(&rest, &along);
    let mut left = first;
    for _ in 0..MAX_CONJUGATE {
        if left <= precise * precise * first {
            return Some(solution);
        }
        curved.times(&along, &mut product);
        let length = left / dot(&along, &product);
        if !(length.is_finite() && length > 0.0) {
            return None;
        }
        add_multiple(&mut solution, length, &along);
        add_multiple(&mut rest, -length, &product);
        let next = measured(&rest);
        let now = dot(&rest, &next);
        let turn = now / left;
        along.iter_mut().zip(next).for_each(|(along, next)| *along = next + turn * *along);
        left = now;
    }
    None
}

/// Cholesky factors of a curvature. If rounding made it indefinite, the factors are of a damped curvature
/// with `always`; otherwise `None`.
fn damped(matrix: &[f64], always: bool) -> Option<Cholesky> {
    if let Some(factor) = Cholesky::new(matrix.to_vec()) {
        return Some(factor);
    }
    let size = matrix.len().isqrt();
    let greatest = (0..size).map(|index| matrix[index * size + index]).fold(0.0, f64::max);
    let mut damping = ROUNDINGS * greatest.max(1.0);
    while always && damping < greatest.max(1.0) {
        let mut stronger = matrix.to_vec();
        for index in 0..size {
            stronger[index * size + index] += damping;
        }
        if let Some(factor) = Cholesky::new(stronger) {
            return Some(factor);
        }
        damping *= 16.0;
    }
    None
}

/// Step length below which bootstrap iterations stop, in log units: a sixth of a point. Intervals are
/// hundreds of times wider, and the remaining error is a fraction of the step.
const PRECISE_ENOUGH: f64 = 1e-3;
/// Ratio of successive steps below which the remaining error is less than half of the last step.
const CLOSING_IN: f64 = 0.3;
const REMEMBERED: usize = 8;
const MAX_PASSES: usize = 16;
/// Relative residual of the conjugate gradients, as a factor of the requested precision: small curvatures
/// between competitors that hardly met amplify it.
const CONJUGATE: f64 = 1e-3;
/// Number of matrix-vector products that cost as much as a factorisation.
const MAX_CONJUGATE: usize = 400;

/// Approximate maximum of a resample, starting from the maximum of all episodes. With the factors of the
/// curvature at that start, each step costs one gradient.
///
/// A resample has another curvature, especially with few episodes per competitor. L-BFGS (Nocedal 1980)
/// learns it from the gradients, with the curvature of all episodes as its initial guess. Without factors, or
/// without convergence, Newton's method is used.
pub(super) fn nearby(
    model: &Model<'_>,
    sample: &Sample,
    best: &[f64],
    factor: Option<&Cholesky>,
) -> Result<Vec<f64>, RatingError> {
    let near = factor.and_then(|factor| turning(model, sample, best, factor));
    near.map_or_else(|| newton(model, sample, best.to_vec(), PRECISE_ENOUGH).map(|solution| solution.at), Ok)
}

/// The L-BFGS iteration; `None` without convergence.
fn turning(model: &Model<'_>, sample: &Sample, best: &[f64], factor: &Cholesky) -> Option<Vec<f64>> {
    let mut at = best.to_vec();
    let mut gradient = vec![0.0; at.len()];
    let mut memory: VecDeque<Turn> = VecDeque::with_capacity(REMEMBERED);
    let mut last = f64::INFINITY;
    model.slope(sample, &at, &mut gradient);
    for _ in 0..MAX_PASSES {
        let step = climbing(&memory, &gradient, factor);
        model.count_work(factor.entries());
        let longest = step.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
        if !longest.is_finite() || longest > MAX_STEP {
            break;
        }
        at.iter_mut().zip(&step).for_each(|(value, part)| *value += part);
        // Short steps alone are no convergence: a flat maximum may have long runs of them.
        if longest < PRECISE_ENOUGH && longest < CLOSING_IN * last {
            return Some(at);
        }
        last = longest;
        let mut turned = gradient.clone();
        model.slope(sample, &at, &mut gradient);
        turned.iter_mut().zip(&gradient).for_each(|(old, new)| *old -= new);
        let product = dot(&step, &turned);
        // By concavity, only rounding can make the product negative.
        if product > 0.0 {
            if memory.len() == REMEMBERED {
                memory.pop_front();
            }
            memory.push_back(Turn { step, turned, product });
        }
    }
    None
}

/// A step, the decrease of the gradient along it, and the product of both.
struct Turn {
    step: Vec<f64>,
    turned: Vec<f64>,
    product: f64,
}

/// The next step of L-BFGS, by its two-loop recursion.
fn climbing(memory: &VecDeque<Turn>, gradient: &[f64], factor: &Cholesky) -> Vec<f64> {
    let mut step = gradient.to_vec();
    let mut parts = [0.0; REMEMBERED];
    for (turn, part) in memory.iter().zip(&mut parts).rev() {
        *part = dot(&turn.step, &step) / turn.product;
        add_multiple(&mut step, -*part, &turn.turned);
    }
    factor.solve(&mut step);
    for (turn, part) in memory.iter().zip(parts) {
        let rest = part - dot(&turn.turned, &step) / turn.product;
        add_multiple(&mut step, rest, &turn.step);
    }
    step
}

/// The dot product, in eight partial sums.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}

fn add_multiple(sums: &mut [f64], factor: f64, of: &[f64]) {
    sums.iter_mut().zip(of).for_each(|(sum, part)| *sum += factor * part);
}

/// Cholesky factorisation L·Lᵀ of a symmetric positive definite matrix.
pub(super) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// `None` if the matrix is not positive definite.
    pub fn new(mut matrix: Vec<f64>) -> Option<Self> {
        let size = matrix.len().isqrt();
        for column in 0..size {
            for row in column..size {
                let known = dot(&matrix[row * size..][..column], &matrix[column * size..][..column]);
                let rest = matrix[row * size + column] - known;
                if row == column {
                    if rest <= 1e-14 {
                        return None;
                    }
                    matrix[row * size + column] = rest.sqrt();
                } else {
                    matrix[row * size + column] = rest / matrix[column * size + column];
                }
            }
        }
        Some(Self { size, lower: matrix })
    }

    pub fn entries(&self) -> u64 {
        (self.size * self.size) as u64
    }

    /// Operations of the factorisation.
    pub fn work(&self) -> u64 {
        self.entries() * self.size as u64 / 6
    }

    pub fn solve(&self, side: &mut [f64]) {
        let (size, lower) = (self.size, &self.lower);
        for row in 0..size {
            let known = dot(&lower[row * size..][..row], &side[..row]);
            side[row] = (side[row] - known) / lower[row * size + row];
        }
        for row in (0..size).rev() {
            side[row] /= lower[row * size + row];
            let (above, own) = side.split_at_mut(row);
            add_multiple(above, -own[0], &lower[row * size..][..row]);
        }
    }
}
