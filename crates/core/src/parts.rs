//! Parts of actions: people choose an action part by part.

use serde::Serialize;

/// A part of an action: one answer to a small question.
///
/// Each part completes one sentence: "place tile T13", "at column −6, row −7", "turned a quarter right".
/// Actions that begin with the same parts share those answers. A person thus answers several small questions
/// instead of choosing from a long list.
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

    /// Parts of an action of which only the text is known: one part per word. All words but the last end with
    /// " …", so they differ from the same words at the end of a text. A text with empty words is a single
    /// part.
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
            // The next label directly follows a word with " …", without a comma.
            let word = part.label.strip_suffix(" …");
            sentence.push_str(word.unwrap_or(&part.label));
            if index + 1 < parts.len() {
                sentence.push_str(if word.is_some() { " " } else { ", " });
            }
        }
        sentence
    }
}

/// A structured action, composed step by step. Its text is its whole state: the game writes and parses it,
/// and the empty text is the start.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize)]
pub struct Composition {
    /// The steps so far, for people, in order.
    pub lines: Vec<String>,
    /// Targets in the drawing that belong to the open step; see
    /// [`Scene::target`](meeple_scene::Scene::target).
    pub chosen: Vec<String>,
    /// Targets in the drawing that belong to the completed steps.
    pub used: Vec<String>,
    /// Text before the last step, for going back; `None` at the start.
    pub back: Option<String>,
    /// Possible next steps.
    pub additions: Vec<Addition>,
    /// The complete, legal action in text form; `None` while steps are missing.
    pub action: Option<String>,
    /// Label of the button that takes the action; empty while steps are missing.
    pub words: String,
}

/// A possible next step of a structured action in progress.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
pub struct Addition {
    /// Text of the composition after this step.
    pub text: String,
    /// The step for people, as parts of an action.
    pub parts: Vec<ActionPart>,
    /// Target in the drawing that represents the step.
    pub target: Option<String>,
}
