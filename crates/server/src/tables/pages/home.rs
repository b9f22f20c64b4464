//! The first page: games to play, tables to watch.

use maud::{Markup, html};
use meeple_core::AnyEntry;
use meeple_table::Holder;

use crate::games::list::{game_name, games_head};
use crate::page::frame::page;
use crate::tables::order::quick_seats;
use crate::tables::store::Listed;

fn begin(entry: &dyn AnyEntry) -> Markup {
    let info = entry.info();
    html! {
        form method="post" action={ "/new/" (info.id) } {
            @for (seat, who) in quick_seats(entry).iter().enumerate() {
                input type="hidden" name={ "agent." (seat) } value=(who);
            }
            button class="primary" type="submit" { "Play now" span class="unseen" { " " (info.name) } }
            a class="button" href={ "/new/" (info.id) } { "Set up" span class="unseen" { " a table of " (info.name) } }
            a href={ "/guide/" (info.id) } { "How to play" span class="unseen" { " " (info.name) } }
            a href={ "/rules/" (info.id) } { "Rules" span class="unseen" { " of " (info.name) } }
        }
    }
}

pub fn home(tables: &[Listed]) -> Markup {
    page(
        "Play",
        false,
        &html! {
            (games_head("Play", "Board games, against people or agents. Nothing to install, no account.", begin))
            h2 id="tables" { "Tables" }
            (list(tables))
        },
    )
}

pub fn tables(tables: &[Listed]) -> Markup {
    page(
        "Tables",
        false,
        &html! {
            h1 { "Tables" }
            (list(tables))
            p { a href="/" { "Set up a table of your own" } }
        },
    )
}

/// The public tables, those with open seats first.
fn list(tables: &[Listed]) -> Markup {
    let mut order: Vec<&Listed> = tables.iter().collect();
    order.sort_by_key(|table| (table.open_seats().is_empty(), table.over));
    html! {
        @if tables.is_empty() {
            p { "No open table yet. Set one up and tick \"show it in the list of tables\"." }
        } @else {
            ul class="tables" { @for table in order { li { (line(table)) } } }
        }
    }
}

fn line(table: &Listed) -> Markup {
    let people: Vec<&str> = table
        .holders
        .iter()
        .filter_map(|holder| if let Holder::Person { name } = holder { Some(name.as_str()) } else { None })
        .collect();
    let free = table.open_seats();
    html! {
        a href={ "/t/" (table.id) } { (game_name(&table.game)) }
        @if !people.is_empty() { " with " bdi { (people.join(", ")) } }
        @if let Some(time) = &table.time { ", time " (time) }
        @match (table.over, &free[..]) {
            (true, _) => { ": over" }
            (_, []) => { ": being played" }
            (_, [seat, ..]) => {
                ": " strong { (free.len()) " of " (table.holders.len()) " seats free" } " "
                a class="button" href={ "/t/" (table.id) "/join/" (seat) } {
                    "Sit down" span class="unseen" { " at seat " (seat) " of this table of " (game_name(&table.game)) }
                }
            }
        }
    }
}
