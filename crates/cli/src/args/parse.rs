//! Parsers of flag values. Their errors say what was expected.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use meeple_server::Network;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) fn words<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &'static [(&'static str, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let values = words.iter().map(|(word, help)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(values).try_map(|word| serde_json::from_value(Value::String(word)))
}

/// Parses a count. Callers check that it is at least 1.
pub(super) fn parse_count(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 1 to {}, digits only, as in 1000000", u64::MAX))
}

/// Parses a number above 0.
pub(super) fn parse_positive(text: &str) -> Result<NonZeroUsize, String> {
    let wrong = |_| format!("expected a whole number from 1 to {}, digits only, as in 1000", usize::MAX);
    text.parse().map_err(wrong)
}

pub(super) fn parse_seats(text: &str) -> Result<usize, String> {
    let wrong = |_| {
        "expected a whole number, digits only, as in 4\nhint: meeple games lists how many seats games have"
            .to_owned()
    };
    text.parse().map_err(wrong)
}

/// Parses a whole number within the bounds of type `T`. Callers check narrower bounds.
pub(super) fn parse_whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let most = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
    let number = text.parse::<u64>().ok().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("expected a whole number from 0 to {most}, digits only"))
}

pub(super) fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "expected the number of an address, as 127.0.0.1, 0.0.0.0 or ::1".to_owned())
}

/// Parses a server's host name as browsers send it, without a port; `*` stands for any.
pub(super) fn parse_host_name(text: &str) -> Result<String, String> {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
            && !label.starts_with('-')
    };
    if text == "*" || text.split('.').all(is_label) {
        return Ok(text.to_owned());
    }
    Err("expected a name of a server, as play.example.org, or * for any\nhint: without http:// and without a port".to_owned())
}

pub(super) fn parse_network(text: &str) -> Result<Network, String> {
    text.parse()
}

pub(super) fn parse_number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number, as in 0.05".to_owned())
}

pub(super) fn parse_moment(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "expected a whole number, below 0 to count from the end".to_owned())
}

pub(super) fn parse_width(text: &str) -> Result<u32, String> {
    let width = text.parse().ok().filter(|width| (16..=10_000).contains(width));
    width.ok_or_else(|| "expected a whole number from 16 to 10000".to_owned())
}

/// Parses a time in `ms` or `s`, from 1 ms to 1 h.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let number = |unit: &str| text.strip_suffix(unit)?.trim().parse::<f64>().ok();
    let seconds = number("ms").map(|number| number / 1000.0).or_else(|| number("s"));
    let seconds = seconds.filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a time from 1ms to 3600s, as in 1.5s or 500ms".to_owned())
}

pub(super) fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed: &f64| (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "expected a number from 0.01 to 1000".to_owned())
}
