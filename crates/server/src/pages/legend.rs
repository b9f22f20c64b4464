//! What shapes and colours of a drawing stand for.

use maud::{Markup, PreEscaped, html};
use meeple_scene::{Key, SvgOptions};

/// The list, closed at first; nothing where a drawing explains itself.
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
