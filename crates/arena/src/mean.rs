//! A mean whose error is taken over deal groups.

/// A running mean of single values, with the standard error of a ratio of sums over groups.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct ClusterMean {
    sum: f64,
    count: f64,
    groups: f64,
    last_group: Option<u64>,
    /// Sum and count of the group that is being counted.
    group: [f64; 2],
    /// Sums over groups of sum², sum · count, count².
    squares: [f64; 3],
}

impl ClusterMean {
    /// Adds a value. Values of the same group must follow each other.
    pub fn add(&mut self, group: u64, value: f64) {
        if self.last_group != Some(group) {
            self.squares = self.closed();
            self.groups += 1.0;
            self.group = [0.0, 0.0];
            self.last_group = Some(group);
        }
        self.sum += value;
        self.count += 1.0;
        self.group[0] += value;
        self.group[1] += 1.0;
    }

    /// The squares with the open group in them.
    fn closed(&self) -> [f64; 3] {
        let [sum, count] = self.group;
        let [a, b, c] = self.squares;
        [a + sum * sum, b + sum * count, c + count * count]
    }

    pub fn mean(&self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.0 }
    }

    /// Sum over groups of the squared distances from what the mean gives, and of the squared counts.
    fn residual(&self) -> (f64, f64) {
        let mean = self.mean();
        let [sums, cross, counts] = self.closed();
        ((sums - 2.0 * mean * cross + mean * mean * counts).max(0.0), counts)
    }

    /// Whether all groups have the same mean, as far as rounding tells.
    pub fn is_alike(&self) -> bool {
        let (residual, counts) = self.residual();
        residual <= 1e-9 * counts
    }

    /// Standard error of the mean, by linearisation; none of fewer than two groups.
    pub fn error(&self) -> Option<f64> {
        let (residual, _) = self.residual();
        (self.groups >= 2.0).then(|| (residual * self.groups / (self.groups - 1.0)).sqrt() / self.count)
    }

    /// 95 % interval of the mean; the mean itself while there is only one group.
    pub fn interval(&self) -> [f64; 2] {
        let mean = self.mean();
        let half = |error: f64| meeple_lab::t_quantile(self.groups as u64 - 1) * error;
        let half = self.error().map_or(0.0, half);
        [mean - half, mean + half]
    }
}
