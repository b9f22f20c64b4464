//! Scenes as self-contained SVG.

use std::fmt::{self, Write as _};

use crate::item::{Anchor, Item, Shape, Style, Transform};
use crate::path::{Path, Segment};
use crate::scene::Scene;
use crate::text::LINE_HEIGHT;

/// The fonts that text asks for, best first: what [`text_width`](crate::text_width) measures, then
/// the one most like it, then anything.
pub const FONT_FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// Numbers beyond this are cut: they are mistakes, and some readers choke on long ones.
const MAX_NUMBER: f64 = 1e9;

/// How a scene is written as SVG.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvgOptions {
    /// Pixels per board unit at the picture's natural size; it scales freely all the same.
    pub pixels_per_unit: f64,
    /// Whether items with an action can be clicked, focused and read out; otherwise they are only drawn.
    pub interactive: bool,
}

impl Default for SvgOptions {
    fn default() -> SvgOptions {
        SvgOptions { pixels_per_unit: 64.0, interactive: false }
    }
}

impl Scene {
    /// Writes the drawing as one SVG element that needs nothing else: to be stored as a file or put
    /// into a page as it is.
    ///
    /// The same drawing and options give the same bytes. Numbers have at most three decimals;
    /// NaN and infinities are written as 0; characters that XML forbids become U+FFFD.
    ///
    /// An interactive picture marks each item with an action by `class="spot"`, `data-action` (the
    /// action's text), `role="button"`, `tabindex="0"` and `aria-label` (the tooltip, or else the
    /// action). Reacting to clicks and keys is the page's business.
    pub fn to_svg(&self, options: &SvgOptions) -> String {
        let mut out = Writer { text: String::new(), interactive: options.interactive };
        out.scene(self, options);
        out.text
    }
}

struct Writer {
    text: String,
    interactive: bool,
}

