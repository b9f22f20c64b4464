//! Rock, paper, scissors: what of the results no single number per competitor can express.
//!
//! The log-odds of every pair are a flow on the graph of who met whom. Its part that comes from potentials
//! (ratings) is the weighted least-squares fit; what is left runs in cycles (HodgeRank: Jiang, Lim, Yao and Ye
//! 2011). The measure is the share of the cycles in the whole flow.

use serde::Serialize;

use super::fit::Cholesky;
use super::matchups::Matchups;
use super::tails::chi_squared_above;

/// How cyclic the results are.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cycles {
    /// Share of the cyclic part in the squared flow, weighted by precision: 0 if ratings say everything, 1 if
    /// they say nothing. Noise alone makes it positive.
    pub share: f64,
    /// The same with what noise alone would give taken off both parts.
    pub share_beyond_noise: f64,
    /// Chance of a cyclic part at least this large if ratings said everything.
    pub p_value: f64,
    /// Pairs beyond those that ratings can always fit; with 0 there is nothing to measure.
    pub degrees: usize,
    /// The clearest cycle of three, if there is one.
    pub clearest: Option<Cycle>,
}

/// Three competitors, each better than the next and the last better than the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cycle {
    /// Their indices.
    pub competitors: [usize; 3],
    /// Share of each against the next.
    pub shares: [f64; 3],
}

struct Edge {
    low: usize,
    high: usize,
    flow: f64,
    weight: f64,
}

/// Measures the cycles. `None` if no two competitors met.
pub fn cycles(matchups: &Matchups) -> Option<Cycles> {
    let size = matchups.competitors();
    let mut edges = Vec::new();
    let mut share_of = vec![f64::NAN; size * size];
    for low in 0..size {
        for high in low + 1..size {
            let Some(pair) = matchups.of(low, high) else { continue };
            share_of[low * size + high] = pair.share;
            share_of[high * size + low] = 1.0 - pair.share;
            // Moved by half a duel towards the middle, so that the odds of a clean sheet are finite.
            let episodes = pair.episodes as f64;
            let moved = (pair.share * episodes + 0.5) / (episodes + 1.0);
            let slope = moved * (1.0 - moved);
            let error = pair.share_error / slope;
            edges.push(Edge { low, high, flow: (moved / (1.0 - moved)).ln(), weight: 1.0 / (error * error) });
        }
    }
    if edges.is_empty() {
        return None;
    }
    let potentials = potentials(size, &edges);
    let (mut total, mut rest) = (0.0, 0.0);
    for edge in &edges {
        let left = edge.flow - (potentials[edge.low] - potentials[edge.high]);
        total += edge.weight * edge.flow * edge.flow;
        rest += edge.weight * left * left;
    }
    let fitted = size - components(size, &edges);
    let degrees = edges.len() - fitted;
    let share = if total > 0.0 && degrees > 0 { (rest / total).clamp(0.0, 1.0) } else { 0.0 };
    let excess = (rest - degrees as f64).max(0.0);
    let ranked = (total - rest - fitted as f64).max(0.0);
    Some(Cycles {
        share,
        share_beyond_noise: if excess > 0.0 && degrees > 0 { excess / (excess + ranked) } else { 0.0 },
        p_value: chi_squared_above(rest, degrees),
        degrees,
        clearest: clearest(size, &share_of),
    })
}

/// The potentials whose differences fit the flow best.
fn potentials(size: usize, edges: &[Edge]) -> Vec<f64> {
    let scale = edges.iter().map(|edge| edge.weight).sum::<f64>() / edges.len() as f64;
    let mut matrix = vec![0.0; size * size];
    let mut side = vec![0.0; size];
    for edge in edges {
        let weight = edge.weight / scale;
        matrix[edge.low * size + edge.low] += weight;
        matrix[edge.high * size + edge.high] += weight;
        matrix[edge.low * size + edge.high] -= weight;
        matrix[edge.high * size + edge.low] -= weight;
        side[edge.low] += weight * edge.flow;
        side[edge.high] -= weight * edge.flow;
    }
    for index in 0..size {
        // Only differences count; a crumb on the diagonal makes the solution one.
        matrix[index * size + index] += 1e-9;
    }
    match Cholesky::new(matrix) {
        Some(factor) => factor.solve(&mut side),
        None => side.fill(0.0),
    }
    side
}

fn components(size: usize, edges: &[Edge]) -> usize {
    let mut label: Vec<usize> = (0..size).collect();
    for edge in edges {
        let (old, new) = (label[edge.high], label[edge.low]);
        for own in &mut label {
            if *own == old {
                *own = new;
            }
        }
    }
    label.sort_unstable();
    label.dedup();
    label.len()
}

fn clearest(size: usize, share_of: &[f64]) -> Option<Cycle> {
    let share = |row: usize, column: usize| share_of[row * size + column];
    let mut best: Option<(f64, Cycle)> = None;
    for first in 0..size {
        for second in first + 1..size {
            for third in second + 1..size {
                for competitors in [[first, second, third], [first, third, second]] {
                    let [a, b, c] = competitors;
                    let shares = [share(a, b), share(b, c), share(c, a)];
                    let least = shares.iter().copied().fold(1.0, f64::min);
                    // Pairs that never met are not a number, which no comparison likes.
                    if shares.iter().all(|share| *share > 0.5)
                        && best.as_ref().is_none_or(|(clear, _)| least > *clear)
                    {
                        best = Some((least, Cycle { competitors, shares }));
                    }
                }
            }
        }
    }
    best.map(|(_, cycle)| cycle)
}
