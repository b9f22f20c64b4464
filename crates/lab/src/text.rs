//! Formatting of numbers for people.

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Decimals for a number with this half width of its interval: one beyond the first uncertain digit.
pub(crate) fn decimals(half: f64) -> usize {
    if half > 0.0 && half.is_finite() { (1.0 - half.log10().floor()).clamp(0.0, 4.0) as usize } else { 1 }
}

/// The wider side of an interval around `value`.
pub(crate) fn half(value: f64, interval: [f64; 2]) -> f64 {
    (value - interval[0]).max(interval[1] - value)
}

/// `45.23 ± 0.10`: a value and the wider side of its interval.
pub fn with_half(value: f64, interval: Option<[f64; 2]>) -> String {
    match interval.filter(|[low, high]| low < high) {
        Some(interval) => {
            let half = half(value, interval);
            let places = decimals(half);
            format!("{value:.places$} ± {half:.places$}")
        }
        None => number(value),
    }
}

/// A share with the wider side of its interval, in percent.
pub fn percent_with_half(share: f64, interval: [f64; 2]) -> String {
    if interval[0] >= interval[1] {
        return format!("{:.1}", 100.0 * share);
    }
    let half = 100.0 * half(share, interval);
    let places = decimals(half).clamp(1, 3);
    format!("{:.places$} ± {half:.places$}", 100.0 * share)
}

/// A number with four significant digits or all its integer digits, without trailing zeros.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let digits = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let places = (3.0 - digits).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.places$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

pub(crate) fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), number)
}

/// Two decimals, or four significant digits if small.
pub(crate) fn spread(value: Option<f64>) -> String {
    match value {
        Some(value) if value >= 1.0 || value == 0.0 => format!("{value:.2}"),
        other => optional(other),
    }
}

pub(crate) fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

pub(crate) fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
