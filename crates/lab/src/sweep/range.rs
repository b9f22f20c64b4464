//! Values of a swept parameter: `1..20`, `1..100+3`, `0.05..1+0.05`, `a|b|c`, and `a,b,c` for words.

use meeple_core::Domain;

use crate::LabError;

/// Most values on an axis.
const MOST_VALUES: i128 = 1000;
/// Most digits behind the point.
const MOST_DECIMALS: usize = 12;

/// The values that `text` stands for, or `None` if it is a plain value.
///
/// Ranges include both ends where the steps reach the last; the step is 1 unless `+STEP` follows. All
/// numbers are counted in the smallest decimal place that is written, so that no step is off by a rounding.
///
/// # Errors
/// If it is a range that cannot be read, is empty, or has too many values.
pub(super) fn values(name: &str, text: &str, domain: &Domain) -> Result<Option<Vec<String>>, LabError> {
    if matches!(domain, Domain::Text) && !is_list_of_names(text) {
        return Ok(None);
    }
    let words = matches!(domain, Domain::Choice(_) | Domain::Switch | Domain::Text);
    let separator = if words && !text.contains('|') { ',' } else { '|' };
    if text.contains(separator) {
        let words: Vec<String> = text.split(separator).map(|word| word.trim().to_owned()).collect();
        if words.iter().any(String::is_empty) {
            return Err(wrong(name, &format!("values between '{separator}'"), text, "as in a|b|c"));
        }
        if let Some(word) =
            words.iter().enumerate().find_map(|(i, word)| words[..i].contains(word).then_some(word))
        {
            return Err(wrong(name, "each value once", text, &format!("'{word}' is there twice")));
        }
        return Ok(Some(words));
    }
    let Some((first, rest)) = text.split_once("..") else { return Ok(None) };
    if !matches!(domain, Domain::Int { .. } | Domain::Real { .. }) {
        return Err(wrong(
            name,
            &domain.to_string(),
            text,
            "ranges are for numbers; list the values, as in a|b|c",
        ));
    }
    let (last, step) = rest.split_once('+').unwrap_or((rest, "1"));
    let number = |part: &str| {
        Decimal::parse(part.trim()).ok_or_else(|| {
            wrong(name, "FIRST..LAST or FIRST..LAST+STEP", text, "as in 1..20 or 0.05..1+0.05")
        })
    };
    let (first, last, step) = (number(first)?, number(last)?, number(step)?);
    let places = first.places.max(last.places).max(step.places);
    let (first, last, step) = (first.at(places), last.at(places), step.at(places));
    if step <= 0 {
        return Err(wrong(name, "a step above 0", text, "as in 1..20+2"));
    }
    if first > last {
        return Err(wrong(name, "a first value not above the last", text, "turn the ends round"));
    }
    let count = (last - first) / step + 1;
    if count > MOST_VALUES {
        let hint = format!("choose a larger step; {count} values are too many");
        return Err(wrong(name, &format!("at most {MOST_VALUES} values"), text, &hint));
    }
    let decimals = (0..count).map(|index| Decimal { units: first + index * step, places }.to_string());
    Ok(Some(decimals.collect()))
}

/// Whether a text is several names, as of maps, or files: `pocket,@chart.map`. Anything else that a text
/// parameter may hold is one value.
fn is_list_of_names(text: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = |part: &str| match part.trim().strip_prefix('@') {
        Some(path) => !path.is_empty() && !path.contains('\n'),
        None => !part.trim().is_empty() && part.trim().chars().all(in_name),
    };
    let separator = if text.contains('|') { '|' } else { ',' };
    text.contains(separator) && text.split(separator).all(is_name)
}

fn wrong(name: &str, expected: &str, found: &str, hint: &str) -> LabError {
    LabError::Range {
        name: name.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
        hint: hint.to_owned(),
    }
}

/// A decimal number: `units` times ten to the minus `places`.
#[derive(Clone, Copy)]
struct Decimal {
    units: i128,
    places: usize,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let fits = whole.len() <= 18 && fraction.len() <= MOST_DECIMALS;
        if !fits || whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        let units: i128 = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { units: sign * units, places: fraction.len() })
    }

    /// In units of ten to the minus `places`, which are at least its own.
    fn at(self, places: usize) -> i128 {
        self.units * 10i128.pow((places - self.places) as u32)
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scale = 10u128.pow(self.places as u32);
        let (whole, fraction) = (self.units.unsigned_abs() / scale, self.units.unsigned_abs() % scale);
        let sign = if self.units < 0 { "-" } else { "" };
        write!(f, "{sign}{whole}")?;
        if fraction > 0 {
            let digits = format!("{fraction:0places$}", places = self.places);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        Ok(())
    }
}
