//! The page of one moment of a game.

use maud::{Markup, PreEscaped, html};
use meeple_core::GameInfo;
use meeple_replay::{DrawingPanel, Moment, PanelPlacement, panels};
use meeple_scene::{Scene, SvgOptions};

use crate::page::frame::page;
use crate::tables::pages::legend::legend;

pub struct Shown<'a> {
    pub info: &'a GameInfo,
    /// The moment's number among those visible to the viewer, from 0, as in `render --at`.
    pub at: usize,
    pub last: usize,
    pub found: &'a Moment,
}

/// The page of a moment. `base` is the address of the whole game, and `viewer` the value of its parameter
/// `as`. `back` is the text of the link to it.
pub fn moment(shown: &Shown<'_>, base: &str, viewer: &str, back: &str, below: &Markup) -> Markup {
    let Shown { info, at, last, found } = shown;
    let whole = html! { a class="button" href={ (base) "?as=" (viewer) } { (back) } };
    page(
        &format!("{}, moment {at}", info.name),
        true,
        &html! {
            div id="moment" {
                h1 { (info.name) " " small { "moment " (at) " of " (last) } }
                (steps(*at, *last, |at| format!("{base}/at/{at}?as={viewer}"), &whole))
                div role="status" { ul class="news" { @for line in &found.news { li { (line) } } } }
                (parts(&found.scene))
                (legend(&found.legend))
                details { summary { "Board as text" } pre tabindex="0" role="region" aria-label="Board as text" { (found.screen.to_plain()) } }
                (below)
            }
        },
    )
}

/// The parts of a drawing at a readable size, because no script fits them to the window here.
fn parts(drawing: &Scene) -> Markup {
    let shown = |panel: &DrawingPanel| {
        let wide = panel.place == PanelPlacement::Board;
        html! {
            div class=(if wide { "part wide" } else { "part" }) tabindex="0" role="region" aria-label={ (panel.scene.title) ", scrolls" } style=(panel.style) {
                (PreEscaped(panel.scene.to_svg(&SvgOptions::default())))
            }
        }
    };
    let all = panels(drawing);
    let (board, others) =
        all.split_at(usize::from(all.first().is_some_and(|panel| panel.place == PanelPlacement::Board)));
    html! {
        div id="board" class="parts" {
            @for panel in board { (shown(panel)) }
            @if board.is_empty() {
                @for panel in others {
                    @if panel.place == PanelPlacement::Line { div class="break" {} }
                    (shown(panel))
                }
            } @else if !others.is_empty() {
                div class="column" { @for panel in others { (shown(panel)) } }
            }
        }
    }
}

/// Links to the first, previous, next and last moment.
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
