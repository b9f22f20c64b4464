//! The first page: games to play, tables to watch.

use maud::{Markup, html};
use meeple_core::AnyEntry;
use meeple_games::parse_game;

use super::games::games_head;
use super::page;
use crate::form::quick_seats;
use crate::store::Listed;

/// A game and its preset as people say it.
pub fn game_name(game: &str) -> String {
    parse_game(game).map_or_else(
        |_| game.to_owned(),
        |found| format!("{}, {}", found.entry.info().name, found.preset.unwrap_or_default()),
    )
}

/// How a game can be begun, or read about.
fn begin(entry: &dyn AnyEntry) -> Markup {
    let info = entry.info();
    html! {
        form method="post" action={ "/new/" (info.id) } {
            @for (seat, who) in quick_seats(entry).iter().enumerate() {
                input type="hidden" name={ "agent." (seat) } value=(who);
            }
            button class="primary" type="submit" { "Play now" span class="unseen" { " " (info.name) } }
            a class="button" href={ "/new/" (info.id) } { "Set up" span class="unseen" { " a table of " (info.name) } }
            a href={ "/guide/" (info.id) } { "How it goes" span class="unseen" { " " (info.name) } }
            a href={ "/rules/" (info.id) } { "Rules" span class="unseen" { " of " (info.name) } }
        }
    }
}

/// The page.
pub fn home(tables: &[Listed]) -> Markup {
    page(
        "Play",
        false,
        &html! {
            (games_head("Play", "Board games, against people or agents. Nothing to install, no account.", begin))
            h2 id="tables" { "Tables" }
            @if tables.is_empty() {
                p { "No open table yet. Set one up and tick \"everybody may find it\"." }
            } @else {
                ul class="tables" {
                    @for table in tables {
                        li { a href={ "/t/" (table.id) } { (game_name(&table.game)) } " " (if table.over { "over" } else { "being played" }) }
                    }
                }
            }
        },
    )
}
