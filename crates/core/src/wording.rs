//! One text form for values with fields, declared once: the macro [`wording!`](crate::wording!).

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// Splits a form at its gaps into `N` literal pieces. The gaps name the fields, in their order.
///
/// # Panics
/// If the gaps differ from the fields; a compile error, because forms are split at compile time.
pub const fn pieces<const N: usize>(form: &'static str, fields: &[&str]) -> [&'static str; N] {
    let bytes = form.as_bytes();
    let mut pieces = [""; N];
    let (mut piece, mut start, mut at) = (0, 0, 0);
    while at < bytes.len() {
        if bytes[at] == b'{' {
            pieces[piece] = part(form, start, at);
            let name = at + 1;
            while bytes[at] != b'}' {
                at += 1;
            }
            let is_next = piece < fields.len() && equal(part(form, name, at), fields[piece]);
            assert!(is_next, "the gaps of a form name its fields, in their order");
            piece += 1;
            start = at + 1;
        }
        at += 1;
    }
    assert!(piece + 1 == N, "a form has a gap for every field");
    pieces[piece] = part(form, start, bytes.len());
    pieces
}

const fn part(text: &'static str, start: usize, end: usize) -> &'static str {
    text.split_at(end).0.split_at(start).1
}

const fn equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut same = one.len() == other.len();
    let mut at = 0;
    while same && at < one.len() {
        same = one[at] == other[at];
        at += 1;
    }
    same
}

/// The texts in the gaps of a form such as `go {dir}`, in order. `None` if the text does not fit the form.
///
/// A gap ends at the first occurrence of the literal that follows it. The last gap reaches to the end.
pub fn captures<'a, const N: usize>(form: &str, text: &'a str) -> Option<[&'a str; N]> {
    let (head, mut form) = form.split_once('{').unwrap_or((form, ""));
    let mut text = text.strip_prefix(head)?;
    let mut found = [""; N];
    for gap in &mut found {
        let (_, rest) = form.split_once('}')?;
        let (literal, next) = rest.split_once('{').unwrap_or((rest, ""));
        let end = if next.is_empty() { text.strip_suffix(literal)?.len() } else { text.find(literal)? };
        *gap = &text[..end];
        text = &text[end + literal.len()..];
        form = next;
    }
    text.is_empty().then_some(found)
}

/// Parses the number in a field and checks its range.
///
/// # Errors
/// A description of the expected and the found value.
pub fn field_within<T>(name: &str, text: &str, range: impl RangeBounds<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    text.parse().ok().filter(|value| range.contains(value)).ok_or_else(|| {
        let end = match range.end_bound() {
            Bound::Included(end) => format!(" up to {end}"),
            Bound::Excluded(end) => format!(" below {end}"),
            Bound::Unbounded => String::new(),
        };
        let start = match range.start_bound() {
            Bound::Included(start) | Bound::Excluded(start) => format!(" from {start}"),
            Bound::Unbounded => String::new(),
        };
        format!("expected a number for the {name}{start}{end}, found '{text}'")
    })
}

/// Keeps the reason of the likelier form: the one with the longer literal prefix. Reasons of equally likely
/// forms are joined.
pub fn likelier(kept: &mut Option<(usize, String)>, form: &str, reason: String) {
    let words = form.find('{').unwrap_or(form.len());
    match kept {
        Some((other, _)) if words < *other => {}
        Some((other, reasons)) if words == *other => reasons.push_str(&format!("; or {reason}")),
        _ => *kept = Some((words, reason)),
    }
}

/// Refuses a second spelling of a value, such as `03` for `3`: every value has one text.
///
/// # Errors
/// If `text` is not the text of the value.
pub fn only<T: Display>(value: T, text: &str) -> Result<T, String> {
    let plain = value.to_string();
    if plain == text { Ok(value) } else { Err(format!("expected '{plain}', found '{text}'")) }
}

/// The forms as shown to people, separated by commas: `go DIR` for `go {dir}`.
pub fn listed(forms: &[&str]) -> String {
    let mut text = String::new();
    for form in forms {
        text.push_str(if text.is_empty() { "" } else { ", " });
        let mut is_gap = false;
        for letter in form.chars() {
            match letter {
                '{' => is_gap = true,
                '}' => is_gap = false,
                '_' if is_gap => text.push('-'),
                _ if is_gap => text.extend(letter.to_uppercase()),
                _ => text.push(letter),
            }
        }
    }
    text
}

