//! Parameters declared once: rule variants and agent settings.
//!
//! A declaration with [`params!`](crate::params!) yields the struct, its defaults, and a table of names,
//! types, ranges and docs. Parsing, help, sweeps, RULES.md and JSON all use that table.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use thiserror::Error;

/// A set of declared parameters. Implemented by [`params!`](crate::params!), never by hand.
pub trait Params: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The declarations, in order. They are equal for all values derived from one default.
    fn specs(&self) -> Vec<ParamSpec>;

    /// The value of the parameter with this name; `None` if there is none.
    fn get(&self, name: &str) -> Option<ParamValue>;

    /// Sets one parameter from its text form.
    ///
    /// # Errors
    /// An unknown name, or a text outside the domain; `self` is unchanged then.
    fn set(&mut self, name: &str, text: &str) -> Result<(), ParamError>;

    /// Every parameter with its value, in the order of declaration.
    fn to_json(&self) -> Value {
        let values = self.specs().into_iter().filter_map(|spec| {
            let value = serde_json::to_value(self.get(spec.name)?).expect("plain data");
            Some((spec.name.to_owned(), value))
        });
        Value::Object(values.collect::<Map<_, _>>())
    }

    /// Reads the output of [`to_json`](Params::to_json). Missing parameters keep their value in `self`.
    ///
    /// # Errors
    /// As [`set`](Params::set), or if `value` is no object.
    fn with_json(&self, value: &Value) -> Result<Self, ParamError> {
        let Some(map) = value.as_object() else {
            return Err(ParamError::Invalid {
                name: "variant".into(),
                expected: "an object of parameters".into(),
                found: value.to_string(),
            });
        };
        let mut params = self.clone();
        for (name, value) in map {
            params.set(name, &param_text(value))?;
        }
        Ok(params)
    }

    /// Parameters added after the game's first release, each with the value that reproduces the older rules.
    /// Stored episodes may lack these parameters.
    fn before(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Reads the variant of a stored episode; `self` is the game's default. Only parameters listed by
    /// [`before`](Params::before) may be missing. They take their value from there, because the default may
    /// differ in this release.
    ///
    /// # Errors
    /// As [`with_json`](Params::with_json), or if another parameter is missing.
    fn with_stored(&self, value: &Value) -> Result<Self, ParamError> {
        let mut params = self.with_json(value)?;
        for spec in self.specs().into_iter().filter(|spec| value.get(spec.name).is_none()) {
            match self.before().iter().find(|(name, _)| *name == spec.name) {
                Some((name, text)) => params.set(name, text)?,
                None => return Err(ParamError::Missing { name: spec.name.to_owned() }),
            }
        }
        Ok(params)
    }
}

/// The text form of a parameter's value in JSON.
pub fn param_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Declaration of one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParamSpec {
    /// Name, as in `--set name=value`.
    pub name: &'static str,
    /// Default in text form.
    pub default: String,
    /// Type and range; serialised as a description in words.
    #[serde(rename = "values", serialize_with = "in_words")]
    pub domain: Domain,
    /// Effect, in a sentence or two.
    pub doc: String,
}

fn in_words<S: Serializer>(domain: &Domain, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(domain)
}

/// Type and range of a parameter.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// A whole number; bounds inclusive.
    Int { min: i64, max: i64 },
    /// A number; bounds inclusive.
    Real { min: f64, max: f64 },
    /// `on` or `off`.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Whole numbers separated by commas.
    IntList { min: i64, max: i64, fewest: usize, most: usize },
    /// Any text. On the command line `@FILE` stands for the content of that file.
    Text,
    /// Name of a file to read, or empty. Hosts that serve strangers refuse it.
    File,
    /// One of these words, or the name of a file to read. Hosts that serve strangers refuse files.
    ChoiceOrFile(&'static [&'static str]),
}

