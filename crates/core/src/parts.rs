//! Parts of actions: people choose an action part by part.

use serde::Serialize;

/// A part of an action: one answer to a small question.
///
/// In order, the parts of an action form one sentence: "place tile T13", "at column −6, row −7", "turned a
/// quarter right". Actions with a common prefix of parts share those answers: one decision becomes several
/// small questions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize)]
pub struct ActionPart {
    /// Kind of answer, as a heading: `Tile`. Answers of one kind are grouped.
    pub name: &'static str,
    /// The answer in words for beginners.
    pub label: String,
}

impl ActionPart {
    /// An answer of this kind.
    pub fn new(name: &'static str, label: impl Into<String>) -> Self {
        Self { name, label: label.into() }
    }

    /// Parts of an action known only by its text: its words, one after another. Every word but the last ends
    /// with " …", so it never equals a last word.
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
            // A word with " …" is followed directly by the next.
            let word = part.label.strip_suffix(" …");
            sentence.push_str(word.unwrap_or(&part.label));
            if index + 1 < parts.len() {
                sentence.push_str(if word.is_some() { " " } else { ", " });
            }
        }
        sentence
    }
}

/// A structured action, composed step by step. Its text, written and parsed by the game, is its whole state;
/// the empty text is the start.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize)]
pub struct Composition {
    /// The steps so far, for people, in order.
    pub lines: Vec<String>,
    /// Targets in the drawing that belong to the open step; see
    /// [`Scene::target`](meeple_scene::Scene::target).
    pub chosen: Vec<String>,
    /// Targets in the drawing that belong to the completed steps.
    pub used: Vec<String>,
    /// Text before the last step; `None` at the start.
    pub back: Option<String>,
    /// Possible next steps.
    pub additions: Vec<Addition>,
    /// The action as composed, if it is complete; it is legal then.
    pub action: Option<String>,
    /// Label of the button that takes the action; empty if it is incomplete.
    pub words: String,
}

/// A possible next step of a structured action in progress.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
pub struct Addition {
    /// Text after this step.
    pub text: String,
    /// The step for people, as parts of an action.
    pub parts: Vec<ActionPart>,
    /// Target in the drawing that represents the step.
    pub target: Option<String>,
}
