//! Distributions over whole numbers.

/// A distribution over whole numbers: a weight for each value of a range. The total need not be 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mass {
    first: i32,
    weights: Vec<f64>,
}

impl Mass {
    pub fn point(value: i32, weight: f64) -> Self {
        Self { first: value, weights: vec![weight] }
    }

    /// Pairs of value and weight in ascending order, including zero weights.
    pub fn iter(&self) -> impl Iterator<Item = (i32, f64)> + '_ {
        (self.first..).zip(self.weights.iter().copied())
    }

    pub fn at(&self, value: i32) -> f64 {
        usize::try_from(value - self.first).ok().and_then(|i| self.weights.get(i)).copied().unwrap_or(0.0)
    }

    pub fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The mean. The total must be 1.
    pub fn mean(&self) -> f64 {
        self.iter().map(|(value, weight)| f64::from(value) * weight).sum()
    }

    /// The standard deviation of the distribution. The total must be 1.
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        self.iter().map(|(value, weight)| (f64::from(value) - mean).powi(2) * weight).sum::<f64>().sqrt()
    }

    /// The smallest value up to which at least `share` of the weight lies. The total must be 1.
    pub fn quantile(&self, share: f64) -> i32 {
        // The tolerance covers rounding, so a share that is reached exactly is not missed.
        const ROUNDING: f64 = 1e-12;
        let mut sum = 0.0;
        for (value, weight) in self.iter() {
            sum += weight;
            if sum >= share - ROUNDING {
                return value;
            }
        }
        self.first + self.weights.len().saturating_sub(1) as i32
    }

    /// The weights above, at and below zero.
    pub fn by_sign(&self) -> [f64; 3] {
        let mut signs = [0.0; 3];
        for (value, weight) in self.iter() {
            signs[(1 - value.signum()) as usize] += weight;
        }
        signs
    }

    /// Extends the range to the values `low..=high`.
    fn cover(&mut self, low: i32, high: i32) {
        if self.weights.is_empty() {
            self.first = low;
        }
        if low < self.first {
            let missing = (self.first - low) as usize;
            self.weights.splice(0..0, std::iter::repeat_n(0.0, missing));
            self.first = low;
        }
        let length = (high - self.first + 1) as usize;
        if length > self.weights.len() {
            self.weights.resize(length, 0.0);
        }
    }

    pub(super) fn add(&mut self, value: i32, weight: f64) {
        if weight > 0.0 {
            self.cover(value, value);
            self.weights[(value - self.first) as usize] += weight;
        }
    }

    /// Adds `weight` times `weights`, whose first entry belongs to `first`.
    pub(super) fn add_scaled(&mut self, first: i32, weights: &[f64], weight: f64) {
        if weight > 0.0
            && let Some(start) = weights.iter().position(|&w| w > 0.0)
            && let Some(end) = weights.iter().rposition(|&w| w > 0.0)
        {
            let first = first + start as i32;
            let weights = &weights[start..=end];
            self.cover(first, first + (weights.len() - 1) as i32);
            let offset = (first - self.first) as usize;
            for (mine, more) in self.weights[offset..].iter_mut().zip(weights) {
                *mine += more * weight;
            }
        }
    }

    /// Adds `other`, shifted by `shift` and scaled by `weight`.
    pub(super) fn add_moved(&mut self, other: &Mass, shift: i32, weight: f64) {
        self.add_scaled(other.first + shift, &other.weights, weight);
    }

    /// Adds the distribution of the sum of two independent numbers.
    pub(super) fn add_sum(&mut self, one: &Mass, other: &Mass) {
        let (short, long) = if one.weights.len() < other.weights.len() { (one, other) } else { (other, one) };
        for (value, weight) in short.iter() {
            self.add_scaled(long.first + value, &long.weights, weight);
        }
    }
}