impl Domain {
    /// Returns true if `value` lies in the domain.
    pub fn contains(&self, value: &ParamValue) -> bool {
        match (self, value) {
            (Self::Int { min, max }, ParamValue::Int(value)) => (min..=max).contains(&value),
            (Self::Real { min, max }, ParamValue::Real(value)) => (min..=max).contains(&value),
            (Self::Switch, ParamValue::Switch(_)) | (Self::Text | Self::File, ParamValue::Text(_)) => true,
            (Self::ChoiceOrFile(_), ParamValue::Text(text)) => !text.is_empty(),
            (Self::Choice(words), ParamValue::Text(word)) => words.contains(&word.as_str()),
            (Self::IntList { min, max, fewest, most }, ParamValue::List(items)) => {
                (*fewest..=*most).contains(&items.len())
                    && items.iter().all(|item| (min..=max).contains(&item))
            }
            _ => false,
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Real { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Switch => write!(f, "on or off"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::IntList { min, max, fewest, most } => {
                write!(f, "{fewest} to {most} whole numbers from {min} to {max}, separated by commas")
            }
            Self::Text => write!(f, "a text, or @FILE"),
            Self::File => write!(f, "a file"),
            Self::ChoiceOrFile(words) => write!(f, "one of {}, or a file", words.join(", ")),
        }
    }
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ParamValue {
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// On or off.
    Switch(bool),
    /// A word or a text.
    Text(String),
    /// Whole numbers.
    List(Vec<i64>),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Switch(value) => f.write_str(if *value { "on" } else { "off" }),
            Self::Text(value) => f.write_str(value),
            Self::List(items) => {
                let texts: Vec<String> = items.iter().map(i64::to_string).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

/// A type for fields of a parameter struct.
pub trait ParamType: Sized {
    /// Parses the text form; `None` if it does not fit the type.
    fn from_text(text: &str) -> Option<Self>;
    /// The value as data.
    fn to_value(&self) -> ParamValue;
}

macro_rules! integers {
    ($($type:ty),*) => { $(
        impl ParamType for $type {
            fn from_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
            fn to_value(&self) -> ParamValue {
                ParamValue::Int(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
        impl ParamType for Vec<$type> {
            fn from_text(text: &str) -> Option<Self> {
                if text.trim().is_empty() {
                    return Some(Vec::new());
                }
                text.split(',').map(|item| item.trim().parse().ok()).collect()
            }
            fn to_value(&self) -> ParamValue {
                ParamValue::List(self.iter().map(|item| i64::try_from(*item).unwrap_or(i64::MAX)).collect())
            }
        }
    )* };
}
integers!(u8, u16, u32, u64, i32, i64, usize);

impl ParamType for f64 {
    fn from_text(text: &str) -> Option<Self> {
        // Turns -0 into 0, so that zero has only one text.
        text.parse().ok().filter(|value: &f64| value.is_finite()).map(|value| value + 0.0)
    }
    fn to_value(&self) -> ParamValue {
        ParamValue::Real(*self)
    }
}

impl ParamType for bool {
    fn from_text(text: &str) -> Option<Self> {
        match text {
            "on" | "true" | "yes" | "1" => Some(true),
            "off" | "false" | "no" | "0" => Some(false),
            _ => None,
        }
    }
    fn to_value(&self) -> ParamValue {
        ParamValue::Switch(*self)
    }
}

impl ParamType for String {
    fn from_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
    fn to_value(&self) -> ParamValue {
        ParamValue::Text(self.clone())
    }
}

/// Error in a parameter.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParamError {
    /// No parameter has this name.
    #[error("unknown parameter '{name}'\nhint: {hint}")]
    Unknown {
        name: String,
        /// The nearest existing name, or all names.
        hint: String,
    },
    /// The value is not in the parameter's domain.
    #[error("{name}: expected {expected}, found '{found}'")]
    Invalid { name: String, expected: String, found: String },
    /// A stored variant lacks a parameter.
    #[error("variant: expected a value of '{name}', found none")]
    Missing { name: String },
    /// The parameter is given more than once.
    #[error("{name} is given twice, as '{first}' and as '{second}'\nhint: give each parameter once")]
    Repeated { name: String, first: String, second: String },
    /// A value without a name follows one with a name.
    #[error("expected NAME=VALUE after '{last}', found '{found}'\nhint: values without a name come first")]
    Unnamed { found: String, last: String },
}

impl ParamError {
    pub(crate) fn repeated(name: &str, first: &str, second: &str) -> Self {
        Self::Repeated { name: name.to_owned(), first: first.to_owned(), second: second.to_owned() }
    }
}

pub(crate) fn known_params(specs: &[ParamSpec]) -> String {
    let known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
    if known.is_empty() {
        "it takes no parameters".into()
    } else {
        format!("expected one of {}", known.join(", "))
    }
}

/// Parses `text` as the value of parameter `name`: the body of every generated `set`.
///
/// # Errors
/// If the text does not fit the type or lies outside the domain.
pub fn parse_param<T: ParamType>(name: &str, text: &str, domain: &Domain) -> Result<T, ParamError> {
    T::from_text(text.trim()).filter(|value| domain.contains(&value.to_value())).ok_or_else(|| {
        ParamError::Invalid { name: name.into(), expected: domain.to_string(), found: text.into() }
    })
}

/// The error for an unknown name, with the nearest known name as a hint, or all known names.
pub fn unknown_param(name: &str, specs: &[ParamSpec]) -> ParamError {
    let nearest = nearest(name, specs.iter().map(|spec| spec.name));
    let hint = nearest.map_or_else(|| known_params(specs), |nearest| format!("did you mean '{nearest}'?"));
    ParamError::Unknown { name: name.into(), hint }
}

/// The candidate nearest to `word` by edit distance; `None` if all are too different.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len().max(word.len()) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Hint for an unknown word: the nearest known word, or all of them.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => format!("expected one of {}", known.collect::<Vec<_>>().join(", ")),
    }
}

/// Declares a struct of parameters.
///
/// In a game with stored episodes, a new parameter ends with `before "VALUE"`: the value that reproduces the
/// older rules.
///
/// ```
/// use meeple_core::{choice, params, Params};
///
/// choice! {
///     /// Who begins.
///     pub enum Start { Oldest = "oldest", Youngest = "youngest" }
/// }
///
/// params! {
///     /// The rules of a small game.
///     pub struct Variant {
///         /// Rounds in an episode.
///         pub rounds: u8 = 5 => "rounds", int(1, 20);
///         /// Who begins.
///         pub start: Start = Start::Oldest => "start", choice(Start::WORDS), before "youngest";
///     }
/// }
///
/// let old = Variant::default().with_stored(&serde_json::json!({ "rounds": 5 })).unwrap();
/// assert_eq!(old.start, Start::Youngest);
///
/// let mut variant = Variant::default();
/// variant.set("rounds", "7").unwrap();
/// assert_eq!(variant.rounds, 7);
/// assert!(variant.set("rounds", "21").is_err());
/// assert_eq!(variant.to_json().to_string(), r#"{"rounds":7,"start":"oldest"}"#);
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[$outer:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field_visibility:vis $field:ident: $type:ty = $default:expr => $text:literal, $domain:expr
                    $(, before $before:literal)?;
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $name {
            $( $(#[doc = $doc])+ $field_visibility $field: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $crate::Params for $name {
            fn specs(&self) -> Vec<$crate::ParamSpec> {
                #[allow(unused_imports)]
                use $crate::domains::{choice, choice_or_file, file, int, int_list, real, switch, text};
                #[allow(unused_variables)]
                let default = Self::default();
                vec![ $( $crate::ParamSpec {
                    name: $text,
                    doc: [$($doc),+].map(str::trim).join(" "),
                    domain: $domain,
                    default: $crate::ParamType::to_value(&default.$field).to_string(),
                }, )* ]
            }

            fn before(&self) -> &'static [(&'static str, &'static str)] {
                &[ $( $( ($text, $before), )? )* ]
            }

            #[allow(unused_variables)]
            fn get(&self, name: &str) -> Option<$crate::ParamValue> {
                match name {
                    $( $text => Some($crate::ParamType::to_value(&self.$field)), )*
                    _ => None,
                }
            }

            #[allow(unused_variables)]
            fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::ParamError> {
                #[allow(unused_imports)]
                use $crate::domains::{choice, choice_or_file, file, int, int_list, real, switch, text};
                match name {
                    $( $text => self.$field = $crate::parse_param(name, value, &$domain)?, )*
                    _ => return Err($crate::unknown_param(name, &$crate::Params::specs(self))),
                }
                #[allow(unreachable_code)]
                Ok(())
            }
        }
    };
}

/// Declares an enum whose values are words, for parameters with a few named settings, or for actions.
///
/// [`params!`](crate::params!) shows another example. `WORDS` lists the texts in order, and `index` is the
/// position. `Display`, `FromStr` and serde use the same texts. Attributes work as in any enum. Actions and
/// chance outcomes need a default, which is marked as usual:
///
/// ```
/// use meeple_core::choice;
///
/// choice! {
///     /// A side of a coin.
///     #[derive(Default)]
///     pub enum Side {
///         #[default]
///         Heads = "heads",
///         Tails = "tails",
///     }
/// }
///
/// assert_eq!(Side::default(), Side::Heads);
/// assert_eq!("tails".parse(), Ok(Side::Tails));
/// ```
#[macro_export]
macro_rules! choice {
    (
        $(#[$outer:meta])*
        $visibility:vis enum $name:ident { $( $(#[$inner:meta])* $variant:ident = $text:literal ),+ $(,)? }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name { $( $(#[$inner])* #[doc = concat!("`", $text, "`")] $variant ),+ }

        impl $name {
            /// The texts, in order.
            pub const WORDS: &'static [&'static str] = &[$($text),+];

            /// The values, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Position of the value, for arrays by value.
            #[allow(dead_code, reason = "an enum of a game's own may do without")]
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The text of this value.
            pub const fn word(self) -> &'static str {
                match self { $( $name::$variant => $text ),+ }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl $crate::WriteText for $name {
            #[inline]
            fn write_text(&self, text: &mut $crate::TextWriter<'_>) {
                text.push(self.word());
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $( $text => Ok($name::$variant), )+
                    _ => Err(format!("expected one of {}, found '{text}'", Self::WORDS.join(", "))),
                }
            }
        }

        impl $crate::ParamType for $name {
            fn from_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
            fn to_value(&self) -> $crate::ParamValue {
                $crate::ParamValue::Text(self.word().to_owned())
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    };
    ($( $(#[$outer:meta])* $visibility:vis enum $name:ident { $($values:tt)+ } )+) => {
        $($crate::choice! { $(#[$outer])* $visibility enum $name { $($values)+ } })+
    };
}
