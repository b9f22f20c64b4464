//! Choices as buttons, in nested groups.

use maud::{Markup, html};
use meeple_core::ActionPart;

#[derive(Clone, Copy)]
pub struct Choice<'a> {
    pub value: &'a str,
    /// The parts of the choice's description.
    pub parts: &'a [ActionPart],
    /// The target in the drawing that selects it.
    pub target: Option<&'a str>,
}

/// Choices as buttons that send the field `field`. Choices with a common part share a group, which opens to
/// show the next question. Questions with a single answer are skipped.
pub fn choices(field: &str, all: &[Choice<'_>]) -> Markup {
    question(field, all, 0, FIRST)
}

/// The identifier of the outermost question on the page.
const FIRST: &str = "part";

/// The question that the parts at `depth` answer. `path` is its identifier on the page.
fn question(field: &str, all: &[Choice<'_>], depth: usize, path: &str) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    // Choices grouped by name and label, in order of first appearance.
    let mut answers: Vec<(&ActionPart, Vec<Choice<'_>>)> = Vec::new();
    for choice in all {
        let Some(part) = choice.parts.get(depth) else { continue };
        if !names.contains(&part.name) {
            names.push(part.name);
        }
        match answers.iter_mut().find(|(known, _)| *known == part) {
            Some((_, members)) => members.push(*choice),
            None => answers.push((part, vec![*choice])),
        }
    }
    if let [(part, members)] = answers.as_slice()
        && members.len() > 1
    {
        return html! {
            p class="given" { (part.label) }
            (question(field, members, depth + 1, path))
        };
    }
    html! {
        @for name in names {
            @if path == FIRST { h3 { (name) } } @else { h4 { (name) } }
            div class="choices" {
                @for (index, (part, members)) in answers.iter().enumerate().filter(|(_, (part, _))| part.name == name) {
                    @if let [only] = members.as_slice() {
                        (button(field, only, depth))
                    } @else {
                        // The shared name lets the browser open only one answer of a question at a time.
                        details class="part" name=(path) {
                            summary { (part.label) span class="small" { " (" (members.len()) ")" } }
                            (question(field, members, depth + 1, &format!("{path}-{index}")))
                        }
                    }
                }
            }
        }
    }
}

/// A button with the remaining parts. Its accessible name contains all parts.
fn button(field: &str, choice: &Choice<'_>, depth: usize) -> Markup {
    let rest = ActionPart::sentence(&choice.parts[depth..]);
    let whole = (depth > 0).then(|| ActionPart::sentence(choice.parts));
    html! {
        button type="submit" name=(field) value=(choice.value) data-target=[choice.target] aria-label=[whole] { (rest) }
    }
}
