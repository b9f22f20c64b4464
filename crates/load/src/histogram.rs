//! Counts of sizes and times, from which percentiles are read.

use serde::Serialize;

/// Leading bits of a value that are kept; percentiles are exact to one part in 64.
const BITS: u32 = 6;

/// Counts of values in buckets whose width grows with the value, in a few kilobytes.
#[derive(Clone, Debug, Default)]
pub struct LatencyHistogram {
    buckets: Vec<u64>,
    count: u64,
    max: u64,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Percentiles {
    pub count: u64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

fn bucket(value: u64) -> usize {
    let shift = (u64::BITS - value.leading_zeros()).saturating_sub(BITS + 1);
    ((u64::from(shift) << BITS) + (value >> shift)) as usize
}

/// The largest value of a bucket.
fn top(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    let shift = (bucket >> BITS).saturating_sub(1);
    let mantissa = bucket - (shift << BITS);
    ((mantissa + 1) << shift) - 1
}

impl LatencyHistogram {
    pub fn add(&mut self, value: u64) {
        let bucket = bucket(value);
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
        self.count += 1;
        self.max = self.max.max(value);
    }

    /// The smallest value that this share of all values does not exceed, to one part in 64.
    fn percentile(&self, share: f64) -> u64 {
        let wanted = ((self.count as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        let found = self.buckets.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        found.map_or(0, top).min(self.max)
    }

    /// Percentiles, multiplied by `unit`; `None` if there are no values.
    pub fn percentiles(&self, unit: f64) -> Option<Percentiles> {
        let at = |share| self.percentile(share) as f64 * unit;
        (self.count > 0).then(|| Percentiles {
            count: self.count,
            p50: at(0.5),
            p95: at(0.95),
            p99: at(0.99),
            max: self.max as f64 * unit,
        })
    }
}
