//! A moment of a game that has been, or is being, played.

use maud::{Markup, PreEscaped, html};
use meeple_core::GameInfo;

use super::page;

/// What a moment shows.
pub struct Shown<'a> {
    /// The game.
    pub info: &'a GameInfo,
    /// Its number among those that the viewer may know of, from 0, as `render --at` counts.
    pub at: usize,
    /// The last of them.
    pub last: usize,
    /// The drawing as SVG.
    pub drawing: &'a str,
    /// The table as text.
    pub text: &'a str,
    /// What happened since the moment before.
    pub news: &'a [String],
}

/// The page. `base` is the address of the whole, `viewer` how it says whose eyes, `back` what it is.
pub fn moment(shown: &Shown<'_>, base: &str, viewer: &str, back: &str, below: &Markup) -> Markup {
    let Shown { info, at, last, drawing, text, news } = shown;
    let whole = html! { a class="button" href={ (base) "?as=" (viewer) } { (back) } };
    page(
        &format!("{}, moment {at}", info.name),
        true,
        &html! {
            div id="moment" {
                h1 { (info.name) " " small { "moment " (at) " of " (last) } }
                (steps(*at, *last, |at| format!("{base}/at/{at}?as={viewer}"), &whole))
                ul class="news" role="status" { @for line in *news { li { (line) } } }
                div id="board" tabindex="0" role="region" aria-label="Board, scrolls" { (PreEscaped(drawing)) }
                details { summary { "The table as text" } pre tabindex="0" role="region" aria-label="The table as text" { (text) } }
                (below)
            }
        },
    )
}

/// Links from moment to moment.
pub fn steps(at: usize, last: usize, to: impl Fn(usize) -> String, besides: &Markup) -> Markup {
    let step = |name: &str, target: usize, rel: Option<&str>| {
        html! {
            @if target == at { span class="button off" { (name) } }
            @else { a class="button" rel=[rel] href=(to(target)) { (name) } }
        }
    };
    html! {
        nav class="steps" aria-label="Moments" {
            (step("First", 0, None))
            (step("Back", at.saturating_sub(1), Some("prev")))
            (step("On", (at + 1).min(last), Some("next")))
            (step("Last", last, None))
            (besides)
        }
    }
}
