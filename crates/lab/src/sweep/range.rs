//! Values of a swept parameter: `1..20`, `1..100+3`, `0.05..1+0.05`, `a|b|c`, and `a,b,c` for words.

use meeple_core::Domain;

use crate::error::{LabError, Mismatch};

const MAX_VALUES: i128 = 1000;
const MAX_DECIMALS: usize = 12;

/// The values of a range or list; `None` for a plain value.
///
/// Ranges include both ends if the steps reach the last one, and have at least two values unless the ends are
/// equal. The step is 1 unless `+STEP` follows, which fractional ends require. Numbers are counted in units
/// of the smallest written decimal place, so steps have no rounding errors.
///
/// # Errors
/// If a range is malformed or empty, lacks a step between fractional ends, has a step larger than itself or
/// too many values. Also if a list has empty values or duplicates, or the values may not be listed like this.
pub(super) fn values(name: &str, text: &str, domain: &Domain) -> Result<Option<Vec<String>>, LabError> {
    let texts = matches!(domain, Domain::Text | Domain::File | Domain::ChoiceOrFile(_));
    if texts && !is_list_of_names(text) {
        return Ok(None);
    }
    let words = texts || matches!(domain, Domain::Choice(_) | Domain::Switch);
    let separator = if words && !text.contains('|') { ',' } else { '|' };
    if text.contains(separator) {
        let words: Vec<String> = text.split(separator).map(|word| word.trim().to_owned()).collect();
        if words.iter().any(String::is_empty) {
            return Err(wrong(name, &format!("values between '{separator}'"), text, "as in a|b|c"));
        }
        let numbers = matches!(domain, Domain::Int { .. } | Domain::Real { .. });
        let value = |word: &String| match Decimal::parse(word) {
            Some(number) if numbers => number.to_string(),
            _ => word.clone(),
        };
        let values: Vec<String> = words.iter().map(value).collect();
        if let Some(again) = (0..words.len()).find(|index| values[..*index].contains(&values[*index])) {
            return Err(wrong(name, "each value once", text, &format!("'{}' occurs twice", words[again])));
        }
        return Ok(Some(words));
    }
    if matches!(domain, Domain::Int { .. } | Domain::Real { .. }) && text.contains(',') {
        let hint = format!("lists of numbers take '|', as in {}", text.replace(',', "|"));
        return Err(wrong(name, &domain.to_string(), text, &hint));
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
    let written_step = rest.split_once('+');
    let (last, step) = written_step.unwrap_or((rest, "1"));
    if let Some(last) = last.trim().strip_prefix('.') {
        let two = format!("{}..{}", first.trim(), last.trim_start_matches('.'));
        let step = written_step.map_or_else(String::new, |(_, step)| format!("+{step}"));
        let hint =
            format!("a range has two dots, as in {two}{step}; a fraction begins with its 0, as in 0.5");
        return Err(wrong(name, "FIRST..LAST or FIRST..LAST+STEP", text, &hint));
    }
    let ends = format!("{}..{}", first.trim(), last.trim());
    let number = |part: &str| {
        Decimal::parse(part.trim()).ok_or_else(|| {
            wrong(name, "FIRST..LAST or FIRST..LAST+STEP", text, "as in 1..20 or 0.05..1+0.05")
        })
    };
    let (first, last, step) = (number(first)?, number(last)?, number(step)?);
    let has_fraction = first.has_fraction() || last.has_fraction();
    let places = first.places.max(last.places).max(step.places);
    let (first, last, step) = (first.at(places), last.at(places), step.at(places));
    if step <= 0 {
        return Err(wrong(name, "a step above 0", text, "as in 1..20+2"));
    }
    if first > last {
        return Err(wrong(name, "a first value not above the last", text, "swap the ends"));
    }
    // With fractional ends, the default step of 1 is probably not intended.
    if written_step.is_none() && has_fraction && first < last {
        let hint = format!("as in {ends}+0.1");
        return Err(wrong(name, "a step where an end is no whole number", text, &hint));
    }
    if first < last && step > last - first {
        let widest = Decimal { units: last - first, places };
        let hint = format!("the step may be {widest} at most, as in {ends}+{widest}");
        return Err(wrong(name, "at least two values", text, &hint));
    }
    let count = (last - first) / step + 1;
    if count > MAX_VALUES {
        let hint = format!("choose a larger step; {count} values are too many");
        return Err(wrong(name, &format!("at most {MAX_VALUES} values"), text, &hint));
    }
    let decimals = (0..count).map(|index| Decimal { units: first + index * step, places }.to_string());
    Ok(Some(decimals.collect()))
}

/// A list of names, as of maps or files: `pocket,@chart.map`. Any other content of a text parameter is a
/// single value.
fn is_list_of_names(text: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = |part: &str| match part.trim().strip_prefix('@') {
        Some(path) => !path.is_empty() && !path.contains('\n'),
        None => !part.trim().is_empty() && part.trim().chars().all(in_name),
    };
    let separator = if text.contains('|') { '|' } else { ',' };
    text.contains(separator) && text.split(separator).all(is_name)
}

pub(super) fn wrong(name: &str, expected: &str, found: &str, hint: &str) -> LabError {
    LabError::Range(name.to_owned(), Mismatch::new(expected, format!("'{found}'"), hint))
}

/// `units` times ten to the minus `places`.
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
        let fits = whole.len() <= 18 && fraction.len() <= MAX_DECIMALS;
        if !fits || whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        let units: i128 = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { units: sign * units, places: fraction.len() })
    }

    fn has_fraction(self) -> bool {
        self.units % 10i128.pow(self.places as u32) != 0
    }

    /// The number in units of 10^-`places`, where `places` is at least its own.
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
