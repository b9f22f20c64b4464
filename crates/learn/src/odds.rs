//! Odds: how likely each of several things is, by numbers that stand for the logarithms of their odds.

/// Below this power of e nothing is told apart any more.
const LEAST: f64 = -60.0;
/// Terms of the series: what they leave out is below what a number of 64 bits tells apart.
const TERMS: u32 = 16;

/// Writes how likely each is: e to its score, over the sum of all.
pub(crate) fn softmax(scores: &[f32], temperature: f32, chances: &mut Vec<f64>) {
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    chances.clear();
    chances.extend(scores.iter().map(|score| exponential(f64::from(score - best) / f64::from(temperature))));
    let whole: f64 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= whole);
}

/// e to `power`, which is 0 or below, made of additions, multiplications and divisions alone, so that it is the same to the last
/// bit on every machine.
fn exponential(power: f64) -> f64 {
    let mut small = power.max(LEAST);
    let mut squares = 0;
    while small < -0.5 {
        small /= 2.0;
        squares += 1;
    }
    let mut sum = 1.0;
    for term in (1..=TERMS).rev() {
        sum = 1.0 + sum * small / f64::from(term);
    }
    (0..squares).for_each(|_| sum *= sum);
    sum
}
