//! 95 % intervals. This is their only implementation; all commands use it.
//!
//! Every interval from this module has a positive width. A variance of zero is replaced by a bound from the
//! number of identical units; where that is impossible, the result is `None`. Callers whose values are
//! certain must say so themselves.

/// The 97.5 % quantile of the standard normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval (1927) for an observed `share` in `n` independent trials.
///
/// It stays inside `0..=1` and has a positive width even without failures or successes. `n` may be
/// fractional: the effective number of independent trials.
///
/// ```
/// let [low, high] = meeple_lab::wilson_interval(0.5, 10.0);
/// assert!((low - 0.2366).abs() < 1e-4 && (high - 0.7634).abs() < 1e-4);
/// ```
pub fn wilson_interval(share: f64, n: f64) -> [f64; 2] {
    wilson(share, n, Z)
}

fn wilson(share: f64, n: f64, z: f64) -> [f64; 2] {
    let z2 = z * z;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // At a share of 0 the lower end is exactly 0, and at 1 the upper end is 1; rounding must not change them.
    let low = if share <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (centre + half).min(1.0) };
    [low, high]
}

/// Degrees of freedom from which on the expansion of Student's quantile is exact to 10^-8.
const MANY: u64 = 40;

/// The 97.5 % quantile of Student's t distribution with `degrees` degrees of freedom; infinite for 0.
///
/// ```
/// assert!((meeple_lab::t_quantile(4) - 2.776_445).abs() < 1e-6);
/// ```
pub fn t_quantile(degrees: u64) -> f64 {
    if degrees == 0 {
        return f64::INFINITY;
    }
    if degrees >= MANY {
        return t_expansion(degrees as f64);
    }
    // Bisection: the probability increases with the angle.
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if t_probability(middle, degrees) < 0.95 { low = middle } else { high = middle }
    }
    low.tan() * (degrees as f64).sqrt()
}

/// Probability of |t| below √`degrees` · tan(`angle`) (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn t_probability(angle: f64, degrees: u64) -> f64 {
    let cos2 = angle.cos().powi(2);
    let odd = degrees % 2 == 1;
    let mut term = if odd { angle.cos() } else { 1.0 };
    let (mut sum, mut power) = (0.0, if odd { 1 } else { 0 });
    while power + 2 <= degrees {
        sum += term;
        let power_after = (power + 2) as f64;
        term *= cos2 * (power_after - 1.0) / power_after;
        power += 2;
    }
    let sine = angle.sin();
    if odd { (angle + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum }
}

/// The expansion for many degrees of freedom (Abramowitz and Stegun, 26.7.5).
fn t_expansion(degrees: f64) -> f64 {
    let z = |power: i32| Z.powi(power);
    let terms = [
        (z(3) + z(1)) / 4.0,
        (5.0 * z(5) + 16.0 * z(3) + 3.0 * z(1)) / 96.0,
        (3.0 * z(7) + 19.0 * z(5) + 17.0 * z(3) - 15.0 * z(1)) / 384.0,
        (79.0 * z(9) + 776.0 * z(7) + 1482.0 * z(5) - 1920.0 * z(3) - 945.0 * z(1)) / 92_160.0,
    ];
    Z + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / degrees)
}

/// Student's interval of a mean from the sample standard deviation `sd` of `n` samples. `None` for fewer than
/// two samples or identical ones, which carry no information on the spread.
///
/// ```
/// assert_eq!(meeple_lab::mean_interval(3.0, 0.0, 12.0), None);
/// ```
pub fn mean_interval(mean: f64, sd: f64, n: f64) -> Option<[f64; 2]> {
    around(mean, if n < 2.0 { 0.0 } else { t_quantile(n as u64 - 1) * sd / n.sqrt() })
}

/// The interval `value ± half`; `None` if its width is zero or infinite.
fn around(value: f64, half: f64) -> Option<[f64; 2]> {
    let interval = [value - half, value + half];
    (half.is_finite() && interval[0] < interval[1]).then_some(interval)
}

/// An interval from quantiles of resamples; `None` if it has no width, as identical resamples carry no
/// information on the spread.
///
/// ```
/// assert_eq!(meeple_lab::resampled_interval([0.5, 0.5]), None);
/// ```
pub fn resampled_interval(ends: [f64; 2]) -> Option<[f64; 2]> {
    (ends[0] < ends[1]).then_some(ends)
}

/// Upper bound on the share of differing units after `units` identical ones: the upper end of Wilson's
/// interval for 0 successes.
fn unlike(units: u64) -> f64 {
    wilson_interval(0.0, units as f64)[1]
}

/// The interval of a mean over units with standard deviation `sd`; `None` for fewer than two units. If all
/// units were alike, a differing unit is assumed to deviate by `sd_single`, the standard deviation of single
/// values. The result is `None` if `sd_single` is 0, too.
pub(crate) fn mean_of_units(mean: f64, sd: f64, units: u64, sd_single: f64) -> Option<[f64; 2]> {
    if units < 2 {
        return None;
    }
    if sd > 0.0 {
        return mean_interval(mean, sd, units as f64);
    }
    around(mean, unlike(units) * sd_single)
}

/// Wilson's interval of a share with this variance between units. Its number of trials is that of independent
/// trials with equal variance. Student's quantile is used because the variance is an estimate. If all units
/// were alike, the interval bounds the share of differing units. Fewer than two units give `0..=1`.
pub(crate) fn share_of_units(share: f64, variance: f64, units: u64) -> [f64; 2] {
    if units < 2 {
        return [0.0, 1.0];
    }
    if share <= 0.0 || share >= 1.0 {
        return wilson_interval(share.clamp(0.0, 1.0), units as f64);
    }
    if variance <= 0.0 {
        return alike(share, units);
    }
    let n = units as f64;
    wilson(share, share * (1.0 - share) / (variance / n), t_quantile(units - 1))
}

/// The interval of a mean win share over units with this variance, clipped to `0..=1`. If all units were
/// alike, the interval bounds the share of differing units; fewer than two units give `0..=1`.
///
/// ```
/// let [low, high] = meeple_lab::win_share_of_units(1.0, 0.0, 24);
/// assert!((low - 0.862).abs() < 1e-3 && high == 1.0);
/// ```
pub fn win_share_of_units(mean: f64, variance: f64, units: u64) -> [f64; 2] {
    let spread = if variance > 0.0 { mean_interval(mean, variance.sqrt(), units as f64) } else { None };
    match spread {
        Some([low, high]) if units >= 2 && mean > 0.0 && mean < 1.0 => [low.max(0.0), high.min(1.0)],
        _ => share_of_units(mean, 0.0, units),
    }
}

fn alike(share: f64, units: u64) -> [f64; 2] {
    let unlike = unlike(units);
    [share * (1.0 - unlike), share + (1.0 - share) * unlike]
}
