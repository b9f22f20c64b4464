//! Actions as people choose them: part by part.

use serde::Serialize;

/// A part of an action, as one answer among those that can be given at this point.
///
/// The parts of an action say it in their order, as one sentence: "place tile T13", "at column −6, row −7", "turned a
/// quarter right". Actions that begin with equal parts are one answer up to there, so that what is one question for the
/// rules is one small question after another for who reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize)]
pub struct ActionPart {
    /// What kind of answer it is, as a heading: `Tile`. Answers of one kind stand together.
    pub name: &'static str,
    /// The answer in words that somebody new understands.
    pub label: String,
}

impl ActionPart {
    /// An answer of this kind.
    pub fn new(name: &'static str, label: impl Into<String>) -> Self {
        Self { name, label: label.into() }
    }

    /// What can be said of an action of which only its text is known: its words, one after another. A word after which
    /// more comes says so, and is never the same as a last one.
    pub fn of_text(text: &str) -> Vec<Self> {
        let mut words: Vec<&str> = text.split(' ').collect();
        if words.contains(&"") {
            words = vec![if text.is_empty() { "nothing" } else { text }];
        }
        let last = words.len() - 1;
        let part = |(index, word): (usize, &&str)| {
            let label = if index < last { format!("{word} …") } else { (*word).to_owned() };
            Self::new("Action", label)
        };
        words.iter().enumerate().map(part).collect()
    }

    /// The labels of parts as one sentence.
    pub fn sentence(parts: &[Self]) -> String {
        let mut sentence = String::new();
        for (index, part) in parts.iter().enumerate() {
            // A word after which more comes is followed by it.
            let word = part.label.strip_suffix(" …");
            sentence.push_str(word.unwrap_or(&part.label));
            if index + 1 < parts.len() {
                sentence.push_str(if word.is_some() { " " } else { ", " });
            }
        }
        sentence
    }
}

/// A structured action that is being put together, step by step. Its text, which a game writes and reads, is all that
/// there is of it: nothing is kept between two steps. The empty text is the beginning.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize)]
pub struct Composition {
    /// What has been put together, for people, in order.
    pub lines: Vec<String>,
    /// The targets of the drawing that the step that is open speaks of; see [`Scene::target`](meeple_scene::Scene::target).
    pub chosen: Vec<String>,
    /// The targets of the drawing that what has been put together speaks of.
    pub used: Vec<String>,
    /// The text before the last step; `None` at the beginning.
    pub back: Option<String>,
    /// What can come next.
    pub additions: Vec<Addition>,
    /// The action as it stands, if it is whole. It is legal.
    pub action: Option<String>,
    /// What that action does, for the button that takes it; empty if it is not whole.
    pub words: String,
}

/// What can come next in a structured action that is being put together.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
pub struct Addition {
    /// The text with this step.
    pub text: String,
    /// What it is for people, as parts of an action are.
    pub parts: Vec<ActionPart>,
    /// The target of the drawing that stands for it.
    pub target: Option<String>,
}
