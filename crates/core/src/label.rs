//! Labels of players: name and chosen colour.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::name::PublicName;

/// Upper bound on characters of a player's name and colour in a replay, because each view of the replay
/// repeats them.
pub const MAX_LABEL_CHARS: usize = 1_000;

/// The player of a seat, as shown to people. Its text form, also used in replays, is `NAME` or `NAME@COLOUR`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct PlayerLabel {
    /// Display name: an agent's text form, a bot's name or a person's name.
    pub name: PublicName,
    /// Chosen colour, as written; see [`Definition::check_color`](crate::Definition::check_color).
    pub color: Option<String>,
}

impl fmt::Display for PlayerLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.color {
            None => f.write_str(&self.name),
            Some(color) => write!(f, "{}@{color}", self.name),
        }
    }
}

impl From<&str> for PlayerLabel {
    fn from(text: &str) -> Self {
        match text.rsplit_once('@') {
            Some((name, color)) if !color.is_empty() => {
                Self { name: name.into(), color: Some(PublicName::from(color).into()) }
            }
            _ => Self { name: text.into(), color: None },
        }
    }
}

impl From<String> for PlayerLabel {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<PlayerLabel> for String {
    fn from(label: PlayerLabel) -> Self {
        label.to_string()
    }
}
