//! Opaque sRGB colours.

use std::fmt;
use std::str::FromStr;

/// An opaque sRGB colour: red, green, blue.
///
/// Its text form is `#rrggbb`; [`Display`](fmt::Display) and [`FromStr`] round-trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Color(pub u8, pub u8, pub u8);

/// Error for a text that is no colour of the form `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a colour as #rrggbb, found {found:?}")]
pub struct ParseColorError {
    /// The text as given.
    pub found: String,
}

impl Color {
    /// The colour of a literal `#rrggbb`, for constants.
    ///
    /// # Panics
    /// If `code` has another form. In a `const` this is a compile error. Text from outside is parsed with
    /// [`FromStr`].
    pub const fn hex(code: &str) -> Color {
        match from_hex(code) {
            Some(color) => color,
            None => panic!("expected a colour as #rrggbb"),
        }
    }

    /// The colour at `share` of the way from this one to `other`; shares are clamped to 0..=1.
    ///
    /// The mixture is computed in sRGB, channel by channel: simple and good enough for tints.
    pub fn mix(self, other: Color, share: f64) -> Color {
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        let channel =
            |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8;
        Color(channel(self.0, other.0), channel(self.1, other.1), channel(self.2, other.2))
    }

    /// This colour moved towards white by `share` (0 to 1).
    pub fn lighter(self, share: f64) -> Color {
        self.mix(Color(255, 255, 255), share)
    }

    /// This colour moved towards black by `share` (0 to 1).
    pub fn darker(self, share: f64) -> Color {
        self.mix(Color(0, 0, 0), share)
    }

    /// Perceived lightness from 0 (black) to 1 (white): weighted sRGB channels (Rec. 601 luma).
    pub fn lightness(self) -> f64 {
        (0.299 * f64::from(self.0) + 0.587 * f64::from(self.1) + 0.114 * f64::from(self.2)) / 255.0
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        from_hex(text).ok_or_else(|| ParseColorError { found: text.to_owned() })
    }
}

const fn from_hex(code: &str) -> Option<Color> {
    let [b'#', first, ..] = code.as_bytes() else { return None };
    // `from_str_radix` also accepts a leading plus sign.
    if code.len() != 7 || *first == b'+' {
        return None;
    }
    match u32::from_str_radix(code.split_at(1).1, 16) {
        Ok(number) => {
            let [_, red, green, blue] = number.to_be_bytes();
            Some(Color(red, green, blue))
        }
        Err(_) => None,
    }
}
