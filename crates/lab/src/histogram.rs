//! Exact counts of integers.

use std::collections::BTreeMap;
use std::hint::cold_path;

use meeple_core::FigureKind;
use serde::{Deserialize, Serialize};

/// Maximum width of the array, in values; a map holds all other values.
const DENSE: u64 = 1 << 16;

/// Number of additions to the map before an array is allocated. A cell of a sweep may have a few episodes
/// with scores tens of thousands apart.
const FEW: u32 = 32;

/// Exact counts by integer value; the order of merging does not matter.
///
/// Values near each other, like scores and lengths, are counted in an array that grows to cover them. After
/// warm-up, counting does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    base: i64,
    dense: Vec<u64>,
    outside: BTreeMap<i64, u64>,
    /// Number of additions before the array exists, at most [`FEW`].
    few: u32,
}

impl Histogram {
    /// An empty histogram.
    pub const fn new() -> Self {
        Self { base: 0, dense: Vec::new(), outside: BTreeMap::new(), few: 0 }
    }

    /// Counts a value.
    #[inline]
    pub fn add(&mut self, value: i64) {
        let index = value.wrapping_sub(self.base) as u64;
        match self.dense.get_mut(index as usize) {
            Some(count) => *count += 1,
            None => self.add_outside(value, 1),
        }
    }

    #[cold]
    fn add_outside(&mut self, value: i64, count: u64) {
        if self.few < FEW {
            self.few += 1;
            *self.outside.entry(value).or_default() += count;
        } else if self.grow_to(value) {
            self.dense[value.wrapping_sub(self.base) as usize] += count;
        } else {
            *self.outside.entry(value).or_default() += count;
        }
    }

    /// Grows the array to cover `value`, with spare room. Returns false if it would be wider than [`DENSE`].
    fn grow_to(&mut self, value: i64) -> bool {
        let (low, high) = if self.dense.is_empty() {
            (i128::from(value), i128::from(value))
        } else {
            let end = i128::from(self.base) + self.dense.len() as i128 - 1;
            (i128::from(self.base.min(value)), end.max(i128::from(value)))
        };
        let width = high - low + 1;
        if width > i128::from(DENSE) {
            return false;
        }
        // Up to twice the needed width, with the spare room on the side of the value, so that the array grows
        // rarely. Widths are powers of two, so the freed memory of one histogram fits the next.
        let wide = (width + 64).unsigned_abs().next_power_of_two().min(DENSE.into());
        let spare = wide as i128 - width;
        let (low, high) = match i128::from(value) == low && !self.dense.is_empty() {
            true => ((low - spare).max(i128::from(i64::MIN)), high),
            false => (low, (high + spare).min(i128::from(i64::MAX))),
        };
        let (base, length) = (low as i64, (high - low + 1) as usize);
        let mut dense = vec![0; length];
        if !self.dense.is_empty() {
            let shift = self.base.wrapping_sub(base) as usize;
            dense[shift..shift + self.dense.len()].copy_from_slice(&self.dense);
        }
        (self.base, self.dense) = (base, dense);
        // Values that the array now covers move there from the map.
        let covered: Vec<i64> =
            self.outside.range(low as i64..=high as i64).map(|(value, _)| *value).collect();
        for value in covered {
            let count = self.outside.remove(&value).unwrap_or_default();
            self.dense[value.wrapping_sub(base) as usize] += count;
        }
        true
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (value, count) in other.iter() {
            let index = value.wrapping_sub(self.base) as u64;
            match self.dense.get_mut(index as usize) {
                Some(own) => *own += count,
                None => self.add_outside(value, count),
            }
        }
    }

    /// Resets all counts and keeps the array allocated.
    pub fn clear(&mut self) {
        self.dense.fill(0);
        self.outside.clear();
    }

