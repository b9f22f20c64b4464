//! Lists of all games, and names of games.

use maud::{Markup, html};
use meeple_core::AnyEntry;
use meeple_games::{games, parse_game};

pub fn games_head(title: &str, lead: &str, links: impl Fn(&dyn AnyEntry) -> Markup) -> Markup {
    html! {
        h1 { (title) }
        p class="lead" { (lead) }
        ul class="games" {
            @for entry in games() {
                @let info = entry.info();
                li class="game" {
                    h2 { (info.name) }
                    p { (info.summary) }
                    (links(entry))
                }
            }
        }
    }
}

/// A link to a game's form, whose address is below `below`.
pub fn set_up(below: &str, words: &str, entry: &dyn AnyEntry) -> Markup {
    let info = entry.info();
    html! {
        p class="links" { a class="button primary" href={ (below) (info.id) } { (words) span class="unseen" { " of " (info.name) } } }
    }
}

/// The public name of a game with its preset.
pub fn game_name(game: &str) -> String {
    parse_game(game).map_or_else(
        |_| game.to_owned(),
        |found| format!("{}, {}", found.entry.info().name, found.preset.unwrap_or_default()),
    )
}