impl Writer {
    fn scene(&mut self, scene: &Scene, options: &SvgOptions) {
        let (width, height) = (size(scene.width), size(scene.height));
        let corner = Numbers(&[width, height]);
        self.put(format_args!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {corner}\""));
        self.length("width", width * options.pixels_per_unit);
        self.length("height", height * options.pixels_per_unit);
        // The parts of an image are hidden from screen readers, those of a group are not.
        self.attribute("role", if self.interactive { "group" } else { "img" });
        self.attribute("font-family", FONT_FAMILY);
        self.raw(">\n");
        for (name, text) in [("title", &scene.title), ("desc", &scene.description)] {
            if !text.is_empty() {
                self.put(format_args!("<{name}>{}</{name}>\n", Escaped(text)));
            }
        }
        if self.interactive {
            self.raw(
                "<style>.spot{cursor:pointer}.spot:hover,.spot:focus-visible{filter:brightness(1.12)}</style>\n",
            );
        }
        if let Some(color) = scene.background {
            self.raw("<rect");
            self.length("width", width);
            self.length("height", height);
            self.attribute("fill", color);
            self.raw("/>\n");
        }
        scene.items.iter().for_each(|item| self.item(item));
        self.raw("</svg>\n");
    }

    fn item(&mut self, item: &Item) {
        let name = self.open(&item.shape);
        self.style(&item.style, &item.shape);
        self.action(item);
        let tooltip = item.tooltip.as_deref().unwrap_or("");
        let is_container = matches!(item.shape, Shape::Text { .. } | Shape::Group { .. });
        if !is_container && tooltip.is_empty() {
            self.raw("/>\n");
            return;
        }
        self.raw(">");
        if !tooltip.is_empty() {
            self.put(format_args!("<title>{}</title>", Escaped(tooltip)));
        }
        match &item.shape {
            Shape::Text { x, text, .. } => self.lines(*x, text),
            Shape::Group { items, .. } => {
                self.raw("\n");
                items.iter().for_each(|item| self.item(item));
            }
            _ => {}
        }
        self.put(format_args!("</{name}>\n"));
    }

    /// Starts the tag of a shape with its geometry, and returns its name.
    fn open(&mut self, shape: &Shape) -> &'static str {
        let name = match shape {
            Shape::Rect { .. } => "rect",
            Shape::Circle { .. } => "circle",
            Shape::Line { .. } => "line",
            Shape::Polygon(_) => "polygon",
            Shape::Polyline(_) => "polyline",
            Shape::Path(_) => "path",
            Shape::Text { .. } => "text",
            Shape::Group { .. } => "g",
        };
        self.put(format_args!("<{name}"));
        match shape {
            Shape::Rect { x, y, w, h, radius } => {
                self.lengths(&[("x", *x), ("y", *y), ("width", size(*w)), ("height", size(*h))]);
                if *radius > 0.0 {
                    self.length("rx", *radius);
                }
            }
            Shape::Circle { x, y, r } => self.lengths(&[("cx", *x), ("cy", *y), ("r", size(*r))]),
            Shape::Line { x1, y1, x2, y2 } => {
                self.lengths(&[("x1", *x1), ("y1", *y1), ("x2", *x2), ("y2", *y2)]);
            }
            Shape::Polygon(points) | Shape::Polyline(points) => self.points(points),
            Shape::Path(path) => self.path(path),
            Shape::Text { x, y, size: font_size, anchor, bold, text } => {
                self.lengths(&[("x", *x), ("y", *y), ("font-size", size(*font_size))]);
                match anchor {
                    Anchor::Start => {}
                    Anchor::Middle => self.attribute("text-anchor", "middle"),
                    Anchor::End => self.attribute("text-anchor", "end"),
                }
                if *bold {
                    self.attribute("font-weight", "bold");
                }
                if text.starts_with(' ') || text.ends_with(' ') || text.contains("  ") {
                    self.attribute("xml:space", "preserve");
                }
            }
            Shape::Group { transform: Transform { x, y, origin, degrees, scale }, .. } => {
                self.put(format_args!(" transform=\"translate({})", Numbers(&[*x, *y])));
                if *degrees != 0.0 {
                    self.put(format_args!(" rotate({})", Number(*degrees)));
                }
                if *scale != 1.0 {
                    self.put(format_args!(" scale({})", Number(*scale)));
                }
                if *origin != (0.0, 0.0) {
                    self.put(format_args!(" translate({})", Numbers(&[-origin.0, -origin.1])));
                }
                self.raw("\"");
            }
        }
        name
    }

    fn style(&mut self, style: &Style, shape: &Shape) {
        if style.opacity < 1.0 {
            self.length("opacity", style.opacity.max(0.0));
        }
        // A group paints nothing itself, and its items name their own paint.
        if matches!(shape, Shape::Group { .. }) {
            return;
        }
        if !matches!(shape, Shape::Line { .. }) {
            match style.fill {
                Some(color) => self.attribute("fill", color),
                None => self.attribute("fill", "none"),
            }
        }
        let Some(color) = style.stroke else { return };
        let width = size(style.stroke_width);
        self.attribute("stroke", color);
        self.length("stroke-width", width);
        if style.dash {
            self.attribute("stroke-dasharray", Numbers(&dashes(width)));
        }
        if style.round {
            self.attribute("stroke-linecap", "round");
        }
        // A pointed corner of a halo would stick out between the letters.
        let is_text = matches!(shape, Shape::Text { .. });
        if style.round || is_text {
            self.attribute("stroke-linejoin", "round");
        }
        if is_text {
            self.attribute("paint-order", "stroke");
        }
    }

    fn action(&mut self, item: &Item) {
        let Some(action) = item.action.as_deref().filter(|_| self.interactive) else { return };
        self.attribute("class", "spot");
        self.attribute("data-action", Escaped(action));
        self.attribute("role", "button");
        self.attribute("tabindex", "0");
        let label = item.tooltip.as_deref().filter(|tooltip| !tooltip.is_empty()).unwrap_or(action);
        self.attribute("aria-label", Escaped(label));
        // The inside of an outline belongs to the spot too.
        self.attribute("pointer-events", "all");
    }

    fn points(&mut self, points: &[(f64, f64)]) {
        self.raw(" points=\"");
        for (index, (x, y)) in points.iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            self.put(format_args!("{blank}{},{}", Number(*x), Number(*y)));
        }
        self.raw("\"");
    }

    fn path(&mut self, path: &Path) {
        self.raw(" d=\"");
        if !matches!(path.segments.first(), None | Some(Segment::Move(..))) {
            self.raw("M0 0");
        }
        for segment in &path.segments {
            match *segment {
                Segment::Move(x, y) => self.command("M", &[x, y]),
                Segment::Line(x, y) => self.command("L", &[x, y]),
                Segment::Quad(cx, cy, x, y) => self.command("Q", &[cx, cy, x, y]),
                Segment::Cubic(ax, ay, bx, by, x, y) => self.command("C", &[ax, ay, bx, by, x, y]),
                Segment::Arc { radius, arc, x, y } => {
                    let (large, clockwise) = arc.flags();
                    let flag = |is_set: bool| f64::from(u8::from(is_set));
                    self.command("A", &[radius, radius, 0.0, flag(large), flag(clockwise), x, y]);
                }
                Segment::Close => self.raw("Z"),
            }
        }
        self.raw("\"");
    }

    fn command(&mut self, letter: &str, numbers: &[f64]) {
        self.put(format_args!("{letter}{}", Numbers(numbers)));
    }

    /// The content of a text element: as it is, or one span per line.
    fn lines(&mut self, x: f64, text: &str) {
        if !text.contains('\n') {
            self.put(format_args!("{}", Escaped(text)));
            return;
        }
        let mut skipped = 0.0;
        for (index, line) in text.split('\n').enumerate() {
            // An empty span would not move the pen, so its step goes to the next line.
            if index > 0 {
                skipped += LINE_HEIGHT;
            }
            if line.is_empty() {
                continue;
            }
            let (x, dy, line) = (Number(x), Number(skipped), Escaped(line));
            self.put(format_args!("<tspan x=\"{x}\" dy=\"{dy}em\">{line}</tspan>"));
            skipped = 0.0;
        }
    }

    /// A value that has nothing to escape, or is [`Escaped`].
    fn attribute(&mut self, name: &str, value: impl fmt::Display) {
        self.put(format_args!(" {name}=\"{value}\""));
    }

    fn length(&mut self, name: &str, value: f64) {
        self.attribute(name, Number(value));
    }

    fn lengths(&mut self, lengths: &[(&str, f64)]) {
        lengths.iter().for_each(|(name, value)| self.length(name, *value));
    }

    fn put(&mut self, text: fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("writing to a string does not fail");
    }

    fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// A number with at most three decimals and without needless zeros or signs.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousandths = (finite(self.0) * 1000.0).round() as i64;
        let sign = if thousandths < 0 { "-" } else { "" };
        let (whole, rest) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
        write!(f, "{sign}{whole}")?;
        if rest > 0 { f.write_str(format!(".{rest:03}").trim_end_matches('0')) } else { Ok(()) }
    }
}

/// Numbers with blanks between them.
struct Numbers<'a>(&'a [f64]);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, value) in self.0.iter().enumerate() {
            write!(f, "{}{}", if index > 0 { " " } else { "" }, Number(*value))?;
        }
        Ok(())
    }
}

/// Text that reads back the same in an element and in an attribute.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // An attribute would turn these into blanks.
                '\t' => f.write_str("&#9;")?,
                '\n' => f.write_str("&#10;")?,
                '\r' => f.write_str("&#13;")?,
                _ => f.write_char(visible(character))?,
            }
        }
        Ok(())
    }
}

/// A number that can be drawn.
pub(crate) fn finite(value: f64) -> f64 {
    if value.is_finite() { value.clamp(-MAX_NUMBER, MAX_NUMBER) } else { 0.0 }
}

/// A length that is a number and not negative.
pub(crate) fn size(value: f64) -> f64 {
    finite(value).max(0.0)
}

/// A dash and the gap after it, for lines of this width.
pub(crate) fn dashes(width: f64) -> [f64; 2] {
    [3.0 * width, 2.5 * width]
}

/// A character as it is shown: XML 1.0 allows neither control characters nor a reference to them.
pub(crate) fn visible(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        _ => character,
    }
}
