//! The natural logarithm of counts, the same to the last bit on every machine.

/// ln of a whole number, to about 1e-10; 0 for 0. It uses only additions, multiplications and divisions,
/// whose results IEEE 754 fixes to the last bit. The logarithms of two platforms' libraries may differ in the
/// last bit, and then decisions would differ.
#[inline]
pub(crate) fn ln(count: u32) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let exponent = 31 - count.leading_zeros();
    // The mantissa lies in `1..2`.
    let mantissa = f64::from(count) / f64::from(1u32 << exponent);
    // ln m = 2 artanh((m - 1) / (m + 1)), as a power series; the argument is below 1/3.
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let mut sum = 0.0;
    let mut odd = 17.0;
    while odd > 0.0 {
        sum = sum * square + 1.0 / odd;
        odd -= 2.0;
    }
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * ratio * sum
}

const KEPT: u32 = 1024;

/// Logarithms of counts, with a table of small ones.
pub(crate) struct Logarithms(Vec<f64>);

impl Logarithms {
    pub(crate) fn new() -> Self {
        Self((0..KEPT).map(ln).collect())
    }

    #[inline]
    pub(crate) fn of(&self, count: u32) -> f64 {
        self.0.get(count as usize).copied().unwrap_or_else(|| ln(count))
    }
}
