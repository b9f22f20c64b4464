//! The composer of structured actions, as two forms: one adds a part per step, the other plays the action.

use maud::{Markup, html};
use meeple_core::Composition;

use crate::tables::pages::choices::{Choice, choices};
use crate::tables::pages::question::Question;

pub fn composer(table: &str, question: Question, composition: &Composition) -> Markup {
    let Composition { lines, chosen, used, back, additions, action, words } = composition;
    let all: Vec<Choice<'_>> = additions
        .iter()
        .map(|addition| Choice {
            value: &addition.text,
            parts: &addition.parts,
            target: addition.target.as_deref(),
        })
        .collect();
    html! {
        div id="composer" data-chosen=(chosen.join(" ")) data-used=(used.join(" ")) {
            @if !lines.is_empty() {
                h3 { "So far" }
                ol class="lines" { @for line in lines { li { (line) } } }
            }
            div class="choices" {
                @if let Some(action) = action {
                    form method="post" action={ "/t/" (table) "/act" } class="ask" {
                        (question.fields())
                        button class=[(!lines.is_empty()).then_some("primary")] type="submit" name="action" value=(action) { (words) }
                    }
                }
                @if let Some(back) = back {
                    form method="get" action={ "/t/" (table) } class="compose" {
                        input type="hidden" name="as" value=(question.seat);
                        button type="submit" name="so-far" value=(back) data-undo { "Take back the last step" }
                    }
                }
            }
            form method="get" action={ "/t/" (table) } class="compose" {
                input type="hidden" name="as" value=(question.seat);
                (choices("so-far", &all))
            }
        }
    }
}
