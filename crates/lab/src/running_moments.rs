//! Mean and standard deviation of a stream of numbers, without storing it.

/// Running mean and squared deviations (Welford 1962).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RunningMoments {
    count: u64,
    mean: f64,
    /// Sum of squared distances from the mean.
    squares: f64,
}

impl RunningMoments {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let step = number - self.mean;
        self.mean += step / self.count as f64;
        self.squares += step * (number - self.mean);
    }

    /// Number of numbers added so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 without numbers.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The population standard deviation; 0 without numbers.
    pub fn deviation(&self) -> f64 {
        if self.count == 0 { 0.0 } else { (self.squares / self.count as f64).sqrt() }
    }
}
