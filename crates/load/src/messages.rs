//! Messages of the server, as far as a player needs them.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

/// A message of the server, without the fields that serve display only.
#[derive(Debug, Deserialize)]
pub struct ServerMessage<'a> {
    /// The kind of the message.
    #[serde(borrow)]
    pub r#type: Cow<'a, str>,
    /// Version of the frame, counted per viewer; 0 if the message is no frame.
    #[serde(default)]
    pub version: u64,
    /// Id of the message that an acknowledgement or a refusal answers.
    #[serde(default)]
    pub id: Option<String>,
    /// True in the acknowledgement of a message that had been accepted before.
    #[serde(default)]
    pub repeated: bool,
    /// Code of a refusal.
    #[serde(default)]
    pub code: Option<String>,
    /// Text of a refusal.
    #[serde(default)]
    pub message: Option<String>,
    /// The question: `None` if it is unchanged, `Some(None)` if nothing is asked.
    #[serde(default, deserialize_with = "given")]
    pub ask: Option<Option<QuestionMessage>>,
    /// The ending of the game, if it is over.
    #[serde(default)]
    pub ending: Option<IgnoredAny>,
}

/// A message of the server to a page, without the fields that do not tell its kind.
#[derive(Debug, Deserialize)]
pub struct TabMessage<'a> {
    /// The kind of the message.
    #[serde(borrow)]
    pub r#type: Cow<'a, str>,
    /// True in a patch if the table waits for the page's viewer.
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

impl TabMessage<'_> {
    /// True if the message changes the question of a viewer for whom the table waits.
    pub fn has_question(&self) -> bool {
        self.asked && (self.parts.ask.is_some() || self.parts.ask_changes.is_some())
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct QuestionMessage {
    /// Number among the seat's questions.
    pub number: u64,
    /// The legal actions, if they can be listed.
    pub actions: Vec<String>,
    /// Some legal actions, if they cannot be listed.
    #[serde(default)]
    suggestions: Vec<Suggestion>,
    /// The action taken for a player who does not want to decide.
    fallback: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Suggestion {
    action: String,
}

impl QuestionMessage {
    /// Number of answers to choose from: the listed actions, or else the suggestions and the fallback.
    pub fn choices(&self) -> usize {
        if self.actions.is_empty() { self.suggestions.len() + 1 } else { self.actions.len() }
    }

    /// The answer at this index among them.
    pub fn choice(&self, index: usize) -> &str {
        let suggestion = || self.suggestions.get(index).map_or(&self.fallback, |found| &found.action);
        self.actions.get(index).unwrap_or_else(suggestion)
    }
}

fn given<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Option<QuestionMessage>>, D::Error> {
    Deserialize::deserialize(reader).map(Some)
}
