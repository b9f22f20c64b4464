//! The Plackett-Luce likelihood of finishing orders, with its derivatives.
//!
//! An order is built from the first place down. Entrant i is next with probability λᵢ / Σλ over the remaining
//! entrants (Luce 1959, Plackett 1975). Here ln λᵢ is the strength of the competitor plus the effect of the
//! seat. For two entrants this is the model of Bradley and Terry (1952). A tie counts as the mean
//! log-likelihood over all orders of the tied, which for two entrants is half a win each. It is exact for up
//! to [`EXACT_TIE`] tied entrants, and uses Efron's approximation (1977) for more.
//!
//! A weak prior keeps everything finite. Every competitor and every seat effect has played one game against a
//! phantom of strength 0, half of it won. The game has the weight `prior`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::orders::{Orders, Pattern};

/// Largest number of tied entrants whose orders are averaged exactly.
pub(super) const EXACT_TIE: usize = 5;

/// The model; its parameters are the strengths of the competitors, then the seat effects, in log units.
///
/// Orders of two entrants have a closed form and are aggregated by pairing and seats, regardless of result.
pub(super) struct Model<'a> {
    pub orders: &'a Orders,
    pub seats: bool,
    pub prior: f64,
    duels: Vec<Duel>,
    tables: Vec<u32>,
    /// By pattern.
    kinds: Vec<PatternKind>,
    /// Number of entrants of all duels and tables.
    entrants: usize,
    /// Operations so far, over all threads.
    work: AtomicU64,
}

/// A pair of entrants: competitor and seat of each, the lower first.
#[derive(Clone, Copy)]
struct Duel([(u16, u16); 2]);

#[derive(Clone, Copy)]
enum PatternKind {
    /// The index of the duel, and the share won by its first entrant.
    Duel(u32, f64),
    /// The index into `tables`.
    Table(u32),
}

/// Counts of the patterns in the episodes or in a resample.
#[derive(Clone, Default)]
pub(super) struct Sample {
    /// By duel: its count, and wins of the first entrant with ties as halves.
    duels: Vec<[f64; 2]>,
    tables: Vec<f64>,
    /// Won share of each parameter's prior game; half, except in the bootstrap.
    pub won: Vec<f64>,
}

impl<'a> Model<'a> {
    pub fn new(orders: &'a Orders, seats: bool, prior: f64) -> Self {
        let (mut duels, mut tables) = (Vec::new(), Vec::new());
        let mut known = BTreeMap::new();
        let mut kind = |(index, pattern): (usize, &Pattern)| {
            let &[best, second] = &pattern.entrants[..] else {
                tables.push(index as u32);
                return PatternKind::Table(tables.len() as u32 - 1);
            };
            let pair = [best.min(second), best.max(second)];
            let duel = *known.entry(pair).or_insert_with(|| {
                duels.push(Duel(pair));
                duels.len() as u32 - 1
            });
            let tied = pattern.blocks.len() == 1;
            PatternKind::Duel(duel, if tied { 0.5 } else { f64::from(best == pair[0]) })
        };
        let kinds = orders.patterns.iter().enumerate().map(&mut kind).collect();
        let seated = |pattern: &u32| orders.patterns[*pattern as usize].entrants.len();
        let entrants = 2 * duels.len() + tables.iter().map(seated).sum::<usize>();
        Self { orders, seats, prior, duels, tables, kinds, entrants, work: AtomicU64::new(0) }
    }

    /// Operations so far: entrants visited in each pass over the orders, and operations on matrices.
    pub fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    pub fn count_work(&self, work: u64) {
        self.work.fetch_add(work, Ordering::Relaxed);
    }

    fn count_pass(&self) {
        self.count_work(self.entrants as u64);
    }

    pub fn size(&self) -> usize {
        self.orders.competitors + if self.seats { self.orders.seats } else { 0 }
    }

    /// The sample of all episodes, with half of every prior game won.
    pub fn sample(&self) -> Sample {
        let mut sample = Sample::default();
        self.recount(&mut sample, &self.orders.counts());
        sample.won = vec![0.5; self.size()];
        sample
    }

