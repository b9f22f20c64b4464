//! Form controls that several pages share: presets, agents, seats, parameters.

use maud::{Markup, html};
use meeple_core::{AnyEntry, Domain, GameInfo, ParamSpec};
use serde_json::Value;

use crate::page::form::{Fields, field, offered, value_text};

pub fn complaint(wrong: Option<&str>) -> Markup {
    html! {
        @if let Some(wrong) = wrong {
            @let (message, hint) = wrong.split_once("\nhint: ").unwrap_or((wrong, ""));
            p class="trouble" role="alert" { (message) @if !hint.is_empty() { br; (hint) } }
        }
    }
}

/// The presets of a game, as links to the form at this address with their values.
pub fn presets(info: &GameInfo, address: &str, chosen: &str) -> Markup {
    html! {
        @if info.presets.len() > 1 {
            nav class="presets" aria-label="Presets" {
                @for preset in info.presets {
                    @let here = preset.name == chosen;
                    a href={ (address) "?preset=" (preset.name) } aria-current=[here.then_some("page")] {
                        strong { (preset.name) } " " (preset.doc)
                    }
                }
            }
        }
    }
}

/// Check boxes of agents, and a text field for agents with parameters. By default `usual` ones are checked,
/// and `lines` is in the text field.
pub fn agent_ticks(
    entry: &dyn AnyEntry,
    legend: &str,
    entered: &Fields,
    usual: &dyn Fn(&str) -> bool,
    lines: &str,
) -> Markup {
    let fresh = entered.is_empty();
    let ticked = |name: &str| {
        (fresh && usual(name)) || entered.iter().any(|(field, value)| field == "agent" && value == name)
    };
    let others = if fresh { lines } else { field(entered, "others").unwrap_or("") };
    html! {
        fieldset {
            legend { (legend) }
            ul class="ticks" {
                @for agent in offered(entry) {
                    li { label class="check" {
                        input type="checkbox" name="agent" value=(agent.name) checked[ticked(agent.name)];
                        span { strong { (agent.name) } " " (agent.doc) }
                    } }
                }
            }
            p {
                label for="others" { "With parameters, one a line" }
                textarea id="others" name="others" rows="4" aria-describedby="others-doc" spellcheck="false" { "\n" (others) }
                span class="small" id="others-doc" {
                    "As on the command line: " code { "name:value" } " or " code { "name:parameter=value" } ", and " code { "other name=agent" }
                    " for a name of its own. "
                    a href={ "/competitions/" (entry.info().id) "#agents" } { "Parameters" }
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Values {
    One,
    /// A single value, or a range to sweep.
    Range,
}

pub fn seat_row(
    entry: &dyn AnyEntry,
    seat: usize,
    usual: &str,
    entered: &Fields,
    others: &[(&str, &str)],
) -> Markup {
    let (select, exact) = (format!("seat.{seat}"), format!("agent.{seat}"));
    let chosen = field(entered, &select).unwrap_or(usual);
    let name = chosen.split(':').next().unwrap_or(chosen);
    html! {
        div class="seat-row" {
            label for=(select) { "Seat " (seat) }
            select id=(select) name=(select) {
                @for (value, words) in others {
                    option value=(value) selected[*value == chosen] { (words) }
                }
                optgroup label="Agents" {
                    @for agent in offered(entry) {
                        @let value = if agent.name == name { chosen } else { agent.name };
                        option value=(value) selected[value == chosen] { (value) ": " (agent.doc) }
                    }
                }
            }
            label class="unseen" for=(exact) { "Seat " (seat) ", an agent with its parameters, as on the command line" }
            input id=(exact) name=(exact) placeholder="or type: name:parameter=value" value=[field(entered, &exact)];
        }
    }
}

/// The parameters of the rules, collapsed unless there is an error.
pub fn rules(
    entry: &dyn AnyEntry,
    values: &Value,
    entered: &Fields,
    wrong: Option<&str>,
    takes: Values,
) -> Markup {
    let params = entry.params();
    html! {
        @if !params.is_empty() {
            details open[wrong.is_some()] {
                summary { "Rules: " (params.len()) " parameters" }
                @for param in &params { (param_row(param, values, entered, takes)) }
            }
        }
    }
}

fn param_row(param: &ParamSpec, values: &Value, entered: &Fields, takes: Values) -> Markup {
    let name = format!("set.{}", param.name);
    let usual = value_text(values, param);
    let value = field(entered, &name).unwrap_or(&usual);
    let doc = format!("{name}.doc");
    html! {
        div class="param-row" {
            label for=(name) { code { (param.name) } }
            @match &param.domain {
                _ if takes == Values::Range => {
                    input id=(name) name=(name) value=(value) aria-describedby=(doc);
                }
                Domain::Int { min, max } => {
                    input id=(name) name=(name) type="number" min=(min) max=(max) step="1" value=(value) aria-describedby=(doc);
                }
                Domain::Switch => {
                    select id=(name) name=(name) aria-describedby=(doc) {
                        @for word in ["on", "off"] { option selected[word == value] { (word) } }
                    }
                }
                Domain::Choice(words) => {
                    select id=(name) name=(name) aria-describedby=(doc) {
                        @for word in *words { option selected[*word == value] { (word) } }
                    }
                }
                _ => { input id=(name) name=(name) value=(value) aria-describedby=(doc); }
            }
            span class="small" id=(doc) { (param.doc) " (" (param.domain) ")" }
        }
    }
}
