//! Alpha-rank: the share of time for which a population under invading mutants has each strategy.

use crate::square::Square;

/// The stationary distribution of alpha-rank in one population (Omidshafiei et al. 2019). A single mutant of
/// another strategy, each equally likely, takes over with probability (1 - e^-ad) / (1 - e^-mad). Here d is
/// the mutant's margin, a is `alpha`, and m is the size of the population.
///
/// The shares are exact up to rounding for any `alpha`. States are eliminated without subtractions
/// (Grassmann, Taksar and Heyman 1985), and weights are rescaled against overflow.
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
            // A positive floor keeps the chain irreducible if the rate underflows.
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
        // Only ratios matter; rescaling keeps them within the range of a double.
        let most = shares[..=state].iter().copied().fold(0.0, f64::max);
        if most > 1e100 {
            shares[..=state].iter_mut().for_each(|share| *share /= most);
        }
    }
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// Fixation probability (1 - e^-x) / (1 - e^-mx); at x = 0 it is 1/m.
fn takes_over(x: f64, m: f64) -> f64 {
    if x == 0.0 {
        1.0 / m
    } else if x > 0.0 {
        (-x).exp_m1() / (-m * x).exp_m1()
    } else {
        // Stable form for x < 0, where both terms overflow: e^((m-1)x) (1 - e^x) / (1 - e^mx).
        ((m - 1.0) * x).exp() * x.exp_m1() / (m * x).exp_m1()
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct AlphaRank {
    pub alpha: f64,
    pub shares: Vec<f64>,
}

/// Changes of shares below this value count as none.
const STILL: f64 = 1e-6;
const DOUBLINGS: usize = 24;

/// Doubles alpha until the shares are stable, starting where the largest margin has almost no effect. Margins
/// too small for stability (near ties) are decided by the last alpha.
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
