//! Parameter values: ends of domains, some between, and random ones.

use meeple_core::{Domain, ParamSpec, Stream};

use crate::laws::facts::inside;

/// Maximum length of a list.
const MAX_LIST: usize = 64;

/// The ends of the parameter's domain, and some values between.
pub(super) fn telling_values(param: &ParamSpec, texts: &[String], stream: &mut Stream) -> Vec<String> {
    let mut values = inside(&param.domain);
    match &param.domain {
        Domain::Int { min, max } => {
            let inner = [min.saturating_add(1), max.saturating_sub(1), int(*min, *max, stream)];
            values.extend(inner.iter().filter(|value| (min..=max).contains(value)).map(i64::to_string));
        }
        Domain::Real { min, max } => {
            values.extend([(min + max) / 2.0, real(*min, *max, stream)].map(|value| value.to_string()));
        }
        Domain::Switch | Domain::Choice(_) | Domain::ChoiceOrFile(_) => {}
        Domain::IntList { min, max, .. } => {
            // The default with one item at an end of the range: constrained lists often allow no larger
            // change.
            let default: Vec<i64> = param.default.split(',').filter_map(|item| item.parse().ok()).collect();
            for end in [*min, *max] {
                let mut list = default.clone();
                if !list.is_empty() {
                    let at = stream.index(list.len());
                    list[at] = end;
                }
                values.push(join(&list));
            }
        }
        Domain::Text | Domain::File => values.extend(std::iter::once(&param.default).chain(texts).cloned()),
    }
    let mut seen = Vec::new();
    values.retain(|value| {
        let new = !seen.contains(value);
        seen.push(value.clone());
        new
    });
    values
}

/// A random value of the parameter's domain.
pub(super) fn random_value(param: &ParamSpec, texts: &[String], stream: &mut Stream) -> String {
    match &param.domain {
        Domain::Int { min, max } => int(*min, *max, stream).to_string(),
        Domain::Real { min, max } => real(*min, *max, stream).to_string(),
        Domain::IntList { min, max, fewest, most } => {
            let most = (*most).min(MAX_LIST);
            let count = int(*fewest as i64, most as i64, stream) as usize;
            let mut list: Vec<i64> = (0..count).map(|_| int(*min, *max, stream)).collect();
            if stream.coin() {
                list.sort_unstable();
            }
            join(&list)
        }
        Domain::Switch | Domain::Choice(_) | Domain::ChoiceOrFile(_) | Domain::Text | Domain::File => {
            let values = telling_values(param, texts, stream);
            values[stream.index(values.len())].clone()
        }
    }
}

/// A random integer: an end, a uniform value, or a value near the lower end, where neighbours differ most.
fn int(min: i64, max: i64, stream: &mut Stream) -> i64 {
    let span = max.wrapping_sub(min) as u64;
    let below = |bound: u64, stream: &mut Stream| match bound {
        u64::MAX => stream.bits(),
        _ => stream.bits() % (bound + 1),
    };
    let offset = match stream.below(8) {
        0 => 0,
        1 => span,
        2 | 3 => below(span, stream),
        _ => {
            let bits = 64 - span.leading_zeros();
            let width = stream.below(bits + 1);
            below(span.min((1u64 << width.min(63)) - 1), stream)
        }
    };
    min.wrapping_add(offset as i64)
}

fn real(min: f64, max: f64, stream: &mut Stream) -> f64 {
    match stream.below(8) {
        0 => min,
        1 => max,
        // Near the lower end, by orders of magnitude.
        2 | 3 => (min + (max - min) * 0.1f64.powi(stream.below(7) as i32 + 1)).clamp(min, max),
        _ => (min + (max - min) * stream.unit()).clamp(min, max),
    }
}

fn join(list: &[i64]) -> String {
    list.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}
