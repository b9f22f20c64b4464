//! Alpha-rank: how long a population that mutants invade spends with each strategy.

use crate::square::Square;

/// The stationary distribution of alpha-rank in one population (Omidshafiei et al. 2019): a single mutant r in a population of
/// `population` players of s takes it over with probability (1 - e^-ad) / (1 - e^-mad), where d is what r wins of s; every
/// other strategy comes up as mutant equally often.
///
/// The shares are exact to rounding for any `alpha`: the chain is reduced state by state without subtractions (Grassmann,
/// Taksar and Heyman 1985), on probabilities that are scaled by their greatest.
///
/// # Panics
/// If there is no strategy, or the population has fewer than two players.
pub fn alpha_rank(margins: &Square, alpha: f64, population: u32) -> Vec<f64> {
    let size = margins.size();
    assert!(size > 0 && population > 1, "a strategy and a population of two at least");
    let mut rates = Square::new(size);
    for resident in 0..size {
        for mutant in (0..size).filter(|mutant| *mutant != resident) {
            let rate = takes_over(alpha * margins.at(mutant, resident), f64::from(population));
            // Of what is impossible to rounding there is still a way back.
            rates.set(resident, mutant, rate.max(1e-290));
        }
    }
    let mut shares = vec![1.0; size];
    for last in (1..size).rev() {
        let out: f64 = (0..last).map(|to| rates.at(last, to)).sum();
        for from in 0..last {
            let step = rates.at(from, last) / out;
            rates.set(from, last, step);
            for to in (0..last).filter(|to| *to != from) {
                rates.set(from, to, rates.at(from, to) + step * rates.at(last, to));
            }
        }
    }
    for state in 1..size {
        shares[state] = (0..state).map(|from| shares[from] * rates.at(from, state)).sum();
        // Only ratios count; keep them within what a double can hold.
        let most = shares[..=state].iter().copied().fold(0.0, f64::max);
        if most > 1e100 {
            shares[..=state].iter_mut().for_each(|share| *share /= most);
        }
    }
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// (1 - e^-x) / (1 - e^-mx), which is 1/m at 0.
fn takes_over(x: f64, m: f64) -> f64 {
    if x == 0.0 {
        1.0 / m
    } else if x > 0.0 {
        (-x).exp_m1() / (-m * x).exp_m1()
    } else {
        // Both grow without bounds; taken out: e^((m-1)x) (1 - e^x) / (1 - e^mx).
        ((m - 1.0) * x).exp() * x.exp_m1() / (m * x).exp_m1()
    }
}

/// Alpha-rank where selection is so strong that more of it changes nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct AlphaRank {
    /// The strength of selection from which on the shares stay.
    pub alpha: f64,
    /// The shares there.
    pub shares: Vec<f64>,
}

/// Shares that move by less than this do not move.
const STILL: f64 = 1e-6;
/// Times that alpha is doubled at most.
const DOUBLINGS: usize = 24;

/// Doubles alpha, from one at which the greatest margin is next to nothing, until the shares stay. Margins that are too small
/// for it (near ties) are decided at the last.
pub fn alpha_rank_limit(margins: &Square, population: u32) -> AlphaRank {
    let scale = margins.scale();
    let mut alpha = if scale > 0.0 { 0.01 / scale } else { 1.0 };
    let mut shares = alpha_rank(margins, alpha, population);
    let mut still = 0;
    for _ in 0..DOUBLINGS {
        let next = alpha_rank(margins, 2.0 * alpha, population);
        let moved = next.iter().zip(&shares).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        still = if moved < STILL { still + 1 } else { 0 };
        if still == 3 {
            break;
        }
        (alpha, shares) = (2.0 * alpha, next);
    }
    AlphaRank { alpha, shares }
}
