//! Drawings as data: one description of a table becomes SVG, PNG or coloured text for a terminal.
//!
//! A game draws a seat's observation twice: a [`Scene`] of shapes in board units, and a [`Screen`] of styled
//! lines. Shapes that represent a legal action carry the action's text form, so every front end can offer
//! clicks without knowing the rules.
//!
//! # A drawing as SVG
//!
//! ```
//! use meeple_scene::{Scene, SvgOptions, palette};
//!
//! let mut scene = Scene::new(4.0, 3.0);
//! scene.title = "One tent".into();
//! scene.rect(0.5, 0.5, 3.0, 2.0).fill(palette::SAND).stroke(palette::INK, 0.05);
//! scene.circle(2.0, 1.5, 0.6).fill(palette::seat_color(0)).action("stay").tooltip("stay in the cave");
//! scene.text(2.0, 1.5, 0.4, "7").centered().bold().fill(palette::WHITE);
//!
//! let svg = scene.to_svg(&SvgOptions { pixels_per_unit: 100.0, interactive: true });
//! assert!(svg.starts_with("<svg ") && svg.contains(r#"data-action="stay""#));
//! assert_eq!(scene.actions(), ["stay"]);
//! ```
//!
//! # The same drawing as PNG
//!
//! This needs the feature `png`. The font is embedded, so the bytes are the same on every machine.
//!
#![cfg_attr(feature = "png", doc = "```")]
#![cfg_attr(not(feature = "png"), doc = "```ignore")]
//! use meeple_scene::{Scene, palette, to_png};
//!
//! let mut scene = Scene::new(4.0, 3.0);
//! scene.circle(2.0, 1.5, 0.6).fill(palette::seat_color(0));
//! let png = to_png(&scene, 400)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! // Width and height in pixels, as PNG stores them.
//! assert_eq!(png[16..24], [0, 0, 1, 144, 0, 0, 1, 44]);
//! # Ok::<(), meeple_scene::RenderError>(())
//! ```
//!
//! # Lines for a terminal
//!
//! ```
//! use meeple_scene::{ColorMode, Ink, Screen, palette};
//!
//! let mut screen = Screen::new();
//! screen.line().push("tent ").push_ink("7", Ink::fg(palette::seat_color(0)).bold());
//! assert_eq!(screen.to_plain(), "tent 7\n");
//! assert!(screen.to_ansi(ColorMode::TrueColor).contains("\x1b["));
//! ```
//!
//! # Features
//!
//! No feature is on by default. `png` adds `to_png`, a rasteriser and the font DejaVu Sans
//! (`docs/reference/library.md` has its cost).
//!
//! # Rules of the crate
//!
//! The crate is pure: the same drawing gives the same bytes everywhere. Bad numbers (NaN, infinite, negative
//! sizes) and hostile text are neutralised on output, and nothing panics.
//!
//! Module dependencies point one way, to earlier modules of this list: `color`, `palette`, `path` and `text`;
//! `item`, `scene`, `part` and `key`; then `svg`, `font`, `paint` and `png`. Beside these drawings stand the
//! modules for terminals, `screen`, `wrap` and `window` in this order, and `splice` alone.

#![warn(missing_docs)]

mod color;
#[cfg(feature = "png")]
mod font;
mod item;
mod key;
#[cfg(feature = "png")]
mod paint;
pub mod palette;
mod part;
mod path;
#[cfg(feature = "png")]
mod png;
mod scene;
mod screen;
mod splice;
mod svg;
mod text;
mod window;
mod wrap;

pub use color::{Color, ParseColorError};
pub use item::{Anchor, Item, Shape, Style, Transform};
pub use key::Key;
pub use path::{Arc, Path, Segment};
#[cfg(feature = "png")]
pub use png::{MAX_PIXELS, RenderError, to_png};
pub use scene::{Scene, ScenePart, Target};
pub use screen::{
    Area, ColorMode, Ink, Line, Panel, Part, Screen, Span, cleaned, line_columns, line_to_ansi, text_columns,
};
pub use splice::{Splice, splices};
pub use svg::{FONT_FAMILY, SvgOptions};
pub use text::{HALF_CAPITAL, LINE_HEIGHT, text_width};
pub use window::{Camera, Fitted, Room, Sight};
pub use wrap::{cropped, wrapped};
