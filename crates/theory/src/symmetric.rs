//! Symmetric equilibria for any number of players.

use crate::linear::solve;
use crate::replicator::replicate;
use crate::square::Square;
use crate::table_game::TableGame;

/// A symmetric equilibrium: all players mix with the same shares, and no deviation increases the pay-off.
#[derive(Clone, PartialEq, Debug)]
pub struct Symmetric {
    pub shares: Vec<f64>,
    pub pay_offs: Vec<f64>,
    pub gain: f64,
}

/// Gains below this threshold count as none. It is relative to the largest pay-off in comparisons of
/// candidates, and absolute where a search stops.
const NONE: f64 = 1e-9;

/// The end of the logit path from uniform random play (McKelvey and Palfrey 1995); other equilibria may
/// exist. If this end is no equilibrium, also tries the end of the replicator dynamics and the pure
/// strategies, and returns the best. All candidates are refined by Newton's method. There is always a result,
/// and `gain` measures its quality.
pub fn symmetric_equilibrium(game: &TableGame) -> Symmetric {
    let n = game.strategies();
    let mut ends = vec![logit(game), replicate(game, &vec![1.0 / n as f64; n]).shares];
    ends.extend((0..n).map(|own| (0..n).map(|index| f64::from(u8::from(index == own))).collect()));
    let mut best: Option<Symmetric> = None;
    for end in ends {
        for candidate in [Some(of(game, end.clone())), exact(game, &end)].into_iter().flatten() {
            let limit =
                NONE * candidate.pay_offs.iter().fold(1e-300, |most: f64, pay_off| most.max(pay_off.abs()));
            if best.as_ref().is_none_or(|best| candidate.gain < best.gain - limit) {
                best = Some(candidate);
            }
        }
        if best.as_ref().is_some_and(|best| best.gain <= NONE) {
            break;
        }
    }
    best.expect("there are ends")
}

fn of(game: &TableGame, shares: Vec<f64>) -> Symmetric {
    let mut pay_offs = vec![0.0; shares.len()];
    game.against(&shares, &mut pay_offs);
    let mean: f64 = pay_offs.iter().zip(&shares).map(|(pay_off, share)| pay_off * share).sum();
    let gain = pay_offs.iter().copied().fold(f64::NEG_INFINITY, f64::max) - mean;
    Symmetric { shares, pay_offs, gain: gain.max(0.0) }
}

