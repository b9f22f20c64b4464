//! 95 % intervals.

/// The 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval (1927) for a share of which `share` was seen in `n` independent trials.
///
/// It stays inside 0..=1 and has a width also where nothing or everything was a success. `n` need not be
/// whole: it may be the number of independent trials that dependent ones are worth.
///
/// ```
/// let [low, high] = meeple_lab::wilson_interval(0.5, 10.0);
/// assert!((low - 0.2366).abs() < 1e-4 && (high - 0.7634).abs() < 1e-4);
/// ```
pub fn wilson_interval(share: f64, n: f64) -> [f64; 2] {
    let z2 = Z * Z;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends the two terms cancel exactly in theory; rounding must not leave a crumb.
    let low = if share <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (centre + half).min(1.0) };
    [low, high]
}

/// The normal interval of a mean with this standard deviation (of one sample) over `n` samples.
pub fn mean_interval(mean: f64, sd: f64, n: f64) -> [f64; 2] {
    let half = Z * sd / n.sqrt();
    [mean - half, mean + half]
}
