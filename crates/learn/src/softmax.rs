//! The softmax, with the same bits on every machine.

/// Minimum exponent: smaller ones count as this one, whose power is negligible.
const MIN_EXPONENT: f64 = -60.0;
/// Terms of the Taylor series; the rest is below the precision of `f64`.
const TERMS: u32 = 16;

/// Replaces `probabilities` by the softmax of `scores / temperature`, `[n_actions]`.
pub(crate) fn softmax(scores: &[f32], temperature: f32, probabilities: &mut Vec<f64>) {
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    probabilities.clear();
    probabilities.extend(scores.iter().map(|score| exp(f64::from(score - best) / f64::from(temperature))));
    let sum: f64 = probabilities.iter().sum();
    probabilities.iter_mut().for_each(|probability| *probability /= sum);
}

/// e to an exponent of at most 0. Libraries differ in the last bit; additions and multiplications do not.
fn exp(exponent: f64) -> f64 {
    let mut small = exponent.max(MIN_EXPONENT);
    let mut squarings = 0;
    while small < -0.5 {
        small /= 2.0;
        squarings += 1;
    }
    let mut sum = 1.0;
    for term in (1..=TERMS).rev() {
        sum = 1.0 + sum * small / f64::from(term);
    }
    (0..squarings).for_each(|_| sum *= sum);
    sum
}
