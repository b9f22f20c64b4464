//! What the server tells, as far as a player needs it.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

/// A message of the server. Everything that only eyes need is passed over.
#[derive(Debug, Deserialize)]
pub struct Told<'a> {
    /// What kind of message it is.
    #[serde(borrow)]
    pub r#type: Cow<'a, str>,
    /// Of a frame: which of the viewer's it is.
    #[serde(default)]
    pub version: u64,
    /// Of an acknowledgement or a refusal: which message it answers.
    #[serde(default)]
    pub id: Option<String>,
    /// Of an acknowledgement: whether the message had been taken before.
    #[serde(default)]
    pub repeated: bool,
    /// Of a refusal: of which kind.
    #[serde(default)]
    pub code: Option<String>,
    /// Of a refusal: the words.
    #[serde(default)]
    pub message: Option<String>,
    /// What is asked: `None` if that is as it was, `Some(None)` if nothing is asked.
    #[serde(default, deserialize_with = "given")]
    pub ask: Option<Option<Ask>>,
    /// How the game ended, if it has.
    #[serde(default)]
    pub ending: Option<IgnoredAny>,
}

/// What the server tells a page, as far as its size says something.
#[derive(Debug, Deserialize)]
pub struct ToldTab<'a> {
    /// What kind of message it is.
    #[serde(borrow)]
    pub r#type: Cow<'a, str>,
    /// Of a patch: whether the table waits for who looks at it.
    #[serde(default)]
    asked: bool,
    #[serde(default)]
    parts: TabParts,
}

#[derive(Default, Debug, Deserialize)]
struct TabParts {
    ask: Option<IgnoredAny>,
    ask_changes: Option<IgnoredAny>,
}

impl ToldTab<'_> {
    /// Whether it has another question than before.
    pub fn has_question(&self) -> bool {
        self.asked && (self.parts.ask.is_some() || self.parts.ask_changes.is_some())
    }
}

/// A question.
#[derive(Clone, Debug, Deserialize)]
pub struct Ask {
    /// Its number among the seat's.
    pub number: u64,
    /// The legal actions, if they can be listed.
    pub actions: Vec<String>,
    /// Some, where they cannot.
    #[serde(default)]
    suggestions: Vec<Suggestion>,
    /// What whoever does not want to decide does.
    fallback: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Suggestion {
    action: String,
}

impl Ask {
    /// How many answers there are to choose from.
    pub fn choices(&self) -> usize {
        if self.actions.is_empty() { self.suggestions.len() + 1 } else { self.actions.len() }
    }

    /// One of them.
    pub fn choice(&self, index: usize) -> &str {
        let suggestion = || self.suggestions.get(index).map_or(&self.fallback, |found| &found.action);
        self.actions.get(index).unwrap_or_else(suggestion)
    }
}

fn given<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Option<Ask>>, D::Error> {
    Deserialize::deserialize(reader).map(Some)
}
