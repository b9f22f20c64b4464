//! The likelihood of finishing orders under Plackett and Luce's model, with its derivatives.
//!
//! An order is built from the first place down: of those who are left, entrant i is next with probability
//! λᵢ / Σλ, where ln λᵢ = strength of the competitor + effect of the seat (Luce 1959, Plackett 1975). For two
//! entrants this is the model of Bradley and Terry (1952). A tie counts as the mean of the log-likelihoods of all
//! orders of the tied, which for two entrants is half a win each: exactly for up to [`EXACT_TIE`] tied
//! entrants, by Efron's approximation (1977) for more.
//!
//! A weak prior keeps everything finite: every competitor and every seat effect has played one game, of weight
//! `prior`, against a phantom of strength 0, half of it won.

use super::orders::{Orders, Pattern};

/// Most tied entrants whose orders are averaged one by one.
pub(super) const EXACT_TIE: usize = 5;

/// The parameters: strengths of the competitors, then effects of the seats, in log units.
pub(super) struct Model<'a> {
    pub orders: &'a Orders,
    /// Whether seats have effects.
    pub seats: bool,
    /// Weight of the prior game.
    pub prior: f64,
    /// The part of each parameter's prior game that is won; half, but in the bootstrap.
    pub won: Vec<f64>,
}

impl<'a> Model<'a> {
    pub fn new(orders: &'a Orders, seats: bool, prior: f64) -> Self {
        let size = orders.competitors + if seats { orders.seats } else { 0 };
        Self { orders, seats, prior, won: vec![0.5; size] }
    }

    /// Number of parameters.
    pub fn size(&self) -> usize {
        self.won.len()
    }

    /// How much each component of the gradient is summed up from: the choices that its parameter takes part in.
    pub fn weights(&self, counts: &[f64]) -> Vec<f64> {
        let mut weights = vec![self.prior; self.size()];
        for (pattern, count) in self.orders.patterns.iter().zip(counts) {
            let choices = pattern.entrants.len() as f64;
            for (competitor, seat) in &pattern.entrants {
                weights[usize::from(*competitor)] += count * choices;
                if self.seats {
                    weights[self.orders.competitors + usize::from(*seat)] += count * choices;
                }
            }
        }
        weights
    }

    /// The log-likelihood with prior, and its gradient, of orders that occur this often.
    pub fn gradient(&self, counts: &[f64], at: &[f64], gradient: &mut [f64]) -> f64 {
        let mut value = self.climb::<true>(counts, at, gradient);
        // The sum of the chosen log-strengths.
        for (pattern, count) in self.orders.patterns.iter().zip(counts) {
            for (competitor, seat) in &pattern.entrants {
                value += count * at[usize::from(*competitor)];
                if self.seats {
                    value += count * at[self.orders.competitors + usize::from(*seat)];
                }
            }
        }
        for (won, parameter) in self.won.iter().zip(at) {
            value -= self.prior * (won * softplus(-parameter) + (1.0 - won) * softplus(*parameter));
        }
        value
    }

    /// The gradient alone, which takes no logarithms.
    pub fn slope(&self, counts: &[f64], at: &[f64], gradient: &mut [f64]) {
        self.climb::<false>(counts, at, gradient);
    }

    /// The gradient, and if asked for what the choices' totals contribute to the value.
    fn climb<const VALUE: bool>(&self, counts: &[f64], at: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let lambda: Vec<f64> = at.iter().map(|value| value.exp()).collect();
        let mut value = 0.0;
        let mut work = Work::default();
        for (pattern, count) in self.orders.patterns.iter().zip(counts) {
            if *count == 0.0 {
                continue;
            }
            self.strengths(pattern, &lambda, &mut work.strengths);
            value += count * walk::<VALUE>(pattern, &mut work);
            for ((competitor, seat), slope) in pattern.entrants.iter().zip(&work.slopes) {
                gradient[usize::from(*competitor)] += count * slope;
                if self.seats {
                    gradient[self.orders.competitors + usize::from(*seat)] += count * slope;
                }
            }
        }
        for (index, parameter) in at.iter().enumerate() {
            gradient[index] += self.prior * (self.won[index] - logistic(*parameter));
        }
        value
    }

    /// The negative second derivatives, a symmetric matrix row by row. Without a prior it is made regular along
    /// the directions that the likelihood cannot see (all strengths, or all seat effects, moved alike).
    pub fn curvature(&self, counts: &[f64], at: &[f64]) -> Vec<f64> {
        let size = self.size();
        let lambda: Vec<f64> = at.iter().map(|value| value.exp()).collect();
        let mut matrix = vec![0.0; size * size];
        let mut strengths = Vec::new();
        for (pattern, count) in self.orders.patterns.iter().zip(counts) {
            if *count == 0.0 {
                continue;
            }
            self.strengths(pattern, &lambda, &mut strengths);
            for_each_choice(pattern, |weight, shares| {
                let total: f64 = shares.iter().zip(&strengths[..]).map(|(share, own)| share * own).sum();
                let part = |index: usize| shares[index] * strengths[index] / total;
                for (first, entrant) in pattern.entrants.iter().enumerate() {
                    let own = part(first);
                    if own == 0.0 {
                        continue;
                    }
                    self.add(&mut matrix, *entrant, *entrant, count * weight * own);
                    for (second, other) in pattern.entrants.iter().enumerate() {
                        self.add(&mut matrix, *entrant, *other, -count * weight * own * part(second));
                    }
                }
            });
        }
        for (index, parameter) in at.iter().enumerate() {
            let chance = logistic(*parameter);
            matrix[index * size + index] += self.prior * chance * (1.0 - chance);
        }
        if self.prior > 0.0 {
            return matrix;
        }
        let competitors = self.orders.competitors;
        for (begin, end) in [(0, competitors), (competitors, size)] {
            for row in begin..end {
                for column in begin..end {
                    matrix[row * size + column] += 1.0 / (end - begin) as f64;
                }
            }
        }
        matrix
    }

