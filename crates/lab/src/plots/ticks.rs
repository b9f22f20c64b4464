use std::fmt::Write as _;

const UNITS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")];
/// Smallest number with a unit: 9000 is shown as `9000`, 10,000 as `10k`.
const MIN_WITH_UNIT: f64 = 10_000.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Values {
    Whole,
    Any,
}

/// About `most` round numbers from `low` to `high`, with their format.
pub(super) struct Ticks {
    pub at: Vec<f64>,
    form: Form,
}

impl Ticks {
    pub fn new((low, high): (f64, f64), most: usize, values: Values) -> Self {
        let least = (high - low) / most.max(1) as f64;
        let power = 10f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(least);
        let step = if values == Values::Whole { step.max(1.0) } else { step };
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        let count = (last - first).max(0.0) as u32 + 1;
        // Steps below 1 divide instead of multiply, so ticks are the doubles nearest to their labels.
        let at = |index: u32| {
            let place = first + f64::from(index);
            if step < 1.0 { place / (1.0 / step).round() } else { place * step }
        };
        let at: Vec<f64> = (0..count).map(at).collect();
        let largest = at.iter().copied().map(f64::abs).fold(0.0, f64::max);
        Self { form: Form::by_step(largest, step), at }
    }

    pub fn text(&self, value: f64) -> String {
        self.form.text(value)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Form {
    unit: f64,
    name: &'static str,
    decimals: usize,
}

impl Form {
    const PLAIN: Self = Self { unit: 1.0, name: "", decimals: 0 };

    /// The format with the largest unit that needs at most two decimals.
    fn by_step(largest: f64, step: f64) -> Self {
        let decimals = |unit: f64| (-(step / unit).log10() - 1e-9).ceil().clamp(0.0, 9.0) as usize;
        let fits =
            |(unit, _): &&(f64, &str)| largest >= MIN_WITH_UNIT && largest >= *unit && decimals(*unit) <= 2;
        match UNITS.iter().find(fits) {
            Some((unit, name)) => Self { unit: *unit, name, decimals: decimals(*unit) },
            None => Self { decimals: decimals(1.0), ..Self::PLAIN },
        }
    }

    /// The format for a range: small numbers have `decimals` decimals, large ones three or four digits.
    pub fn by_range(low: f64, high: f64, decimals: usize) -> Self {
        let largest = low.abs().max(high.abs());
        let Some((unit, name)) = UNITS.iter().find(|(unit, _)| largest >= MIN_WITH_UNIT && largest >= *unit)
        else {
            return Self { decimals: if largest >= 1000.0 { 0 } else { decimals }, ..Self::PLAIN };
        };
        let digits = if high - low < 0.05 * largest { 3.0 } else { 2.0 };
        let places = (digits - (largest / unit).log10().floor()).clamp(0.0, 3.0);
        Self { unit: *unit, name, decimals: places as usize }
    }

    pub fn text(self, value: f64) -> String {
        if value == 0.0 {
            return "0".to_owned();
        }
        let digits = format!("{:.*}", self.decimals, value.abs() / self.unit);
        let rounded_away = digits.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        let sign = if value < 0.0 && !rounded_away { "-" } else { "" };
        let (whole, part) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
        let mut text = sign.to_owned();
        match whole.parse() {
            Ok(whole) if whole >= 10_000 => text.push_str(&crate::text::grouped(whole)),
            _ => text.push_str(whole),
        }
        write!(text, "{part}{}", self.name).expect("writing to a text cannot fail");
        text
    }
}
