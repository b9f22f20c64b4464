//! Ranges of numbers as text: `7`, `1..26`, `0.05..1+0.05`.

/// A range of numbers. The lower end is included, and the upper end if a step meets it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Range {
    text: String,
    /// The ends and the step in units of the last decimal of the text.
    from: i64,
    to: i64,
    step: i64,
    decimals: usize,
}

impl Range {
    /// Parses `A`, `A..B` or `A..B+STEP`. The numbers are decimal fractions, and the range represents them
    /// exactly.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let invalid = || format!("expected a number, A..B or A..B+STEP, found '{text}'");
        let (from, to, step) = match text.split_once("..") {
            None => (text, text, "1"),
            // In three dots, the third would belong to `.5`, which needs a leading 0 here.
            Some((_, rest)) if rest.trim_start().starts_with('.') => return Err(invalid()),
            Some((from, rest)) => match rest.split_once('+') {
                None => (from, rest, "1"),
                Some((to, step)) => (from, to, step),
            },
        };
        let parts = [from, to, step].map(str::trim);
        let decimals = parts.map(|part| part.split_once('.').map_or(0, |(_, digits)| digits.len()));
        let decimals = decimals.into_iter().max().unwrap_or(0);
        let numbers = parts.map(|part| units(part, decimals));
        let [Some(from), Some(to), Some(step)] = numbers else {
            return Err(invalid());
        };
        if step == 0 {
            return Err(format!("expected a step above 0, found '{text}'"));
        }
        if to < from {
            return Err(format!("expected a range that ascends, found '{text}'"));
        }
        if from != to && decimals > 0 && !text.contains('+') {
            return Err(format!("expected a step, as in {text}+0.05, found '{text}'"));
        }
        if from != to && step > to - from {
            return Err(format!("expected a step of at most the width of the range, found '{text}'"));
        }
        Ok(Self { text: text.to_owned(), from, to, step, decimals })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn from(&self) -> f64 {
        self.value(self.from)
    }

    /// The upper end. No value of the range is larger.
    pub(super) fn to(&self) -> f64 {
        self.value(self.to)
    }

    pub(super) fn len(&self) -> usize {
        ((self.to - self.from) / self.step) as usize + 1
    }

    /// Returns true if all values are whole numbers.
    pub(super) fn is_whole(&self) -> bool {
        let unit = 10i64.pow(self.decimals as u32);
        self.from % unit == 0 && (self.step % unit == 0 || self.len() == 1)
    }

    /// The values in ascending order.
    pub(super) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len() as i64).map(|index| self.value(self.from + index * self.step))
    }

    fn value(&self, units: i64) -> f64 {
        // The division gives the number nearest to the decimal fraction, as parsing it would.
        units as f64 / 10f64.powi(self.decimals as i32)
    }
}

/// Parses a non-negative decimal fraction, in units of its `decimals`-th decimal.
fn units(text: &str, decimals: usize) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction:0<decimals$}");
    let plain = !whole.is_empty() && digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}