    fn add(&self, matrix: &mut [f64], row: (u16, u16), column: (u16, u16), value: f64) {
        let size = self.size();
        let competitors = self.orders.competitors;
        let indices = |entrant: (u16, u16)| [usize::from(entrant.0), competitors + usize::from(entrant.1)];
        let used = if self.seats { 2 } else { 1 };
        for row in &indices(row)[..used] {
            for column in &indices(column)[..used] {
                matrix[row * size + column] += value;
            }
        }
    }

    fn strengths(&self, pattern: &Pattern, lambda: &[f64], strengths: &mut Vec<f64>) {
        strengths.clear();
        strengths.extend(pattern.entrants.iter().map(|(competitor, seat)| {
            let own = lambda[usize::from(*competitor)];
            if self.seats { own * lambda[self.orders.competitors + usize::from(*seat)] } else { own }
        }));
    }
}

#[derive(Default)]
struct Work {
    strengths: Vec<f64>,
    slopes: Vec<f64>,
    below: Vec<f64>,
}

/// Minus the sum of the logarithms of the choices' totals, 0 if that is not asked for; `slopes` become the
/// derivatives of the log-likelihood by each entrant's log-strength. Linear in the number of entrants.
fn walk<const VALUE: bool>(pattern: &Pattern, work: &mut Work) -> f64 {
    let Work { strengths, slopes, below } = work;
    let blocks = &pattern.blocks;
    // Strength of all blocks after each.
    below.clear();
    below.resize(blocks.len(), 0.0);
    let mut end = strengths.len();
    let mut sum = 0.0;
    for (index, size) in blocks.iter().enumerate().rev() {
        below[index] = sum;
        let begin = end - usize::from(*size);
        sum += strengths[begin..end].iter().sum::<f64>();
        end = begin;
    }
    slopes.clear();
    slopes.resize(strengths.len(), 1.0);
    let mut value = 0.0;
    // Sum of weight / total over the choices so far: what everybody below loses by, per strength.
    let mut pressure = 0.0;
    let mut begin = 0;
    for (size, rest) in blocks.iter().zip(&*below) {
        let end = begin + usize::from(*size);
        let tied: f64 = strengths[begin..end].iter().sum();
        for index in begin..end {
            slopes[index] -= pressure * strengths[index];
        }
        if *size == 1 {
            // Nobody is tied, as nearly always: one choice.
            let total = rest + tied;
            value -= if VALUE { total.ln() } else { 0.0 };
            slopes[begin] -= tied / total;
            pressure += 1.0 / total;
            begin = end;
            continue;
        }
        let mut own_pressure = 0.0;
        block_choices(end - begin, |weight, left| {
            let total = rest
                + match left {
                    Left::Members(mask) => members(mask, begin).map(|index| strengths[index]).sum::<f64>(),
                    Left::Share(share) => share * tied,
                };
            value -= if VALUE { weight * total.ln() } else { 0.0 };
            own_pressure += weight / total;
            match left {
                Left::Members(mask) => {
                    for index in members(mask, begin) {
                        slopes[index] -= weight * strengths[index] / total;
                    }
                }
                Left::Share(share) => {
                    for index in begin..end {
                        slopes[index] -= weight * share * strengths[index] / total;
                    }
                }
            }
        });
        pressure += own_pressure;
        begin = end;
    }
    value
}

/// Who of a tied block is still to be chosen.
#[derive(Clone, Copy)]
enum Left {
    /// These members (bit i = member i).
    Members(u32),
    /// This share of every member (Efron).
    Share(f64),
}

fn members(mask: u32, begin: usize) -> impl Iterator<Item = usize> {
    (0..32).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| begin + bit)
}

/// The choices that fill a block of tied entrants: weight, and who of them is left.
fn block_choices(size: usize, mut each: impl FnMut(f64, Left)) {
    if size > EXACT_TIE {
        for chosen in 0..size {
            each(1.0, Left::Share(1.0 - chosen as f64 / size as f64));
        }
        return;
    }
    let all = (1u32 << size) - 1;
    for chosen in 0..all {
        // In an average over all orders, each set of this many is the one chosen before equally often.
        each(1.0 / binomial(size as u32, chosen.count_ones()), Left::Members(all & !chosen));
    }
}

/// Every choice of an order as weight and share of each entrant that takes part in it.
fn for_each_choice(pattern: &Pattern, mut each: impl FnMut(f64, &[f64])) {
    let mut shares = vec![1.0; pattern.entrants.len()];
    let mut begin = 0;
    for size in &pattern.blocks {
        let end = begin + usize::from(*size);
        block_choices(end - begin, |weight, left| {
            match left {
                Left::Members(mask) => {
                    shares[begin..end].fill(0.0);
                    for index in members(mask, begin) {
                        shares[index] = 1.0;
                    }
                }
                Left::Share(share) => shares[begin..end].fill(share),
            }
            each(weight, &shares);
        });
        shares[begin..end].fill(0.0);
        begin = end;
    }
}

fn binomial(n: u32, k: u32) -> f64 {
    (0..k).map(|step| f64::from(n - step) / f64::from(step + 1)).product()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
