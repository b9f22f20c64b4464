//! Tail probabilities under pure noise.

/// Probability that chi-squared with `degrees` degrees of freedom exceeds `value`, to about 10⁻¹³; 1 for 0
/// degrees.
///
/// This is the regularised incomplete gamma function Q(degrees / 2, value / 2) (Abramowitz and Stegun,
/// 26.4.19). It is computed by its series below the middle (6.5.29), and by its continued fraction above
/// (6.5.31).
///
/// ```
/// use meeple_arena::rating::chi_squared_above;
/// assert!((chi_squared_above(3.841_458_820_694_124, 1) - 0.05).abs() < 1e-12);
/// ```
pub fn chi_squared_above(value: f64, degrees: usize) -> f64 {
    let (shape, half) = (degrees as f64 / 2.0, value / 2.0);
    if degrees == 0 || half <= 0.0 {
        return 1.0;
    }
    let density = (shape * half.ln() - half - ln_gamma_of_half(degrees)).exp();
    if half < shape + 1.0 {
        return (1.0 - density * series(shape, half)).max(0.0);
    }
    density * fraction(shape, half)
}

/// ln Γ(n / 2), by recursion from Γ(1/2) = √π or Γ(1) = 1.
fn ln_gamma_of_half(n: usize) -> f64 {
    let (first, begin) = if n % 2 == 1 { (1, 0.5 * std::f64::consts::PI.ln()) } else { (2, 0.0) };
    (first..n).step_by(2).fold(begin, |sum, twice| sum + (twice as f64 / 2.0).ln())
}

/// Σ xⁿ / (a (a + 1) … (a + n)).
fn series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    let mut next = a;
    while term > f64::EPSILON * sum {
        next += 1.0;
        term *= x / next;
        sum += term;
    }
    sum
}

/// 1 / (x + 1 − a − 1 (1 − a) / (x + 3 − a − 2 (2 − a) / (x + 5 − a − …))), evaluated forwards (Lentz 1976).
fn fraction(a: f64, x: f64) -> f64 {
    let mut denominator = x + 1.0 - a;
    let (mut upper, mut lower) = (f64::INFINITY, 1.0 / denominator);
    let mut value = lower;
    for step in 1..1_000_000 {
        let step = f64::from(step);
        let numerator = -step * (step - a);
        denominator += 2.0;
        lower = 1.0 / (numerator * lower + denominator);
        upper = denominator + numerator / upper;
        let factor = upper * lower;
        value *= factor;
        if (factor - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}
