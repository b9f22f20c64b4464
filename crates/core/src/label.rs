//! What the player of a seat is called, and the colour it chose.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::name::PublicName;

/// Who sits at a seat, as people are told. Its text form, which replays store too, is `NAME` or `NAME@COLOUR`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct PlayerLabel {
    /// What it is called: an agent's text form, a bot's or a person's name.
    pub name: PublicName,
    /// The colour it chose, as it was written; see [`Definition::check_color`](crate::Definition::check_color).
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
