//! Advice of agents for a person's decision.

use maud::{Markup, html};
use meeple_core::ActionValue;
use meeple_lab::review::Worth;
use meeple_table::Frame;

use crate::tables::hosted::Advice;

/// Upper bound on rows of the table of actions.
const MAX_ROWS: usize = 6;

/// The advised action with the analyst's evaluation of it and of the most visited alternatives.
pub fn advice(advice: &Advice, frame: &Frame, own: Option<usize>) -> Markup {
    let Advice { advisor, action, analyst, choice, analysis } = advice;
    let seats = frame.seats.len();
    let is_share = analysis.unit.is_share(seats);
    let worth = |tried| Worth::of(tried, analysis.unit, seats).text_with_interval(is_share);
    let mut actions: Vec<&ActionValue<String>> = analysis.actions.iter().collect();
    let rank = |tried: &ActionValue<String>| {
        (tried.action != *choice, tried.action != *action, std::cmp::Reverse(tried.visits))
    };
    actions.sort_by(|one, other| rank(one).cmp(&rank(other)).then(other.value.total_cmp(&one.value)));
    let visits = analysis.visits().max(1) as f64;
    let words = |action: &str| {
        let said = frame.ask.as_ref().and_then(|ask| ask.sentence(action));
        said.unwrap_or_else(|| action.to_owned())
    };
    let who = |seat: usize| {
        if own == Some(seat) { "you".to_owned() } else { format!("seat {seat}") }
    };
    html! {
        div class="advice" {
            p { code { (advisor) } " would: " strong data-action=(action) { (words(action)) } }
            @if analysis.visits() > 0 {
                details {
                    summary { "What " code { (analyst) } " thinks" }
                    table {
                        thead { tr {
                            th scope="col" { "action" }
                            th scope="col" { "visits" }
                            th scope="col" { @if is_share { "expected share of the win" } @else { "expected points" } }
                        } }
                        tbody {
                            @for tried in actions.iter().take(MAX_ROWS) {
                                tr {
                                    td { @if tried.action == *choice { strong { (words(&tried.action)) } } @else { (words(&tried.action)) } }
                                    td { (format!("{:.0} %", 100.0 * tried.visits as f64 / visits)) }
                                    td { (worth(tried)) @if is_share { " %" } }
                                }
                            }
                        }
                    }
                    @if analysis.line.len() > 1 {
                        p { "Expected line of play:" }
                        ol { @for step in &analysis.line { li { (who(step.seat.index())) ": " (step.action) } } }
                    }
                    p class="small" { "Of " (analysis.visits()) " looks, at what you can know. Intervals are 95 %, of its sampling alone." }
                }
            }
        }
    }
}