/// Declares an enum whose values have one text form each, with gaps for their fields. Writing, parsing and
/// JSON (a text) follow from the declaration. For plain words see [`choice!`](crate::choice!).
///
/// Gaps name the fields, in their order. A field's type parses its own text and writes it with
/// [`WriteText`](crate::WriteText), as integers of up to 32 bits, seats and choices do. A number's range may
/// follow in brackets. If a text fits several forms, the first one whose fields can be parsed wins. Parsing
/// accepts exactly the written texts, so every value has one text.
///
/// ```
/// use meeple_core::wording;
///
/// wording! {
///     /// Action of a traveller.
///     #[derive(Clone, Copy, PartialEq, Debug)]
///     pub enum Deed {
///         /// Stays where it is.
///         Rest = "rest",
///         /// Goes to a place of the map.
///         Go { column: i8 [-9..=9], row: i8 [-9..=9] } = "go to {column},{row}",
///         /// Pays.
///         Pay(coins: u32 [1..]) = "pay {coins}",
///     }
/// }
///
/// assert_eq!(Deed::Go { column: 3, row: -1 }.to_string(), "go to 3,-1");
/// assert_eq!("pay 12".parse(), Ok(Deed::Pay(12)));
/// assert_eq!("pay 012".parse::<Deed>().unwrap_err(), "expected 'pay 12', found 'pay 012'");
/// assert_eq!("pay 0".parse::<Deed>().unwrap_err(), "expected a number for the coins from 1, found '0'");
/// assert_eq!(
///     "sleep".parse::<Deed>().unwrap_err(),
///     "expected one of: rest, go to COLUMN,ROW, pay COINS; found 'sleep'"
/// );
/// ```
#[macro_export]
macro_rules! wording {
    (
        $(#[$outer:meta])*
        $visibility:vis enum $name:ident { $(
            $(#[$inner:meta])*
            $variant:ident
            $( ( $( $item:ident : $item_type:ty $([ $item_range:expr ])? ),+ $(,)? ) )?
            $( { $( $(#[$about:meta])* $field:ident : $type:ty $([ $range:expr ])? ),+ $(,)? } )?
            = $form:literal
        ),+ $(,)? }
    ) => {
        $(#[$outer])*
        $visibility enum $name { $(
            #[doc = concat!("`", $form, "`:")]
            $(#[$inner])*
            $variant $( ( $($item_type),+ ) )? $( { $( $(#[$about])* #[doc = stringify!($field)] $field: $type ),+ } )?
        ),+ }

        impl $name {
            /// The text forms, in order, with the names of the fields in braces.
            pub const FORMS: &'static [&'static str] = &[$($form),+];
        }

        impl $crate::WriteText for $name {
            fn write_text(&self, text: &mut $crate::TextWriter<'_>) {
                match self { $(
                    Self::$variant $( ( $($item),+ ) )? $( { $($field),+ } )? => {
                        const FIELDS: &[&str] =
                            &[$( $(stringify!($item)),+ )? $( $(stringify!($field)),+ )?];
                        const PIECES: [&str; FIELDS.len() + 1] = $crate::wording::pieces($form, FIELDS);
                        let mut pieces = PIECES.into_iter();
                        text.push(pieces.next().unwrap_or_default());
                        $( $(
                            $crate::WriteText::write_text($item, text);
                            text.push(pieces.next().unwrap_or_default());
                        )+ )?
                        $( $(
                            $crate::WriteText::write_text($field, text);
                            text.push(pieces.next().unwrap_or_default());
                        )+ )?
                    }
                )+ }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::show_text(self, f)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let mut reason = None;
                $(
                    if let Some([$( $($item),+ )? $( $($field),+ )?]) = $crate::wording::captures($form, text) {
                        let read = || -> Result<Self, String> {
                            $( $( let $item: $item_type = $crate::wording!(@ $item $([ $item_range ])?); )+ )?
                            $( $( let $field: $type = $crate::wording!(@ $field $([ $range ])?); )+ )?
                            $crate::wording::only(Self::$variant $( ( $($item),+ ) )? $( { $($field),+ } )?, text)
                        };
                        match read() {
                            Ok(value) => return Ok(value),
                            Err(error) => $crate::wording::likelier(&mut reason, $form, error),
                        }
                    }
                )+
                Err(reason.map(|(_, reason)| reason).unwrap_or_else(|| {
                    format!("expected one of: {}; found '{text}'", $crate::wording::listed(Self::FORMS))
                }))
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::serialize_text(self, serializer)
            }
        }
    };
    (@ $field:ident) => { $field.parse()? };
    (@ $field:ident [ $range:expr ]) => { $crate::wording::field_within(stringify!($field), $field, $range)? };
}