    /// Recounts a sample from the counts of patterns.
    pub fn recount(&self, sample: &mut Sample, counts: &[f64]) {
        sample.duels.clear();
        sample.duels.resize(self.duels.len(), [0.0; 2]);
        sample.tables.clear();
        sample.tables.resize(self.tables.len(), 0.0);
        for (kind, count) in self.kinds.iter().zip(counts) {
            match *kind {
                PatternKind::Duel(duel, won) => {
                    let [played, first] = &mut sample.duels[duel as usize];
                    *played += count;
                    *first += count * won;
                }
                PatternKind::Table(table) => sample.tables[table as usize] = *count,
            }
        }
    }

    /// The patterns of more than two entrants with nonzero counts.
    fn tables<'s>(&'s self, sample: &'s Sample) -> impl Iterator<Item = (&'s Pattern, f64)> {
        let all = self.tables.iter().zip(&sample.tables).filter(|(_, count)| **count != 0.0);
        all.map(|(pattern, count)| (&self.orders.patterns[*pattern as usize], *count))
    }

    fn add_to(&self, sums: &mut [f64], (competitor, seat): (u16, u16), value: f64) {
        sums[usize::from(competitor)] += value;
        if self.seats {
            sums[self.orders.competitors + usize::from(seat)] += value;
        }
    }

    /// The parameters (or their exponentials) of a competitor and its seat, combined by `join`.
    fn joined(&self, of: &[f64], (competitor, seat): (u16, u16), join: impl Fn(f64, f64) -> f64) -> f64 {
        let own = of[usize::from(competitor)];
        if self.seats { join(own, of[self.orders.competitors + usize::from(seat)]) } else { own }
    }

    /// Magnitude of each gradient component's summands: the number of choices of its parameter.
    pub fn weights(&self, sample: &Sample) -> Vec<f64> {
        let mut weights = vec![self.prior; self.size()];
        for (duel, [played, _]) in self.duels.iter().zip(&sample.duels) {
            duel.0.iter().for_each(|entrant| self.add_to(&mut weights, *entrant, played * 2.0));
        }
        for (pattern, count) in self.tables(sample) {
            let choices = pattern.entrants.len() as f64;
            pattern.entrants.iter().for_each(|entrant| self.add_to(&mut weights, *entrant, count * choices));
        }
        weights
    }

    /// Sets the gradient and returns the log-likelihood; both include the prior.
    pub fn gradient(&self, sample: &Sample, at: &[f64], gradient: &mut [f64]) -> f64 {
        let mut value = self.climb::<true>(sample, at, gradient);
        // Sum of the log strengths of all choices.
        for (pattern, count) in self.tables(sample) {
            for entrant in &pattern.entrants {
                value += count * self.joined(at, *entrant, |own, seat| own + seat);
            }
        }
        for (Duel([first, second]), [played, won]) in self.duels.iter().zip(&sample.duels) {
            value += won * self.joined(at, *first, |own, seat| own + seat);
            value += (played - won) * self.joined(at, *second, |own, seat| own + seat);
        }
        for (won, parameter) in sample.won.iter().zip(at) {
            value -= self.prior * (won * softplus(-parameter) + (1.0 - won) * softplus(*parameter));
        }
        value
    }

    /// Computes the gradient alone, without logarithms.
    pub fn slope(&self, sample: &Sample, at: &[f64], gradient: &mut [f64]) {
        self.climb::<false>(sample, at, gradient);
    }

    /// Computes the gradient, and with `VALUE` returns the contribution of the choices' totals to the value.
    fn climb<const VALUE: bool>(&self, sample: &Sample, at: &[f64], gradient: &mut [f64]) -> f64 {
        self.count_pass();
        gradient.fill(0.0);
        let lambda: Vec<f64> = at.iter().map(|value| value.exp()).collect();
        let mut value = 0.0;
        for (Duel([first, second]), [played, won]) in self.duels.iter().zip(&sample.duels) {
            let own = self.joined(&lambda, *first, |own, seat| own * seat);
            let total = own + self.joined(&lambda, *second, |own, seat| own * seat);
            value -= if VALUE { played * total.ln() } else { 0.0 };
            let slope = won - played * (own / total);
            self.add_to(gradient, *first, slope);
            self.add_to(gradient, *second, -slope);
        }
        let mut work = Work::default();
        for (pattern, count) in self.tables(sample) {
            self.strengths(pattern, &lambda, &mut work.strengths);
            value += count * walk::<VALUE>(pattern, &mut work);
            for (entrant, slope) in pattern.entrants.iter().zip(&work.slopes) {
                self.add_to(gradient, *entrant, count * slope);
            }
        }
        for (index, parameter) in at.iter().enumerate() {
            gradient[index] += self.prior * (sample.won[index] - logistic(*parameter));
        }
        value
    }

    /// The negative Hessian in row-major order. Without a prior it is regularised along the null directions:
    /// a common shift of all strengths, or of all seat effects.
    pub fn curvature(&self, sample: &Sample, at: &[f64]) -> Vec<f64> {
        let size = self.size();
        self.count_work((size * size) as u64);
        let lambda: Vec<f64> = at.iter().map(|value| value.exp()).collect();
        let mut matrix = vec![0.0; size * size];
        for (Duel([first, second]), [played, _]) in self.duels.iter().zip(&sample.duels) {
            let own = self.joined(&lambda, *first, |own, seat| own * seat);
            let other = self.joined(&lambda, *second, |own, seat| own * seat);
            let total = own + other;
            let curved = played * (own / total) * (other / total);
            for (row, column, value) in [
                (first, first, curved),
                (second, second, curved),
                (first, second, -curved),
                (second, first, -curved),
            ] {
                self.add(&mut matrix, *row, *column, value);
            }
        }
        let mut strengths = Vec::new();
        for (pattern, count) in self.tables(sample) {
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

    /// True if orders have so few entrants that conjugate gradients are cheaper than a factorisation.
    pub fn is_sparse(&self) -> bool {
        let size = self.size();
        size > DENSE && size * size > 8 * self.entrants
    }

    /// The curvature at these parameters as a linear operator.
    pub fn curved<'s>(&'s self, sample: &'s Sample, at: &[f64]) -> Curved<'s> {
        let lambda: Vec<f64> = at.iter().map(|value| value.exp()).collect();
        let mut diagonal = vec![0.0; self.size()];
        let mut duels = Vec::with_capacity(self.duels.len());
        for (Duel([first, second]), [played, _]) in self.duels.iter().zip(&sample.duels) {
            let own = self.joined(&lambda, *first, |own, seat| own * seat);
            let other = self.joined(&lambda, *second, |own, seat| own * seat);
            let total = own + other;
            let curved = played * (own / total) * (other / total);
            self.add_to(&mut diagonal, *first, curved);
            self.add_to(&mut diagonal, *second, curved);
            duels.push(curved);
        }
        let mut work = Work::default();
        for (pattern, count) in self.tables(sample) {
            self.strengths(pattern, &lambda, &mut work.strengths);
            bend(pattern, &mut work, Bend::Diagonal);
            for (entrant, curved) in pattern.entrants.iter().zip(&work.slopes) {
                self.add_to(&mut diagonal, *entrant, count * curved);
            }
        }
        let chances = at.iter().map(|parameter| logistic(*parameter));
        let held: Vec<f64> = chances.map(|chance| self.prior * chance * (1.0 - chance)).collect();
        for (index, held) in held.iter().enumerate() {
            let free =
                if index < self.orders.competitors { self.orders.competitors } else { self.orders.seats };
            diagonal[index] += held + if self.prior > 0.0 { 0.0 } else { 1.0 / free as f64 };
        }
        Curved { model: self, sample, lambda, duels, held, diagonal }
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
        let all = pattern.entrants.iter();
        strengths.extend(all.map(|entrant| self.joined(lambda, *entrant, |own, seat| own * seat)));
    }
}

/// Largest number of parameters for which a dense matrix is always cheap.
pub(super) const DENSE: usize = 128;

/// The negative Hessian at some parameters, without its matrix.
pub(super) struct Curved<'a> {
    model: &'a Model<'a>,
    sample: &'a Sample,
    lambda: Vec<f64>,
    /// Curvature by duel.
    duels: Vec<f64>,
    /// Contribution of the prior, by parameter.
    held: Vec<f64>,
    pub diagonal: Vec<f64>,
}