    /// The values with nonzero counts, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        let base = self.base;
        let inside = self.dense.iter().enumerate().filter(|(_, count)| **count > 0);
        let inside = inside.map(move |(index, count)| (base.wrapping_add(index as i64), *count));
        let below = self.outside.range(..base);
        let above = self.outside.range(base..);
        let outside = |(value, count): (&i64, &u64)| (*value, *count);
        below.map(outside).chain(inside).chain(above.map(outside))
    }

    /// Number of values counted.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// Number of values, their sum and the sum of their squares.
    pub fn moments(&self) -> Moments {
        let mut moments = Moments::default();
        for (value, count) in self.iter() {
            let (value, count) = (i128::from(value), i128::from(count));
            moments.count += count as u64;
            moments.sum = moments.sum.saturating_add(value * count);
            moments.squares = moments.squares.saturating_add((value * value).saturating_mul(count));
        }
        moments
    }

    /// The smallest value that at least `share` of all values do not exceed; `None` if empty.
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let total = self.total();
        // The number is rounded first, so that 0.1 of 10 values is exactly one value despite floating-point
        // error.
        let wanted = ((share * total as f64 * 1e9).round() / 1e9).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reached = self.iter().find(|(_, count)| {
            seen += count;
            seen >= wanted
        });
        reached.map(|(value, _)| value)
    }

    /// The smallest value; `None` if empty.
    pub fn min(&self) -> Option<i64> {
        self.iter().next().map(|(value, _)| value)
    }

    /// The largest value; `None` if empty.
    pub fn max(&self) -> Option<i64> {
        self.iter().last().map(|(value, _)| value)
    }
}

impl PartialEq for Histogram {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// Serialised as a list of `[value, count]`.
impl Serialize for Histogram {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Histogram {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut histogram = Self::new();
        for (value, count) in Vec::<(i64, u64)>::deserialize(deserializer)? {
            histogram.add_outside(value, count);
        }
        Ok(histogram)
    }
}

/// Exact sums of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moments {
    /// Number of values.
    pub count: u64,
    /// Sum of the values.
    pub sum: i128,
    /// Sum of the squares of the values.
    pub squares: i128,
}

impl Moments {
    /// Adds a value.
    #[inline]
    pub fn add(&mut self, value: i64) {
        let value = i128::from(value);
        self.count += 1;
        self.sum = self.sum.wrapping_add(value);
        self.squares = self.squares.wrapping_add(value * value);
    }

    /// Adds the sums of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum = self.sum.wrapping_add(other.sum);
        self.squares = self.squares.wrapping_add(other.squares);
    }

    /// Mean; 0 if empty.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// Sample standard deviation, with n - 1; `None` for fewer than two values.
    pub fn sd(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let n = i128::from(self.count);
        let exact = || n.checked_mul(self.squares)?.checked_sub(self.sum.checked_mul(self.sum)?);
        let scaled = match exact() {
            Some(exact) => exact as f64,
            // Integers overflow if count times value exceeds about 10^19; the formula in floating point is
            // less precise.
            None => self.count as f64 * self.squares as f64 - (self.sum as f64).powi(2),
        };
        Some((scaled.max(0.0) / (self.count as f64 * (self.count - 1) as f64)).sqrt())
    }
}

/// Sums are serialised as texts: they may exceed 64 bits.
impl Serialize for Moments {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.count, self.sum.to_string(), self.squares.to_string()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Moments {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (count, sum, squares) = <(u64, String, String)>::deserialize(deserializer)?;
        let number = |text: String| text.parse::<i128>().map_err(serde::de::Error::custom);
        Ok(Self { count, sum: number(sum)?, squares: number(squares)? })
    }
}

/// Fixed-point units per 1, in which [`FigureSums`] adds fractions. Such sums do not depend on the order of
/// addition.
const UNITS: f64 = (1u64 << 40) as f64;

/// Number of counters, one for each integer below this number. The integer may be the index of a category's
/// word.
const SMALL: usize = FigureKind::MAX_WORDS;

/// Sums of a game's figure. Integers up to 2·10^9 are exact; other values are rounded to 2^-40 (about
/// 10^-12). Non-finite values count as missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureSums {
    /// Counts of 0, 1, 2, …. This is the fast path: most figures count a few things.
    small: [u64; SMALL],
    whole: Moments,
    /// Values that are no 32-bit integers, in [`UNITS`].
    rest: Moments,
}

