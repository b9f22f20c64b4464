//! The operator's page.

use std::fmt::Display;
use std::time::Duration;

use maud::{Markup, html};

use crate::games::list::game_name;
use crate::operator::hub::LiveTable;
use crate::operator::state::Operation;
use crate::operator::store::Holdings;
use crate::page::frame::page as whole;
use crate::tables::thinking;

/// Data of the page, besides the operator's state.
pub struct Seen {
    pub holdings: Holdings,
    pub live: Vec<LiveTable>,
    pub thinking: Vec<thinking::Seen>,
    /// Runs in progress or in the queue: identifiers and commands.
    pub runs: Vec<(String, String)>,
    /// Competitions in progress or in the queue: identifiers and commands.
    pub competitions: Vec<(String, String)>,
    /// Resident memory of the process, in bytes.
    pub memory: Option<u64>,
    /// The number of members and the names of locked ones; `None` without accounts.
    pub members: Option<(u64, Vec<String>)>,
}

fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

fn age(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match minutes {
        0 => format!("{} s", age.as_secs()),
        1..120 => format!("{minutes} min"),
        120..2880 => format!("{} h", minutes / 60),
        _ => format!("{} days", minutes / 1440),
    }
}

/// A list of bans or locks. Each entry has a form that sends `field` to lift it.
fn ban_list(action: &str, field: &str, all: &[impl Display]) -> Markup {
    html! {
        ul class="desk" {
            @for one in all {
                li {
                    strong { (one) }
                    form method="post" action=(action) {
                        input type="hidden" name=(field) value=(one);
                        button type="submit" { "Unban" span class="unseen" { ": " (one) } }
                    }
                }
            }
        }
    }
}

/// The state of a decision, in words.
fn thought(seen: &thinking::Seen) -> String {
    match seen.since {
        None => format!("{} waits for a processor", seen.agent),
        Some(since) if seen.is_overdue => {
            format!("{} is overdue after {} s, and its table went on without it", seen.agent, since.as_secs())
        }
        Some(since) => format!("{} has been thinking for {} s", seen.agent, since.as_secs()),
    }
}

pub fn page(operation: &Operation, seen: &Seen) -> Markup {
    let lag = operation.lag().as_secs_f64() * 1000.0;
    let facts = [
        ("Version", env!("CARGO_PKG_VERSION").to_owned()),
        ("Runs for", age(operation.age())),
        ("Longest delay, last minute", format!("{lag:.1} ms")),
        ("Runs and competitions", if operation.gate.is_held() { "pause" } else { "may play" }.to_owned()),
        ("Sockets", operation.sockets().to_string()),
        ("Memory", seen.memory.map_or("unknown".to_owned(), mib)),
        ("File", mib(seen.holdings.bytes)),
        (
            "Tables that are over are kept",
            operation.keep_days.map_or("for ever".to_owned(), |days| format!("{days} days")),
        ),
    ];
    whole(
        "Operator",
        false,
        &html! {
            h1 { "Operator" }
            p { a href="/operator" { "Refresh" } }
            section class="report" aria-label="State of the server" {
                dl { @for (name, value) in &facts { div { dt { (name) } dd { (value) } } } }
                dl { @for (name, count) in &seen.holdings.rows { div { dt { (name) } dd { (count) } } } }
            }
            h2 { "Tables in memory" }
            @if seen.live.is_empty() { p { "None." } } @else {
                ul class="desk" {
                    @for table in &seen.live {
                        li {
                            a href={ "/t/" (table.id) } { (game_name(&table.game)) " " code { (table.id) } }
                            span {
                                (table.watchers) " watching"
                                @if table.over { ", over" }
                                @if table.used >= 0.1 { ", " (format!("{:.1}", table.used)) " s of processor time lately" }
                            }
                            @if !table.over {
                                form method="post" action={ "/operator/tables/" (table.id) "/end" } {
                                    label class="unseen" for={ "reason-" (table.id) } { "Why " (table.id) " is ended" }
                                    input id={ "reason-" (table.id) } name="reason" maxlength="200" placeholder="why";
                                    button type="submit" { "End table" span class="unseen" { ": " (table.id) } }
                                }
                            }
                        }
                    }
                }
            }
            h2 { "Agents thinking now" }
            @if seen.thinking.is_empty() { p { "None." } } @else {
                ul class="desk" {
                    @for it in &seen.thinking { li { code { (it.table) } span { (thought(it)) } } }
                }
            }
            h2 { "Work" }
            @if seen.runs.is_empty() && seen.competitions.is_empty() { p { "None." } } @else {
                ul class="desk" {
                    @for (kind, page, jobs) in [("runs", "/lab/job/", &seen.runs), ("competitions", "/c/", &seen.competitions)] {
                        @for (id, command) in jobs {
                            li {
                                a href={ (page) (id) } { code { (command) } }
                                form method="post" action={ "/operator/" (kind) "/" (id) "/stop" } {
                                    button type="submit" { "Stop" span class="unseen" { " " (command) } }
                                }
                            }
                        }
                    }
                }
            }
            @if let Some((count, locked)) = &seen.members {
                h2 { "Members" }
                p { (count) " members" @if !locked.is_empty() { ", of them locked:" } }
                (ban_list("/operator/accounts/unlock", "name", locked))
                form method="post" action="/operator/accounts/lock" class="sheet links" {
                    label for="member" { "Name" }
                    input id="member" name="name";
                    button type="submit" { "Lock the account" }
                }
            }
            h2 { "Banned addresses" }
            (ban_list("/operator/pardon", "address", &operation.banned()))
            form method="post" action="/operator/ban" class="sheet links" {
                label for="address" { "Address" }
                input id="address" name="address" placeholder="192.0.2.7";
                button type="submit" { "Ban" }
            }
            h2 { "Recent requests" }
            @let visits = operation.visits();
            @if visits.is_empty() { p { "No requests since the server started." } } @else {
                div class="report" { div class="scroll" tabindex="0" role="region" aria-label="Recent requests" {
                    table {
                        thead { tr { th scope="col" { "from" } th scope="col" { "to" } th scope="col" class="number" { "answer" } th scope="col" class="number" { "ago" } } }
                        tbody { @for visit in visits { tr {
                            th scope="row" { (visit.address) } td { (visit.path) } td class="number" { (visit.status) } td class="number" { (age(visit.at.elapsed())) }
                        } } }
                    }
                } }
            }
        },
    )
}