/// The end of the logit path, where shares are proportional to e^(lambda pay-off). Newton's method solves for
/// the logarithms of the shares.
fn logit(game: &TableGame) -> Vec<f64> {
    let n = game.strategies();
    let mut shares = vec![1.0 / n as f64; n];
    let mut pay_offs = vec![0.0; n];
    game.against(&shares, &mut pay_offs);
    let spread = |pay_offs: &[f64]| {
        let most = pay_offs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most - pay_offs.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let scale = spread(&pay_offs).max(1e-12);
    let (mut lambda, mut growth) = (0.1 / scale, 1.3);
    let (mut at, mut logs): (f64, Vec<f64>) = (0.0, shares.iter().map(|share: &f64| share.ln()).collect());
    while lambda < 1e7 / scale && growth > 1.0005 {
        match corrected(game, &logs, lambda) {
            Some(next) => {
                (at, logs) = (lambda, next);
                shares = normalised(&logs);
                growth = f64::min(growth * 1.2 - 0.2, 1.5).max(1.001);
                if of(game, shares.clone()).gain < 1e-7 * scale {
                    break;
                }
            }
            None => growth = 1.0 + (growth - 1.0) / 4.0,
        }
        lambda = if at > 0.0 { at * growth } else { lambda / 2.0 };
        if at == 0.0 && lambda < 1e-9 / scale {
            break;
        }
    }
    shares
}

fn normalised(logs: &[f64]) -> Vec<f64> {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

/// Log shares of the logit equilibrium at this lambda, near the given ones. `None` if Newton's method does
/// not converge.
fn corrected(game: &TableGame, logs: &[f64], lambda: f64) -> Option<Vec<f64>> {
    let n = logs.len();
    let mut logs = logs.to_vec();
    let mut pay_offs = vec![0.0; n];
    let mut last = f64::INFINITY;
    for _ in 0..30 {
        let shares = normalised(&logs);
        game.against(&shares, &mut pay_offs);
        // Lambda times the pay-offs, minus the normalising constant.
        let answer = normalised(&pay_offs.iter().map(|pay_off| lambda * pay_off).collect::<Vec<_>>());
        let own: Vec<f64> = shares.iter().map(|share| share.max(1e-300).ln()).collect();
        let wrong: Vec<f64> =
            answer.iter().zip(&own).map(|(answer, own)| answer.max(1e-300).ln() - own).collect();
        let most =
            wrong.iter().zip(&shares).map(|(wrong, share)| wrong.abs() * (share + 1e-3)).fold(0.0, f64::max);
        if most < 1e-10 {
            return Some(logs);
        }
        if most > 4.0 * last {
            return None;
        }
        last = most.min(last);
        // d answer_i / d log_j = lambda (S_ij - sum_k answer_k S_kj) with S_ij = slope_ij share_j, up to a
        // constant sum.
        let slopes = game.slopes(&shares);
        let mut matrix = Square::new(n);
        for column in 0..n {
            let mut along = vec![0.0; n];
            for (row, along) in along.iter_mut().enumerate() {
                let mean: f64 = (0..n).map(|other| slopes.at(row, other) * shares[other]).sum();
                *along = (slopes.at(row, column) - mean) * shares[column];
            }
            let mean: f64 = along.iter().zip(&answer).map(|(along, answer)| along * answer).sum();
            for (row, along) in along.iter().enumerate() {
                let own = f64::from(u8::from(row == column)) - shares[column];
                matrix.set(row, column, own - lambda * (along - mean));
            }
        }
        // Fixes the common factor of the shares. Without this the matrix is singular.
        for column in 0..n {
            for row in 0..n {
                matrix.set(row, column, matrix.at(row, column) + 1.0 / n as f64);
            }
        }
        let step = solve(matrix, wrong)?;
        let most = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
        let length = if most > 3.0 { 3.0 / most } else { 1.0 };
        logs = own.iter().zip(&step).map(|(own, step)| own + length * step).collect();
    }
    None
}

/// The equilibrium near `near`, by Newton's method. Strategies with negative shares leave the support, and
/// profitable deviations enter it. `None` without convergence.
fn exact(game: &TableGame, near: &[f64]) -> Option<Symmetric> {
    let n = near.len();
    let mut support: Vec<usize> = (0..n).filter(|index| near[*index] > 1e-4).collect();
    let mut shares = near.to_vec();
    for _ in 0..2 * n {
        shares = balanced(game, &shares, &support)?;
        let lost = support.iter().position(|index| shares[*index] < 0.0);
        if let Some(lost) = lost {
            shares[support.remove(lost)] = 0.0;
            let total: f64 = shares.iter().map(|share| share.max(0.0)).sum();
            shares.iter_mut().for_each(|share| *share = share.max(0.0) / total);
            if support.is_empty() {
                return None;
            }
            continue;
        }
        let found = of(game, shares.clone());
        let best = (0..n).max_by(|a, b| found.pay_offs[*a].total_cmp(&found.pay_offs[*b]))?;
        if support.contains(&best) || found.gain <= NONE {
            return Some(found);
        }
        support.push(best);
        support.sort_unstable();
        shares.iter_mut().for_each(|share| *share *= 0.99);
        shares[best] += 0.01;
    }
    None
}

/// Shares on `support` for which all of its strategies have equal pay-offs. `None` without convergence.
fn balanced(game: &TableGame, near: &[f64], support: &[usize]) -> Option<Vec<f64>> {
    let (n, count) = (near.len(), support.len());
    let mut shares: Vec<f64> =
        (0..n).map(|index| if support.contains(&index) { near[index] } else { 0.0 }).collect();
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    let mut pay_offs = vec![0.0; n];
    for _ in 0..50 {
        game.against(&shares, &mut pay_offs);
        let slopes = game.slopes(&shares);
        // Each pay-off equals the last one, and the steps sum to 0.
        let last = support[count - 1];
        let mut matrix = Square::new(count);
        let mut side = vec![0.0; count];
        for (row, own) in support[..count - 1].iter().enumerate() {
            for (column, by) in support.iter().enumerate() {
                matrix.set(row, column, slopes.at(*own, *by) - slopes.at(last, *by));
            }
            side[row] = pay_offs[last] - pay_offs[*own];
        }
        for column in 0..count {
            matrix.set(count - 1, column, 1.0);
        }
        let step = solve(matrix, side)?;
        support.iter().zip(&step).for_each(|(index, step)| shares[*index] += step);
        let most = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
        if most < 1e-14 {
            return Some(shares);
        }
        if most > 1e3 {
            return None;
        }
        if most < 1e-10 {
            // The steps have converged up to rounding.
            return Some(shares);
        }
    }
    None
}
