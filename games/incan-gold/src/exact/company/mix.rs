//! Mixed decisions of several symmetric players, who leave with the same probability. The probability is a
//! root of a polynomial in Bernstein form.

use super::super::party::MAX_PLAYERS;

/// Selection among several equilibria by the probability of leaving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Choice {
    Smallest,
    Largest,
}

/// Gain of one player by staying instead of leaving, by number of other leavers.
pub(super) type Gains = [f64; MAX_PLAYERS];

const BINOMIALS: [[f64; MAX_PLAYERS + 1]; MAX_PLAYERS + 1] = {
    let mut rows = [[0.0; MAX_PLAYERS + 1]; MAX_PLAYERS + 1];
    let mut n = 0;
    while n <= MAX_PLAYERS {
        rows[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};

/// The mean of values by number of leavers, if `values.len() - 1` players each leave with probability `odds`.
#[inline]
pub(super) fn mean(values: &[f64], odds: f64) -> f64 {
    let most = values.len() - 1;
    if odds == 0.0 {
        return values[0];
    }
    if odds == 1.0 {
        return values[most];
    }
    let stay = 1.0 - odds;
    let power = |base: f64, exponent: usize| (0..exponent).fold(1.0, |product, _| product * base);
    let term = |(leavers, value): (usize, &f64)| {
        BINOMIALS[most][leavers] * power(odds, leavers) * power(stay, most - leavers) * value
    };
    values.iter().enumerate().map(term).sum()
}

/// The equilibrium probability of leaving, at which no player gains by a deviation. `gains[j]` is the gain of
/// staying over leaving if `j` of the others leave. `choice` selects among several equilibria.
#[inline]
pub(super) fn odds(gains: &[f64], choice: Choice) -> f64 {
    let most = gains.len() - 1;
    match choice {
        // If all others stay, staying is best.
        Choice::Smallest if gains[0] >= 0.0 => 0.0,
        Choice::Smallest => first_root(gains).unwrap_or(1.0),
        Choice::Largest if gains[most] <= 0.0 => 1.0,
        Choice::Largest => {
            let mut turned = Gains::default();
            gains.iter().rev().zip(&mut turned).for_each(|(gain, turned)| *turned = -gain);
            1.0 - first_root(&turned[..=most]).unwrap_or(1.0)
        }
    }
}

/// Returns true if all leaving and all staying are both equilibria.
#[inline]
pub(super) fn is_ambiguous(gains: &[f64]) -> bool {
    gains[0] >= 0.0 && gains[gains.len() - 1] < 0.0 || gains[0] > 0.0 && gains[gains.len() - 1] <= 0.0
}

/// The smallest point between 0 and 1 at which a polynomial that is negative at 0 becomes positive.
fn first_root(coefficients: &[f64]) -> Option<f64> {
    if let [first, last] = *coefficients {
        return (last > 0.0).then(|| first / (first - last));
    }
    let mut polynomial = Gains::default();
    polynomial[..coefficients.len()].copy_from_slice(coefficients);
    root_within(&polynomial[..coefficients.len()], 0.0, 1.0, 48)
}

/// The smallest root of a polynomial, given its Bernstein coefficients on the interval.
fn root_within(coefficients: &[f64], low: f64, high: f64, depth: u32) -> Option<f64> {
    let most = coefficients.len() - 1;
    // A polynomial has at most as many sign changes as its coefficients.
    let changes = coefficients.windows(2).filter(|pair| (pair[0] > 0.0) != (pair[1] > 0.0)).count();
    if changes == 0 {
        return None;
    }
    if changes == 1 && coefficients[0] <= 0.0 && coefficients[most] > 0.0 {
        return Some(low + (high - low) * bracketed(coefficients));
    }
    if depth == 0 {
        return None;
    }
    let (left, right) = halves(coefficients);
    let middle = low + (high - low) / 2.0;
    if let Some(root) = root_within(&left[..=most], low, middle, depth - 1) {
        return Some(root);
    }
    if right[0] > 0.0 {
        return Some(middle);
    }
    root_within(&right[..=most], middle, high, depth - 1)
}

fn halves(coefficients: &[f64]) -> (Gains, Gains) {
    let most = coefficients.len() - 1;
    let (mut row, mut left, mut right) = (Gains::default(), Gains::default(), Gains::default());
    row[..=most].copy_from_slice(coefficients);
    for step in 0..=most {
        (left[step], right[most - step]) = (row[0], row[most - step]);
        for index in 0..most - step {
            row[index] = (row[index] + row[index + 1]) / 2.0;
        }
    }
    (left, right)
}

/// The only root of a polynomial that is at most 0 at 0 and positive at 1.
fn bracketed(coefficients: &[f64]) -> f64 {
    let most = coefficients.len() - 1;
    let (mut low, mut high) = (0.0, 1.0);
    let (mut at_low, mut at_high) = (coefficients[0], coefficients[most]);
    let mut moved = 0;
    // The Illinois method: secant steps, where an end that stays a second time gets half the weight.
    for _ in 0..200 {
        let at = low + (high - low) * (at_low / (at_low - at_high));
        let at = if at > low && at < high { at } else { low + (high - low) / 2.0 };
        let value = mean(coefficients, at);
        if value.abs() < 1e-13 || high - low < 1e-15 {
            return at;
        }
        if value < 0.0 {
            (low, at_low) = (at, value);
            at_high /= if moved == -1 { 2.0 } else { 1.0 };
            moved = -1;
        } else {
            (high, at_high) = (at, value);
            at_low /= if moved == 1 { 2.0 } else { 1.0 };
            moved = 1;
        }
    }
    low + (high - low) / 2.0
}
