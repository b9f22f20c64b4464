//! A moment of a game that has been, or is being, played.

use maud::{Markup, PreEscaped, html};

use super::page;
use crate::hub::Hosted;

/// What a moment shows.
pub struct Moment {
    /// Its number among those that the viewer may know of, from 0, as `render --at` counts.
    pub at: usize,
    /// The last of them.
    pub last: usize,
    /// The drawing as SVG.
    pub drawing: String,
    /// The table as text.
    pub text: String,
    /// What happened since the moment before.
    pub news: Vec<String>,
}

/// The page.
pub fn moment(hosted: &Hosted, moment: &Moment, viewer: &str) -> Markup {
    let info = hosted.entry.info();
    let Moment { at, last, drawing, text, news } = moment;
    let to = |at: usize| format!("/t/{}/at/{at}?as={viewer}", hosted.row.id);
    let step = |name: &str, target: usize, rel: Option<&str>| {
        html! {
            @if target == *at { span class="button off" { (name) } }
            @else { a class="button" rel=[rel] href=(to(target)) { (name) } }
        }
    };
    page(
        &format!("{}, moment {at}", info.name),
        true,
        &html! {
            div id="moment" {
                h1 { (info.name) " " small { "moment " (at) " of " (last) } }
                nav class="steps" aria-label="Moments" {
                    (step("First", 0, None))
                    (step("Back", at.saturating_sub(1), Some("prev")))
                    (step("On", (at + 1).min(*last), Some("next")))
                    (step("Last", *last, None))
                    a class="button" href={ "/t/" (hosted.row.id) "?as=" (viewer) } { "To the table" }
                }
                ul class="news" role="status" { @for line in news { li { (line) } } }
                div id="board" tabindex="0" role="region" aria-label="Board, scrolls" { (PreEscaped(drawing)) }
                details { summary { "The table as text" } pre tabindex="0" role="region" aria-label="The table as text" { (text) } }
            }
        },
    )
}
