//! A test of two players that stops as soon as it is sure.
//!
//! The unit is the deal group: the mean over its rotations of what A got less what B got. The hypotheses are
//! about that difference measured in its own standard deviations, so they mean the same for any game and any
//! score. The statistic is the generalised sequential probability ratio (Wald 1945; with an unknown standard
//! deviation put in by maximum likelihood: Van den Bergh 2019, "normalised Elo"), approximately exact once a
//! few dozen groups are in.

use serde::{Deserialize, Serialize};

use crate::running_moments::RunningMoments;

/// A sequential test between the first two competitors: what is compared, the hypotheses and the error rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtMatch {
    /// H0: the first is ahead by at most this, in standard deviations of a deal group.
    pub low: f64,
    /// H1: it is ahead by at least this.
    pub high: f64,
    /// Greatest chance of taking H1 where H0 holds.
    pub alpha: f64,
    /// Greatest chance of taking H0 where H1 holds.
    pub beta: f64,
    /// What is compared.
    pub by: Compare,
}

/// What two competitors are compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compare {
    /// Who finished before whom: 1, 0 or −1.
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
    /// Whether a test can be made of it.
    ///
    /// # Errors
    /// What was expected and what was found.
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

/// A sequential test of the mean of deal groups itself, in its own unit: of a share, say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeanTest {
    /// H0: the mean is at most this.
    pub low: f64,
    /// H1: it is at least this.
    pub high: f64,
    /// Greatest chance of taking H1 where H0 holds.
    pub alpha: f64,
    /// Greatest chance of taking H0 where H1 holds.
    pub beta: f64,
}

/// What a test has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// H0: A is not ahead by `high`.
    Low,
    /// H1: A is ahead by more than `low`.
    High,
    /// Not sure yet.
    Open,
}

/// Groups before which nothing is decided: the standard deviation is not known yet.
pub const LEAST_GROUPS: u64 = 24;

/// A running test: the sums that its statistic needs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sprt {
    differences: RunningMoments,
    decided: Option<Verdict>,
}

impl Sprt {
    /// A test that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the difference of the next deal group. Once decided, a verdict stays.
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
        if self.decided.is_none() && self.differences.count() >= LEAST_GROUPS {
            if ratio <= lower {
                self.decided = Some(Verdict::Low);
            } else if ratio >= upper {
                self.decided = Some(Verdict::High);
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

    /// Mean difference per group, and its standard deviation.
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        (self.differences.mean(), self.differences.deviation())
    }

    /// The logarithm of the likelihood ratio of H1 to H0.
    pub fn log_ratio(&self, plan: &SprtMatch) -> f64 {
        let deviation = self.differences.deviation();
        if deviation <= 1e-12 {
            // Every group went alike: a difference is then as sure as it can be, none says nothing.
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

    /// The same for a test of means.
    pub fn log_ratio_of_means(&self, test: &MeanTest) -> f64 {
        // Where every group went alike, the nearer bound is as sure as it can be.
        let spread = (self.differences.deviation() * self.differences.deviation()).max(1e-12);
        let off = |bound: f64| spread + (self.differences.mean() - bound) * (self.differences.mean() - bound);
        0.5 * self.differences.count() as f64 * (off(test.low) / off(test.high)).ln()
    }

    /// The verdict so far.
    pub fn verdict(&self) -> Verdict {
        self.decided.unwrap_or(Verdict::Open)
    }
}

/// The bounds of the log ratio at which H0 and H1 are taken (Wald).
pub fn bounds(plan: &SprtMatch) -> [f64; 2] {
    wald(plan.alpha, plan.beta)
}

fn wald(alpha: f64, beta: f64) -> [f64; 2] {
    [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
}
