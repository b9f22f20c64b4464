//! Names chosen by people, safe to show to others.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// A name chosen by a user: of a guest, a member, a bot, a file, or a player in a replay.
///
/// Controls, bidirectional controls and invisible letters are dropped when a name is built or deserialised.
/// The text around a name therefore stays readable. A name may be empty.
///
/// ```
/// use meeple_core::PublicName;
///
/// assert_eq!(PublicName::from("Bob\u{202e} (1 seat)").as_str(), "Bob (1 seat)");
/// assert_eq!(PublicName::from("Zoë").as_str(), "Zoë");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct PublicName(String);

/// Returns true if a character is invisible, or changes the order or form of others. These characters are
/// controls, line separators, Unicode's `Bidi_Control` and `Default_Ignorable_Code_Point`, interlinear
/// annotations, and the blank Braille pattern.
pub const fn is_hidden(letter: char) -> bool {
    letter.is_ascii_control()
        || matches!(letter,
            '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

impl PublicName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name, trimmed and cut to at most `max_chars` characters.
    #[must_use]
    pub fn shortened(&self, max_chars: usize) -> Self {
        let kept: String = self.0.trim().chars().take(max_chars).collect();
        Self(kept.trim_end().to_owned())
    }
}

impl Deref for PublicName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PublicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl PartialEq<str> for PublicName {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for PublicName {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl From<String> for PublicName {
    fn from(mut text: String) -> Self {
        text.retain(|letter| !is_hidden(letter));
        Self(text)
    }
}

impl From<&str> for PublicName {
    fn from(text: &str) -> Self {
        Self(text.chars().filter(|letter| !is_hidden(*letter)).collect())
    }
}

impl From<PublicName> for String {
    fn from(name: PublicName) -> Self {
        name.0
    }
}