impl Curved<'_> {
    /// The matrix-vector product with `along`, in one pass over the orders.
    pub fn times(&self, along: &[f64], product: &mut [f64]) {
        let Self { model, sample, lambda, duels, held, .. } = self;
        model.count_pass();
        for ((product, along), held) in product.iter_mut().zip(along).zip(held) {
            *product = held * along;
        }
        let sum = |own: f64, seat: f64| own + seat;
        for (Duel([first, second]), curved) in model.duels.iter().zip(duels) {
            let apart = model.joined(along, *first, sum) - model.joined(along, *second, sum);
            model.add_to(product, *first, curved * apart);
            model.add_to(product, *second, -curved * apart);
        }
        let mut work = Work::default();
        let mut moves = Vec::new();
        for (pattern, count) in model.tables(sample) {
            model.strengths(pattern, lambda, &mut work.strengths);
            moves.clear();
            moves.extend(pattern.entrants.iter().map(|entrant| model.joined(along, *entrant, sum)));
            bend(pattern, &mut work, Bend::Along(&moves));
            for (entrant, part) in pattern.entrants.iter().zip(&work.slopes) {
                model.add_to(product, *entrant, count * part);
            }
        }
        if model.prior > 0.0 {
            return;
        }
        let (own, seats) = product.split_at_mut(model.orders.competitors);
        let (own_along, seats_along) = along.split_at(model.orders.competitors);
        for (product, along) in [(own, own_along), (seats, seats_along)] {
            let mean = along.iter().sum::<f64>() / along.len().max(1) as f64;
            product.iter_mut().for_each(|part| *part += mean);
        }
    }
}

