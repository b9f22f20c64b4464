//! The list of unconfirmed steps, with its buttons.

use maud::{Markup, html};
use meeple_table::Drafted;

use crate::tables::pages::question::Question;

/// The number of steps, in words.
fn count(draft: &Drafted) -> String {
    match draft.steps.len() {
        1 => "1 step".to_owned(),
        many => format!("{many} steps"),
    }
}

pub fn status(draft: &Drafted) -> Markup {
    html! { (count(draft)) " to confirm. Nobody else sees this yet." }
}

pub fn draft(table: &str, seat: usize, draft: &Drafted) -> Markup {
    let question = Question { seat, number: draft.number, steps: Some(draft.steps.len()) };
    let last = draft.steps.last().map_or("", |step| step.words.as_str());
    html! {
        form method="post" action={ "/t/" (table) "/draft" } class="draft" {
            (question.fields())
            h3 { "Steps to confirm" }
            ol class="lines" { @for step in &draft.steps { li { (step.words) } } }
            @if draft.hides_last { p class="small" { "You see the result of the last step when you confirm." } }
            div class="choices" {
                button class="primary" type="submit" name="do" value="commit" { "Confirm " (count(draft)) }
                button type="submit" name="do" value="undo" data-undo aria-label={ "Undo the last step: " (last) } { "Undo the last step" }
                @if draft.steps.len() > 1 { button type="submit" name="do" value="drop" { "Undo all" } }
            }
        }
    }
}

/// The setting for confirming turns of several steps, with its button.
pub fn choice(table: &str, seat: usize, confirm: bool) -> Markup {
    html! {
        details {
            summary { "Confirming: " (if confirm { "on" } else { "off" }) }
            form method="post" action={ "/t/" (table) "/confirm" } {
                input type="hidden" name="seat" value=(seat);
                @if confirm {
                    p class="small" { "Where a turn has several steps, you see them before the others do, and can undo them until you confirm." }
                    button type="submit" name="confirm" value="off" { "Play every step at once" }
                } @else {
                    p class="small" { "Every step happens as soon as it is chosen, and stands." }
                    button type="submit" name="confirm" value="on" { "Confirm turns of several steps" }
                }
            }
        }
    }
}
