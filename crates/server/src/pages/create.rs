//! The form for a new table.

use maud::{Markup, html};
use meeple_core::{AnyEntry, Domain, EntryError, GameInfo, ParamSpec};
use serde_json::Value;

use super::{page, reader};
use crate::form::{FRIEND, Fields, MAX_SEATS, ME, NOBODY, field, offered, quick_seats, value_text};

/// The form with a preset's values, or with the entered values and their error.
pub fn create(
    entry: &dyn AnyEntry,
    preset: Option<&str>,
    entered: &Fields,
    wrong: Option<&str>,
) -> Result<Markup, EntryError> {
    let info = entry.info();
    let preset = preset.unwrap_or(info.presets[0].name);
    let values = entry.variant(Some(preset), &[])?;
    let seats = (*info.seats.end()).min(MAX_SEATS);
    let quick = quick_seats(entry);
    let title = format!("New table: {}", info.name);
    Ok(page(
        &title,
        false,
        &html! {
            h1 { (title) }
            p { (info.summary) }
            (complaint(wrong))
            (presets(info, &format!("/new/{}", info.id), preset))
            form method="post" action={ "/new/" (info.id) } class="sheet" {
                input type="hidden" name="preset" value=(preset);
                @if reader().member.is_none() {
                    p {
                        label for="name" { "Your name" }
                        input id="name" name="name" maxlength="30" autocomplete="nickname" value=[field(entered, "name")];
                    }
                }
                fieldset {
                    legend { "Seats" }
                    @if !info.seats_advice.is_empty() { p class="small" { (info.seats_advice) } }
                    @for seat in 0..seats {
                        (seat_row(entry, seat, quick.get(seat).map_or(NOBODY, String::as_str), entered, &PEOPLE))
                    }
                }
                (rules(entry, &values, entered, wrong, Values::One))
                p {
                    label for="time" { "Clock for people" }
                    input id="time" name="time" list="times" placeholder="no limit" value=[field(entered, "time")] aria-describedby="time.doc";
                    datalist id="times" { @for (value, words) in TIMES { option value=(value) { (words) } } }
                    span class="small" id="time.doc" { "30s: for each decision; 10m+5s: ten minutes for the game, and five seconds more with each decision. When your time is up, an agent decides for you." }
                }
                p {
                    label class="check" {
                        input type="checkbox" name="listed" value="on" checked[field(entered, "listed").is_some()];
                        " show it in the list of tables"
                    }
                }
                details {
                    summary { "Seed" }
                    p {
                        label for="seed" { "The same number gives the same game" }
                        input id="seed" name="seed" inputmode="numeric" value=[field(entered, "seed")];
                    }
                }
                p { button class="primary" type="submit" { "Open the table" } }
            }
        },
    ))
}

/// Suggested time controls.
const TIMES: [(&str, &str); 4] = [
    ("30s", "30 seconds for each decision"),
    ("2m", "two minutes for each decision"),
    ("5m+5s", "five minutes for the game, and five seconds more with each decision"),
    ("15m+10s", "a quarter of an hour, and ten seconds more with each decision"),
];

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

/// Check boxes of agents, `usual` ones checked by default, and the field `lines` for agents with parameters.
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

pub fn complaint(wrong: Option<&str>) -> Markup {
    html! {
        @if let Some(wrong) = wrong {
            @let (message, hint) = wrong.split_once("\nhint: ").unwrap_or((wrong, ""));
            p class="trouble" role="alert" { (message) @if !hint.is_empty() { br; (hint) } }
        }
    }
}

/// Choices of people for a seat.
const PEOPLE: [(&str, &str); 3] = [(ME, "me"), (FRIEND, "a friend, by a link"), (NOBODY, "nobody")];

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
