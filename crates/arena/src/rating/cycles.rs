//! Intransitivity (rock, paper, scissors): the part of the results that ratings cannot express.
//!
//! The log-odds of all pairs are a flow on the graph of pairings. Its gradient part (ratings) is the weighted
//! least-squares fit; the remainder is cyclic (HodgeRank: Jiang, Lim, Yao and Ye 2011). The measure is the
//! share of the cyclic part in the squared flow.

use serde::Serialize;

use super::fit::Cholesky;
use super::matchups::Matchups;
use super::tails::chi_squared_above;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingCycles {
    /// Share of the cyclic part in the squared flow, weighted by precision: 0 if ratings explain everything,
    /// 1 if nothing. Noise alone makes it positive.
    pub share: f64,
    /// The cyclic share after subtracting the expected noise from both parts.
    pub share_beyond_noise: f64,
    /// p-value: probability of a cyclic part at least this large under a pure rating model.
    pub p_value: f64,
    /// Degrees of freedom: number of pairs beyond those that ratings fit exactly. With 0 there is nothing to
    /// measure.
    pub degrees: usize,
    pub clearest: Option<Cycle>,
}

/// A 3-cycle: each competitor beats the next, and the last one the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cycle {
    /// Indices in cyclic order.
    pub competitors: [usize; 3],
    /// Win share of each against the next.
    pub shares: [f64; 3],
}

struct Edge {
    low: usize,
    high: usize,
    flow: f64,
    weight: f64,
}

/// Measures the cycles; returns `None` if no two competitors met.
pub fn cycles(matchups: &Matchups) -> Option<RatingCycles> {
    let size = matchups.competitors();
    let mut edges = Vec::new();
    let mut beaten = Vec::new();
    for low in 0..size {
        for high in low + 1..size {
            let Some(pair) = matchups.of(low, high) else { continue };
            let (share, against) = (pair.share, 1.0 - pair.share);
            beaten.extend((share > 0.5).then_some(Beaten { share, by: low, who: high }));
            beaten.extend((against > 0.5).then_some(Beaten { share: against, by: high, who: low }));
            // Shrunk towards 1/2 by one more, tied duel, so that the odds stay finite if one side won
            // everything.
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
    Some(RatingCycles {
        share,
        share_beyond_noise: if excess > 0.0 && degrees > 0 { excess / (excess + ranked) } else { 0.0 },
        p_value: chi_squared_above(rest, degrees),
        degrees,
        clearest: clearest(size, beaten, matchups),
    })
}

/// The potentials whose differences fit the flow best (weighted least squares).
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
        // Only differences are determined; a small diagonal term makes the solution unique.
        matrix[index * size + index] += 1e-9;
    }
    match Cholesky::new(matrix) {
        Some(factor) => factor.solve(&mut side),
        None => side.fill(0.0),
    }
    side
}

fn components(size: usize, edges: &[Edge]) -> usize {
    let mut above: Vec<usize> = (0..size).collect();
    let mut groups = size;
    for edge in edges {
        let (low, high) = (top(&mut above, edge.low), top(&mut above, edge.high));
        if low != high {
            above[high] = low;
            groups -= 1;
        }
    }
    groups
}

/// The representative of a competitor's component (union-find).
fn top(above: &mut [usize], mut own: usize) -> usize {
    while above[own] != own {
        above[own] = above[above[own]];
        own = above[own];
    }
    own
}

struct Beaten {
    share: f64,
    by: usize,
    who: usize,
}

/// Dominance relation as bit sets by competitor.
struct Beats {
    words: usize,
    beats: Vec<u64>,
    beaten_by: Vec<u64>,
}

impl Beats {
    fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self { words, beats: vec![0; size * words], beaten_by: vec![0; size * words] }
    }

    fn add(&mut self, own: &Beaten) {
        self.beats[own.by * self.words + own.who / 64] |= 1 << (own.who % 64);
        self.beaten_by[own.who * self.words + own.by / 64] |= 1 << (own.by % 64);
    }

    fn has(&self, by: usize, who: usize) -> bool {
        self.beats[by * self.words + who / 64] >> (who % 64) & 1 == 1
    }

    /// Competitors beaten by `who` that beat `by`, in words of 64 bits: they close a 3-cycle.
    fn closing(&self, by: usize, who: usize) -> impl Iterator<Item = u64> {
        let beaten = &self.beats[who * self.words..][..self.words];
        let beating = &self.beaten_by[by * self.words..][..self.words];
        beaten.iter().zip(beating).map(|(beaten, beating)| beaten & beating)
    }

    fn first_closing(&self, by: usize, who: usize, least: usize) -> Option<usize> {
        let mut words = (0..).zip(self.closing(by, who)).skip(least / 64);
        words.find_map(|(word, bits)| {
            let above = if word == least / 64 { !0 << (least % 64) << 1 } else { !0 };
            let bits: u64 = bits & above;
            (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize)
        })
    }
}

/// The cycle with the largest minimum share; among equal ones, that with the lowest indices. Results are
/// added in descending order of share until three form a cycle: O(pairs · competitors / 64).
fn clearest(size: usize, mut beaten: Vec<Beaten>, matchups: &Matchups) -> Option<Cycle> {
    beaten.sort_by(|a, b| b.share.total_cmp(&a.share));
    let mut beats = Beats::new(size);
    beaten.chunk_by(|a, b| a.share == b.share).find(|equal| {
        equal.iter().for_each(|own| beats.add(own));
        equal.iter().any(|own| beats.closing(own.by, own.who).any(|bits| bits != 0))
    })?;
    let pairs = (0..size).flat_map(|first| (first + 1..size).map(move |second| (first, second)));
    let competitors = pairs.into_iter().find_map(|(first, second)| {
        if beats.has(first, second) {
            beats.first_closing(first, second, second).map(|third| [first, second, third])
        } else if beats.has(second, first) {
            beats.first_closing(second, first, second).map(|third| [first, third, second])
        } else {
            None
        }
    })?;
    let [a, b, c] = competitors;
    let share = |own: usize, other: usize| matchups.of(own, other).map_or(f64::NAN, |pair| pair.share);
    Some(Cycle { competitors, shares: [share(a, b), share(b, c), share(c, a)] })
}
