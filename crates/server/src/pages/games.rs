//! The head of pages that list all games.

use maud::{Markup, html};
use meeple_core::AnyEntry;
use meeple_games::games;

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

/// A single link to a game's form below this address.
pub fn set_up(below: &str, words: &str, entry: &dyn AnyEntry) -> Markup {
    let info = entry.info();
    html! {
        p class="links" { a class="button primary" href={ (below) (info.id) } { (words) span class="unseen" { " of " (info.name) } } }
    }
}
