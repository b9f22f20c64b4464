//! Faults: reports of broken laws.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;

/// A broken law, before its place is known.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) law: &'static str,
    pub(crate) what: String,
}

pub(crate) type Held = Result<(), Fault>;

/// Returns from the law with a [`Fault`] unless the condition holds.
macro_rules! hold {
    ($law:expr, $condition:expr, $($text:tt)+) => {{
        let held: bool = $condition;
        if !held {
            return Err($crate::laws::fault::Fault { law: $law, what: format!($($text)+) });
        }
    }};
}
pub(crate) use hold;

/// The value of a result. An error breaks the law, and is appended to the description `what`.
pub(crate) fn granted<T, E: fmt::Display>(
    law: &'static str,
    result: Result<T, E>,
    what: impl FnOnce() -> String,
) -> Result<T, Fault> {
    result.map_err(|error| Fault { law, what: format!("{}: {error}", what()) })
}

pub(crate) fn hash_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Checks that two values and their hashes are equal.
pub(crate) fn hold_same<T: PartialEq + Hash + fmt::Debug>(
    law: &'static str,
    one: &T,
    other: &T,
    what: impl FnOnce() -> String,
) -> Held {
    let shown = |value: &T| short(&format!("{value:?}"));
    let same = one == other && hash_of(one) == hash_of(other);
    hold!(law, same, "{}:\n  {}\n  {}", what(), shown(one), shown(other));
    Ok(())
}

/// Checks that a text form is one line and round-trips.
pub(crate) fn text_form<T: PartialEq + fmt::Debug + fmt::Display + FromStr<Err: fmt::Display>>(
    value: &T,
    [one_line, round_trip]: [&'static str; 2],
) -> Result<T, Fault> {
    let text = value.to_string();
    let plain = !text.is_empty() && text.trim() == text && !text.contains(['\n', '\r']);
    hold!(one_line, plain, "a text form must be one line without blanks around it, found {text:?}");
    let parsed = text.parse::<T>();
    let parsed = granted(round_trip, parsed, || format!("{value:?} prints as {text:?}, which is refused"))?;
    hold!(round_trip, parsed == *value, "{value:?} prints as {text:?}, which parses to {parsed:?}");
    Ok(parsed)
}

pub(crate) fn short(text: &str) -> String {
    const MAX_CHARS: usize = 600;
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX_CHARS).collect();
    format!("{head} … ({} bytes in all)", text.len())
}

/// The first place where two texts differ, with some context.
pub(crate) fn difference(left: &str, right: &str) -> String {
    let same = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let cut = |text: &str| -> String {
        let bytes = &text.as_bytes()[same.saturating_sub(60).min(text.len())..(same + 100).min(text.len())];
        String::from_utf8_lossy(bytes).into_owned()
    };
    format!("from byte {same} on:\n    - {}\n    + {}", cut(left), cut(right))
}

/// Builder methods that set the field of their name.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => {
        $($(#[$doc])*
        pub fn $name(mut self, $name: $type) -> Self {
            self.$name = $name;
            self
        })*
    };
}
pub(crate) use setters;

/// A broken law of a game, with its place.
#[derive(Debug)]
pub struct BrokenLaw {
    /// The name of the law.
    pub law: &'static str,
    /// Expected and found values, the place, and how to reproduce it.
    pub message: String,
}

impl fmt::Display for BrokenLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law '{}' is broken: {}", self.law, self.message)
    }
}

impl std::error::Error for BrokenLaw {}
