//! Rules and guides as pages.

use maud::{Markup, PreEscaped, html};
use meeple_core::{AnyEntry, GameInfo};
use meeple_scene::{Scene, SvgOptions};

use crate::games::example::drawings;
use crate::games::markdown::{Markdown, is_clause};
use crate::page::frame::page;

/// The rules. Every clause has an anchor with its name.
pub fn rules(info: &GameInfo) -> Markup {
    text_page(info, &format!("Rules of {}", info.name), info.rules, &[])
}

/// The guide, with the table after each block of its example games.
pub fn guide(entry: &dyn AnyEntry) -> Markup {
    let info = entry.info();
    text_page(info, &format!("How to play {}", info.name), info.guide, &drawings(entry))
}

fn text_page(info: &GameInfo, title: &str, markdown: &str, drawings: &[Option<Scene>]) -> Markup {
    let drawn: Vec<String> =
        drawings.iter().map(|scene| scene.as_ref().map(drawn).unwrap_or_default()).collect();
    let rendering = Markdown { after_blocks: &drawn, ..Markdown::default() };
    page(
        title,
        false,
        &html! {
            nav class="presets" aria-label="Texts" {
                a href={ "/guide/" (info.id) } { "How to play" }
                a href={ "/rules/" (info.id) } { "Rules" }
                a href={ "/new/" (info.id) } { "Play" }
            }
            article class="text" { (PreEscaped(rendering.to_html(markdown))) }
        },
    )
}

fn drawn(scene: &Scene) -> String {
    let svg = scene.to_svg(&SvgOptions::default());
    html! {
        figure class="drawn" tabindex="0" {
            (PreEscaped(svg))
            figcaption { "The table as you see it." }
        }
    }
    .into_string()
}

/// An error text, with links to the clauses that it names: `(R3.4)`, `5.1: …`.
pub fn with_clauses(info: &GameInfo, text: &str) -> Markup {
    html! {
        @for (index, word) in text.split(' ').enumerate() {
            @if index > 0 { " " }
            @let name = word.trim_matches(['(', ')', ',', ';', ':', '.']);
            // A decimal number counts as a clause only with brackets or a colon.
            @let is_named = name.starts_with('R') || word.starts_with('(') || word.ends_with(':');
            @match word.split_once(name).filter(|_| is_clause(name) && is_named) {
                Some((before, after)) => { (before) a href={ "/rules/" (info.id) "#" (name) } { (name) } (after) }
                None => { (word) }
            }
        }
    }
}
