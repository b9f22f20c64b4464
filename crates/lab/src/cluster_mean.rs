//! A mean whose standard error is taken over deal groups (clusters).

use crate::intervals::{mean_of_units, win_share_of_units};

/// Running mean of single values. Its standard error is that of a ratio estimator over groups.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ClusterMean {
    sum: f64,
    /// Sum of the squares of single values.
    sum_of_squares: f64,
    count: f64,
    groups: u64,
    last_group: Option<u64>,
    /// Sum and count of the open group.
    group: [f64; 2],
    /// Sums of sum², sum · count and count² over all closed groups.
    squares: [f64; 3],
}

impl ClusterMean {
    /// Adds a value. Values of the same group must follow each other.
    pub fn add(&mut self, group: u64, value: f64) {
        if self.last_group != Some(group) {
            self.squares = self.closed();
            self.groups += 1;
            self.group = [0.0, 0.0];
            self.last_group = Some(group);
        }
        self.sum += value;
        self.sum_of_squares += value * value;
        self.count += 1.0;
        self.group[0] += value;
        self.group[1] += 1.0;
    }

    /// `squares` with the open group included.
    fn closed(&self) -> [f64; 3] {
        let [sum, count] = self.group;
        let [a, b, c] = self.squares;
        [a + sum * sum, b + sum * count, c + count * count]
    }

    /// Mean of all values; 0 without values.
    pub fn mean(&self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.0 }
    }

    /// Number of groups.
    pub fn groups(&self) -> u64 {
        self.groups
    }

    /// Standard deviation of single values; 0 for fewer than two.
    pub fn sd(&self) -> f64 {
        let (count, mean) = (self.count, self.mean());
        if count > 1.0 {
            ((self.sum_of_squares - count * mean * mean).max(0.0) / (count - 1.0)).sqrt()
        } else {
            0.0
        }
    }

    /// Sum of (sum - mean · count)² over all groups, and sum of count².
    fn residual(&self) -> (f64, f64) {
        let mean = self.mean();
        let [sums, cross, counts] = self.closed();
        ((sums - 2.0 * mean * cross + mean * mean * counts).max(0.0), counts)
    }

    /// True if all groups have the same mean, up to rounding.
    pub fn is_alike(&self) -> bool {
        let (residual, counts) = self.residual();
        residual <= 1e-9 * counts
    }

    /// Standard error of the mean, by linearisation; `None` for fewer than two groups. The error is 0, up to
    /// rounding, if all groups are [alike](Self::is_alike).
    pub fn error(&self) -> Option<f64> {
        let (residual, _) = self.residual();
        let groups = self.groups as f64;
        (self.groups >= 2).then(|| (residual * groups / (groups - 1.0)).sqrt() / self.count)
    }

    /// Standard deviation between groups: the standard error times √groups. Exactly 0 if all groups are
    /// alike.
    fn sd_of_groups(&self) -> f64 {
        if self.is_alike() { 0.0 } else { self.error().unwrap_or(0.0) * (self.groups as f64).sqrt() }
    }

    /// 95 % interval of the mean; `None` for fewer than two groups or identical values.
    pub fn interval(&self) -> Option<[f64; 2]> {
        mean_of_units(self.mean(), self.sd_of_groups(), self.groups, self.sd())
    }

    /// 95 % interval of a mean of values in `0..=1`; `None` without values.
    pub fn share_interval(&self) -> Option<[f64; 2]> {
        (self.groups > 0).then(|| win_share_of_units(self.mean(), self.sd_of_groups().powi(2), self.groups))
    }
}