#[derive(Default)]
struct Work {
    strengths: Vec<f64>,
    slopes: Vec<f64>,
    below: Vec<f64>,
    moved_below: Vec<f64>,
}

#[derive(Clone, Copy)]
enum Bend<'a> {
    Diagonal,
    /// The product with these changes of the entrants' log strengths.
    Along(&'a [f64]),
}

/// Sets `slopes` to the requested negative second derivatives by the entrants' log strengths. A choice of an
/// entrant with probability p contributes p · (its move − mean move) to the product, and p · (1 − p) to the
/// diagonal. Linear in the number of entrants, like [`walk`].
fn bend(pattern: &Pattern, work: &mut Work, bend: Bend<'_>) {
    let Work { strengths, slopes, below, moved_below } = work;
    let moved = |index: usize| match bend {
        Bend::Diagonal => strengths[index],
        Bend::Along(moves) => strengths[index] * moves[index],
    };
    let blocks = &pattern.blocks;
    below.clear();
    below.resize(blocks.len(), 0.0);
    moved_below.clone_from(below);
    let mut end = strengths.len();
    let (mut sum, mut moved_sum) = (0.0, 0.0);
    for (index, size) in blocks.iter().enumerate().rev() {
        (below[index], moved_below[index]) = (sum, moved_sum);
        let begin = end - usize::from(*size);
        sum += strengths[begin..end].iter().sum::<f64>();
        moved_sum += (begin..end).map(moved).sum::<f64>();
        end = begin;
    }
    // Contribution to an entrant of this strength, from sums over choices: 1 / total, and mean move / total
    // or, for the diagonal, 1 / total².
    let part = |index: usize, strength: f64, [over, second]: [f64; 2]| match bend {
        Bend::Diagonal => strength * (over - strength * second),
        Bend::Along(moves) => strength * (moves[index] * over - second),
    };
    let second = |total: f64, moved: f64| match bend {
        Bend::Diagonal => 1.0 / (total * total),
        Bend::Along(_) => moved / (total * total),
    };
    slopes.clear();
    slopes.resize(strengths.len(), 0.0);
    let mut sums = [0.0; 2];
    let mut begin = 0;
    for (place, size) in blocks.iter().enumerate() {
        let end = begin + usize::from(*size);
        let (rest, moved_rest) = (below[place], moved_below[place]);
        if *size == 1 {
            // Most blocks have no tie.
            let total = rest + strengths[begin];
            let own = [1.0 / total, second(total, moved_rest + moved(begin))];
            sums = [sums[0] + own[0], sums[1] + own[1]];
            slopes[begin] = part(begin, strengths[begin], sums);
            begin = end;
            continue;
        }
        let mut own_sums = [0.0; 2];
        for index in begin..end {
            slopes[index] = part(index, strengths[index], sums);
        }
        if end - begin <= EXACT_TIE {
            // Strength and move of each subset of the tied, built from the subset without its first member.
            let mut sets = [[0.0; 2]; 1 << EXACT_TIE];
            let mut own = [[0.0; 2]; EXACT_TIE];
            for set in 1..1usize << (end - begin) {
                let (first, others) = (begin + set.trailing_zeros() as usize, sets[set & (set - 1)]);
                sets[set] = [others[0] + strengths[first], others[1] + moved(first)];
            }
            block_choices(end - begin, |weight, left| {
                let Left::Members(set) = left else { return };
                let [strength, move_of_set] = sets[set as usize];
                let total = rest + strength;
                let terms = [weight / total, weight * second(total, moved_rest + move_of_set)];
                own_sums = [own_sums[0] + terms[0], own_sums[1] + terms[1]];
                for (member, sums) in own[..end - begin].iter_mut().enumerate() {
                    let takes_part = f64::from(set >> member & 1);
                    *sums = [sums[0] + takes_part * terms[0], sums[1] + takes_part * terms[1]];
                }
            });
            for (index, sums) in (begin..end).zip(own) {
                slopes[index] += part(index, strengths[index], sums);
            }
        } else {
            let all_strength: f64 = strengths[begin..end].iter().sum();
            let all_moved: f64 = (begin..end).map(moved).sum();
            block_choices(end - begin, |weight, left| {
                let Left::Share(share) = left else { return };
                let total = rest + share * all_strength;
                let terms = [weight / total, weight * second(total, moved_rest + share * all_moved)];
                own_sums = [own_sums[0] + terms[0], own_sums[1] + terms[1]];
                for index in begin..end {
                    slopes[index] += part(index, share * strengths[index], terms);
                }
            });
        }
        sums = [sums[0] + own_sums[0], sums[1] + own_sums[1]];
        begin = end;
    }
}

