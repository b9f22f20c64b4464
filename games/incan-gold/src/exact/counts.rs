//! Counting: binomials, elementary symmetric polynomials, and sums over subsets of the gem cards.

pub(super) struct Binomials {
    rows: Vec<Vec<f64>>,
}

impl Binomials {
    /// Computes all `C(n, k)` with `n <= size`.
    pub(super) fn new(size: usize) -> Self {
        let mut rows: Vec<Vec<f64>> = vec![vec![1.0]];
        for n in 1..=size {
            let above = &rows[n - 1];
            let row = (0..=n).map(|k| {
                let left = if k > 0 { above[k - 1] } else { 0.0 };
                left + above.get(k).copied().unwrap_or(0.0)
            });
            let row = row.collect();
            rows.push(row);
        }
        Self { rows }
    }

    /// `C(n, k)`; zero if `k > n`.
    #[inline]
    pub(super) fn choose(&self, n: usize, k: usize) -> f64 {
        self.rows[n].get(k).copied().unwrap_or(0.0)
    }
}

/// The elementary symmetric polynomials `e_0, e_1, …` of the copies of each kind. `e_h` counts the sets of
/// `h` hazard cards of different kinds. `kinds[n]` is the number of kinds with `n` copies.
pub(super) fn elementary(kinds: &[u8]) -> Vec<f64> {
    let all: usize = kinds.iter().skip(1).map(|&count| usize::from(count)).sum();
    let mut polynomial = vec![0.0; all + 1];
    polynomial[0] = 1.0;
    for (copies, &count) in kinds.iter().enumerate().skip(1) {
        for _ in 0..count {
            for h in (1..=all).rev() {
                polynomial[h] += polynomial[h - 1] * copies as f64;
            }
        }
    }
    polynomial
}

/// `[g][x]`: the number of `g`-subsets of the cards whose values sum to `x`.
pub(super) fn subset_counts(values: &[u32]) -> Vec<Vec<f64>> {
    let total = values.iter().sum::<u32>() as usize;
    let mut counts = vec![vec![0.0; total + 1]; values.len() + 1];
    counts[0][0] = 1.0;
    let mut reach = 0;
    for (cards, &value) in values.iter().enumerate() {
        let value = value as usize;
        for g in (0..=cards).rev() {
            let (low, high) = counts.split_at_mut(g + 1);
            for (sum, &count) in low[g][..=reach].iter().enumerate() {
                high[0][sum + value] += count;
            }
        }
        reach += value;
    }
    counts
}

/// `[g][x]`: the probability that a uniform `g`-subset of the cards sums to `x`.
pub(super) fn subset_sums(values: &[u32]) -> Vec<Vec<f64>> {
    let mut counts = subset_counts(values);
    for row in &mut counts {
        let all: f64 = row.iter().sum();
        row.iter_mut().for_each(|count| *count /= all);
    }
    counts
}

/// The time at which the sum of the gem cards, drawn one after another, first reaches a threshold.
pub(super) struct FirstPassage {
    /// `[j][x]`: the probability that the `j`-th gem reaches the threshold, with the sum `x`.
    pub(super) at: Vec<Vec<f64>>,
    /// `[g]`: the probability that `g` gems do not reach the threshold.
    pub(super) not_yet: Vec<f64>,
}

/// The first passage of `threshold`, which is at least 1.
pub(super) fn first_passage(values: &[u32], threshold: u32, binomials: &Binomials) -> FirstPassage {
    let cards = values.len();
    let total = values.iter().sum::<u32>() as usize;
    let threshold = threshold as usize;
    let mut at = vec![vec![0.0; total + 1]; cards + 1];
    for (last, &value) in values.iter().enumerate() {
        let value = value as usize;
        // Equal cards have the same effect, so the first one counts with its multiplicity.
        if values[..last].contains(&values[last]) {
            continue;
        }
        let equal = values.iter().filter(|&&other| other == values[last]).count();
        let mut rest = values.to_vec();
        rest.swap_remove(last);
        for (before, row) in subset_counts(&rest).iter().enumerate() {
            // The order: the set before in any order, then this card, then the others in any order.
            let weight = equal as f64 / (cards as f64 * binomials.choose(cards - 1, before));
            let low = threshold.saturating_sub(value);
            for (sum, &count) in row.iter().enumerate().take(threshold).skip(low) {
                at[before + 1][sum + value] += count * weight;
            }
        }
    }
    let sums = subset_sums(values);
    let not_yet = sums.iter().map(|row| row.iter().take(threshold).sum()).collect();
    FirstPassage { at, not_yet }
}