impl Default for FigureSums {
    fn default() -> Self {
        Self { small: [0; SMALL], whole: Moments::default(), rest: Moments::default() }
    }
}

impl FigureSums {
    /// Adds a value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        // Adding 2^52 moves the integer part of a double to its low bits. All values but small integers
        // either change when 2^52 is subtracted again, or set higher bits. This test costs half as much as a
        // cast.
        const TWO_52: f64 = (1u64 << 52) as f64;
        let shifted = value + TWO_52;
        let index = shifted.to_bits().wrapping_sub(TWO_52.to_bits());
        if index < SMALL as u64 && (shifted - TWO_52).to_bits() == value.to_bits() {
            self.small[index as usize] += 1;
        } else {
            cold_path();
            self.add_large(value);
        }
    }

    #[inline(never)]
    fn add_large(&mut self, value: f64) {
        let whole = value as i32;
        if f64::from(whole) == value {
            self.whole.add(i64::from(whole));
        } else if value.is_finite() {
            self.rest.count += 1;
            self.rest.sum = self.rest.sum.saturating_add((value * UNITS).round_ties_even() as i128);
            let square = (value * value * UNITS).round_ties_even() as i128;
            self.rest.squares = self.rest.squares.saturating_add(square);
        }
    }

    /// Adds the sums of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.small.iter_mut().zip(&other.small).for_each(|(own, other)| *own += other);
        self.whole.merge(&other.whole);
        self.rest.count += other.rest.count;
        self.rest.sum = self.rest.sum.saturating_add(other.rest.sum);
        self.rest.squares = self.rest.squares.saturating_add(other.rest.squares);
    }

    /// Resets all sums.
    pub fn clear(&mut self) {
        self.small.fill(0);
        (self.whole, self.rest) = (Moments::default(), Moments::default());
    }

    fn whole(&self) -> Moments {
        let mut moments = self.whole;
        for (value, count) in self.small.iter().enumerate() {
            let (value, times) = (value as i128, i128::from(*count));
            moments.count += count;
            moments.sum += value * times;
            moments.squares += value * value * times;
        }
        moments
    }

    /// Counts of `0..words`; at most 64 are available.
    pub(crate) fn of_each(&self, words: usize) -> &[u64] {
        &self.small[..words.min(SMALL)]
    }

    /// Counts from 0 up to the largest value, if all values are small integers.
    pub(crate) fn small_counts(&self) -> Option<&[u64]> {
        let last = self.small.iter().rposition(|count| *count > 0)?;
        (self.whole.count == 0 && self.rest.count == 0).then(|| &self.small[..=last])
    }

    /// Number of finite values.
    pub fn count(&self) -> u64 {
        self.whole().count + self.rest.count
    }

    /// Mean; `None` if empty.
    pub fn mean(&self) -> Option<f64> {
        let whole = self.whole();
        let count = whole.count + self.rest.count;
        let sum = whole.sum as f64 + self.rest.sum as f64 / UNITS;
        (count > 0).then(|| sum / count as f64)
    }

    /// Sample standard deviation, with n - 1; `None` for fewer than two values.
    pub fn sd(&self) -> Option<f64> {
        let whole = self.whole();
        if self.rest.count == 0 {
            return whole.sd();
        }
        let n = (whole.count + self.rest.count) as f64;
        if n < 2.0 {
            return None;
        }
        let sum = whole.sum as f64 + self.rest.sum as f64 / UNITS;
        let squares = whole.squares as f64 + self.rest.squares as f64 / UNITS;
        Some(((squares - sum * (sum / n)).max(0.0) / (n - 1.0)).sqrt())
    }
}

impl Serialize for FigureSums {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let used = self.small.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        (&self.small[..used], self.whole, self.rest).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FigureSums {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (used, whole, rest) = <(Vec<u64>, Moments, Moments)>::deserialize(deserializer)?;
        let mut small = [0; SMALL];
        let Some(slots) = small.get_mut(..used.len()) else {
            return Err(serde::de::Error::custom(format!("expected at most {SMALL} counts")));
        };
        slots.copy_from_slice(&used);
        Ok(Self { small, whole, rest })
    }
}
