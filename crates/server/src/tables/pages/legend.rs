//! The legend of a drawing.

use maud::{Markup, PreEscaped, html};
use meeple_scene::{Key, SvgOptions};

/// The legend, collapsed; empty where a drawing needs none.
pub fn legend(keys: &[Key]) -> Markup {
    html! {
        @if !keys.is_empty() {
            details {
                summary { "Legend" }
                ul class="legend" {
                    @for key in keys {
                        li {
                            span aria-hidden="true" { (PreEscaped(key.picture.to_svg(&SvgOptions::default()))) }
                            (key.text)
                        }
                    }
                }
            }
        }
    }
}