/// Returns minus the sum of the log totals of the choices, or 0 without `VALUE`. Sets `slopes` to the
/// derivatives of the log-likelihood by the entrants' log strengths. Linear in the number of entrants.
fn walk<const VALUE: bool>(pattern: &Pattern, work: &mut Work) -> f64 {
    let Work { strengths, slopes, below, .. } = work;
    let blocks = &pattern.blocks;
    // Total strength of the blocks after each block.
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
    // Sum of weight / total over the choices so far: the derivative's loss per unit of strength, for all
    // entrants below.
    let mut pressure = 0.0;
    let mut begin = 0;
    for (size, rest) in blocks.iter().zip(&*below) {
        let end = begin + usize::from(*size);
        let tied: f64 = strengths[begin..end].iter().sum();
        for index in begin..end {
            slopes[index] -= pressure * strengths[index];
        }
        if *size == 1 {
            // Most blocks have no tie.
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

#[derive(Clone, Copy)]
enum Left {
    /// Bit set of the members left: bit i is member i.
    Members(u32),
    /// Share of every member that is left (Efron).
    Share(f64),
}

fn members(mask: u32, begin: usize) -> impl Iterator<Item = usize> {
    (0..32).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| begin + bit)
}

/// Enumerates the choices that fill a block of tied entrants: weight, and remaining members.
fn block_choices(size: usize, mut each: impl FnMut(f64, Left)) {
    if size > EXACT_TIE {
        for chosen in 0..size {
            each(1.0, Left::Share(1.0 - chosen as f64 / size as f64));
        }
        return;
    }
    let all = (1u32 << size) - 1;
    for chosen in 0..all {
        // Over all orders of the tied, every set of this size is equally often the set chosen before.
        each(EQUALLY_OFTEN[size - 1][chosen.count_ones() as usize], Left::Members(all & !chosen));
    }
}

/// Enumerates every choice of an order as weight and share of each participating entrant.
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

/// One over the number of subsets: indexed by number of tied entrants minus one, then size of the subset.
const EQUALLY_OFTEN: [[f64; EXACT_TIE]; EXACT_TIE] = [
    [1.0, 0.0, 0.0, 0.0, 0.0],
    [1.0, 1.0 / 2.0, 0.0, 0.0, 0.0],
    [1.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0],
    [1.0, 1.0 / 4.0, 1.0 / 6.0, 1.0 / 4.0, 0.0],
    [1.0, 1.0 / 5.0, 1.0 / 10.0, 1.0 / 10.0, 1.0 / 5.0],
];

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
