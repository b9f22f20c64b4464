//! Sequential probability ratio test of two players.
//!
//! The unit is the deal group: the mean difference between A and B over its rotations. The hypotheses state
//! that difference in units of its own standard deviation, so they are comparable between games and scores.
//! The statistic is the generalised sequential probability ratio (Wald 1945) with the standard deviation
//! estimated by maximum likelihood (Van den Bergh 2019, "normalised Elo"). Its error rates hold approximately
//! after a few dozen groups.

use serde::{Deserialize, Serialize};

use crate::running_moments::RunningMoments;

/// A sequential test between the first two competitors: what is compared, the hypotheses and the error rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtMatch {
    /// H0: the first leads by at most this, in standard deviations of a deal group.
    pub low: f64,
    /// H1: the first leads by at least this, in the same unit.
    pub high: f64,
    /// Bound on the probability of accepting H1 under H0 (type I error).
    pub alpha: f64,
    /// Bound on the probability of accepting H0 under H1 (type II error).
    pub beta: f64,
    /// The measure compared.
    pub by: Compare,
}

/// Measure by which two competitors are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compare {
    /// Finishing order: 1, 0 or −1.
    Place,
    /// Difference of scores.
    Score,
}

impl Default for SprtMatch {
    /// The default test, of places.
    fn default() -> Self {
        Self { low: 0.0, high: 0.1, alpha: 0.05, beta: 0.05, by: Compare::Place }
    }
}

impl SprtMatch {
    /// Checks the hypotheses and error rates.
    ///
    /// # Errors
    /// If a bound or a rate is out of range: the expected and the found value.
    pub fn check(&self) -> Result<(), String> {
        if !(self.low < self.high && self.low.abs() <= 10.0 && self.high.abs() <= 10.0) {
            return Err(format!(
                "expected two bounds LOW,HIGH between -10 and 10 with LOW < HIGH, found {},{}",
                self.low, self.high
            ));
        }
        for rate in [self.alpha, self.beta] {
            if !(0.0001..=0.4).contains(&rate) {
                return Err(format!("expected error rates from 0.0001 to 0.4, found {rate}"));
            }
        }
        Ok(())
    }
}

/// A sequential test of the mean over deal groups in its own unit, such as a share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeanTest {
    /// H0: the mean is at most this.
    pub low: f64,
    /// H1: the mean is at least this.
    pub high: f64,
    /// Bound on the probability of accepting H1 under H0 (type I error).
    pub alpha: f64,
    /// Bound on the probability of accepting H0 under H1 (type II error).
    pub beta: f64,
}

/// Outcome of a test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtVerdict {
    /// H0: A is ahead by less than `high`.
    Low,
    /// H1: A is ahead by more than `low`.
    High,
    /// Undecided.
    Open,
}

/// Fewest groups for a decision: with fewer, the standard deviation is too uncertain.
pub const MIN_GROUPS: u64 = 24;

/// A running test: the sufficient statistics.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sprt {
    differences: RunningMoments,
    decided: Option<SprtVerdict>,
}

impl Sprt {
    /// A test without data.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the difference of the next deal group. A verdict, once reached, stays.
    pub fn add(&mut self, plan: &SprtMatch, difference: f64) {
        self.differences.add(difference);
        self.decide(self.log_ratio(plan), bounds(plan));
    }

    /// Adds the mean of the next deal group to a test of means.
    pub fn add_mean(&mut self, test: &MeanTest, mean: f64) {
        self.differences.add(mean);
        self.decide(self.log_ratio_of_means(test), wald(test.alpha, test.beta));
    }

    fn decide(&mut self, ratio: f64, [lower, upper]: [f64; 2]) {
        if self.decided.is_none() && self.differences.count() >= MIN_GROUPS {
            if ratio <= lower {
                self.decided = Some(SprtVerdict::Low);
            } else if ratio >= upper {
                self.decided = Some(SprtVerdict::High);
            }
        }
    }

    /// Deal groups so far.
    pub fn groups(&self) -> u64 {
        self.differences.count()
    }

    /// Mean difference per group, in standard deviations; 0 while there is no spread.
    pub fn effect(&self) -> f64 {
        let deviation = self.differences.deviation();
        if deviation > 0.0 { self.differences.mean() / deviation } else { 0.0 }
    }

    /// Mean difference per group and its standard deviation.
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        (self.differences.mean(), self.differences.deviation())
    }

    /// The logarithm of the likelihood ratio of H1 to H0.
    pub fn log_ratio(&self, plan: &SprtMatch) -> f64 {
        let deviation = self.differences.deviation();
        if deviation <= 1e-12 {
            // All groups are alike: a difference decides the test, equality is no evidence.
            return match self.differences.mean() {
                mean if mean > 1e-12 => f64::INFINITY,
                mean if mean < -1e-12 => f64::NEG_INFINITY,
                _ => 0.0,
            };
        }
        let effect = self.differences.mean() / deviation;
        let off = |bound: f64| 1.0 + (effect - bound) * (effect - bound);
        0.5 * self.differences.count() as f64 * (off(plan.low) / off(plan.high)).ln()
    }

    /// The logarithm of the likelihood ratio of H1 to H0 in a test of means.
    pub fn log_ratio_of_means(&self, test: &MeanTest) -> f64 {
        // Alike groups have no variance; the limit makes the nearer bound almost certain without a division
        // by 0.
        let spread = (self.differences.deviation() * self.differences.deviation()).max(1e-12);
        let off = |bound: f64| spread + (self.differences.mean() - bound) * (self.differences.mean() - bound);
        0.5 * self.differences.count() as f64 * (off(test.low) / off(test.high)).ln()
    }

    /// The verdict so far.
    pub fn verdict(&self) -> SprtVerdict {
        self.decided.unwrap_or(SprtVerdict::Open)
    }
}

/// Thresholds of the log ratio for accepting H0 and H1 (Wald).
pub fn bounds(plan: &SprtMatch) -> [f64; 2] {
    wald(plan.alpha, plan.beta)
}

fn wald(alpha: f64, beta: f64) -> [f64; 2] {
    [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
}
