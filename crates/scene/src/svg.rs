//! Scenes as self-contained SVG.

use crate::color::Color;
use crate::item::{Anchor, Item, Shape, Style, Transform};
use crate::part::smallest_text;
use crate::path::{Path, Segment};
use crate::scene::{Scene, Target};
use crate::text::LINE_HEIGHT;

/// Fonts of text, best first: the one that [`text_width`](crate::text_width) measures, the most similar one,
/// and any other.
pub const FONT_FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// Maximum magnitude of numbers. Larger ones are mistakes and are clamped, because some programs fail on long
/// numbers.
const MAX_NUMBER: f64 = 1e9;

/// Options of SVG output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvgOptions {
    /// Pixels per board unit at the natural size. The picture can still be scaled freely.
    pub pixels_per_unit: f64,
    /// If true, items with an action are clickable, focusable and accessible. If false, the picture is
    /// static.
    pub interactive: bool,
}

impl Default for SvgOptions {
    fn default() -> SvgOptions {
        SvgOptions { pixels_per_unit: 64.0, interactive: false }
    }
}

impl Scene {
    /// Writes the drawing as one self-contained SVG element, for files and pages.
    ///
    /// The same drawing and options give the same bytes. Numbers have at most three decimals. NaN and
    /// infinities become 0, and characters forbidden in XML become U+FFFD.
    ///
    /// An interactive picture marks each item with an action by `class="spot"`, `data-action` (the action's
    /// text), `role="button"`, `tabindex="0"` and `aria-label` (the tooltip, or else the action). Targets are
    /// invisible rectangles on top, with `class="target"` and `data-target` (their name). The page handles
    /// clicks and keys.
    ///
    /// A page can show the parts separately: each is a group with `class="part"`, `aria-label` (name),
    /// `data-view` (left edge, upper edge, width and height) and `data-text` (size of its smallest text, if
    /// any). A board also has `data-board` (its own origin and unit) and, if set, `data-focus` (point of the
    /// last event). All these numbers are in units of the drawing. Items of no part stand beside these
    /// groups. A group of spots at one place (see [`Item::place`]) has `class="place"` and `data-place` (the
    /// place's name).
    ///
    /// Each line of the text is a complete element, begins a group (with its tooltip), or ends one. Two
    /// pictures can therefore be compared line by line.
    pub fn to_svg(&self, options: &SvgOptions) -> String {
        let mut out = Writer { text: String::new(), interactive: options.interactive };
        out.scene(self, options);
        out.text
    }
}

impl Item {
    /// Writes one item as in a static picture: one or more lines, each with a line break. Between head and
    /// closing tag, [`Scene::to_svg`] consists of the lines of its items, one after another.
    pub fn to_svg(&self) -> String {
        let mut out = Writer { text: String::new(), interactive: false };
        out.item(self);
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
        self.raw("<svg xmlns=\"http://www.w3.org/2000/svg\"");
        self.attribute("viewBox", Numbers(&[0.0, 0.0, width, height]));
        self.length("width", width * options.pixels_per_unit);
        self.length("height", height * options.pixels_per_unit);
        // Screen readers skip the parts of an image, but not those of a group.
        self.attribute("role", if self.interactive { "group" } else { "img" });
        self.attribute("font-family", FONT_FAMILY);
        self.raw(">\n");
        for (name, text) in [("title", &scene.title), ("desc", &scene.description)] {
            if !text.is_empty() {
                self.element(name, text);
                self.raw("\n");
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
        if self.interactive {
            self.parts(scene);
        } else {
            scene.items.iter().for_each(|item| self.item(item));
        }
        self.raw("</svg>\n");
    }

    fn parts(&mut self, scene: &Scene) {
        let mut written = 0;
        for (part, items) in scene.panels() {
            scene.items[written..items.start].iter().for_each(|item| self.item(item));
            written = items.end;
            let items = &scene.items[items];
            self.raw("<g class=\"part\" role=\"group\"");
            self.attribute("aria-label", Escaped(&part.name));
            self.attribute("data-view", Numbers(&[part.x, part.y, size(part.width), size(part.height)]));
            if let Some(smallest) = smallest_text(items).filter(|size| *size > 0.0) {
                self.attribute("data-text", Number(smallest));
            }
            if let Some(at) = part.board {
                self.attribute("data-board", Numbers(&[at.x, at.y, at.scale]));
            }
            if let Some((x, y)) = part.focus {
                self.attribute("data-focus", Numbers(&[x, y]));
            }
            self.raw(">\n");
            items.iter().for_each(|item| self.item(item));
            for target in scene.targets.iter().filter(|target| part.has(target)) {
                self.target(target);
            }
            self.raw("</g>\n");
        }
        scene.items[written..].iter().for_each(|item| self.item(item));
    }

    fn target(&mut self, target: &Target) {
        self.raw("<rect");
        let (width, height) = (size(target.width), size(target.height));
        self.lengths(&[("x", target.x), ("y", target.y), ("width", width), ("height", height)]);
        self.raw(" class=\"target\"");
        self.attribute("data-target", Escaped(&target.name));
        self.raw(" fill=\"none\" pointer-events=\"none\"/>\n");
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
            self.element("title", tooltip);
        }
        match &item.shape {
            Shape::Text { x, text, .. } => self.lines(*x, text),
            Shape::Group { items, .. } => {
                self.raw("\n");
                items.iter().for_each(|item| self.item(item));
            }
            _ => {}
        }
        self.raw("</");
        self.raw(name);
        self.raw(">\n");
    }

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
        self.raw("<");
        self.raw(name);
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
                self.raw(" transform=\"");
                self.function("translate", &[*x, *y]);
                if *degrees != 0.0 {
                    self.raw(" ");
                    self.function("rotate", &[*degrees]);
                }
                if *scale != 1.0 {
                    self.raw(" ");
                    self.function("scale", &[*scale]);
                }
                if *origin != (0.0, 0.0) {
                    self.raw(" ");
                    self.function("translate", &[-origin.0, -origin.1]);
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
        // A group paints nothing itself; its items carry their own paint.
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
        // A mitred corner of a halo would stick out between the letters.
        let is_text = matches!(shape, Shape::Text { .. });
        if style.round || is_text {
            self.attribute("stroke-linejoin", "round");
        }
        if is_text {
            self.attribute("paint-order", "stroke");
        }
    }

    fn action(&mut self, item: &Item) {
        if item.is_place && self.interactive {
            self.raw(" class=\"place\"");
            self.attribute("data-place", Escaped(item.tooltip.as_deref().unwrap_or_default()));
            return;
        }
        let Some(action) = item.action.as_deref().filter(|_| self.interactive) else { return };
        self.attribute("class", "spot");
        self.attribute("data-action", Escaped(action));
        self.attribute("role", "button");
        self.attribute("tabindex", "0");
        let label = item.tooltip.as_deref().filter(|tooltip| !tooltip.is_empty()).unwrap_or(action);
        self.attribute("aria-label", Escaped(label));
        // The inside of an outline also belongs to the spot.
        self.attribute("pointer-events", "all");
    }

    fn points(&mut self, points: &[(f64, f64)]) {
        self.raw(" points=\"");
        for (index, (x, y)) in points.iter().enumerate() {
            self.raw(if index > 0 { " " } else { "" });
            self.value(Number(*x));
            self.raw(",");
            self.value(Number(*y));
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
        self.raw(letter);
        self.value(Numbers(numbers));
    }

    /// Writes the content of a text element: plain, or one span per line.
    fn lines(&mut self, x: f64, text: &str) {
        if !text.contains('\n') {
            self.value(Escaped(text));
            return;
        }
        let mut skipped = 0.0;
        for (index, line) in text.split('\n').enumerate() {
            // An empty span would not move the pen, so the next line also gets the empty line's step.
            if index > 0 {
                skipped += LINE_HEIGHT;
            }
            if line.is_empty() {
                continue;
            }
            self.raw("<tspan");
            self.length("x", x);
            self.raw(" dy=\"");
            self.value(Number(skipped));
            self.raw("em\">");
            self.value(Escaped(line));
            self.raw("</tspan>");
            skipped = 0.0;
        }
    }

    /// Writes a complete text element.
    fn element(&mut self, name: &str, text: &str) {
        self.raw("<");
        self.raw(name);
        self.raw(">");
        self.value(Escaped(text));
        self.raw("</");
        self.raw(name);
        self.raw(">");
    }

    fn function(&mut self, name: &str, numbers: &[f64]) {
        self.raw(name);
        self.raw("(");
        self.value(Numbers(numbers));
        self.raw(")");
    }

    /// Writes an attribute; the value needs no escapes or is [`Escaped`].
    fn attribute(&mut self, name: &str, value: impl Value) {
        self.raw(" ");
        self.raw(name);
        self.raw("=\"");
        self.value(value);
        self.raw("\"");
    }

    fn length(&mut self, name: &str, value: f64) {
        self.attribute(name, Number(value));
    }

    fn lengths(&mut self, lengths: &[(&str, f64)]) {
        lengths.iter().for_each(|(name, value)| self.length(name, *value));
    }

    fn value(&mut self, value: impl Value) {
        value.write(&mut self.text);
    }

    fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// A value in a drawing. Pages have millions of numbers, and generic formatting took most of a page's time.
/// Implementations therefore write their own digits.
trait Value {
    fn write(&self, text: &mut String);
}

impl Value for &str {
    fn write(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl Value for Color {
    /// Writes the same text as [`Display`](std::fmt::Display).
    fn write(&self, text: &mut String) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        text.push('#');
        for channel in [self.0, self.1, self.2] {
            text.push(char::from(DIGITS[usize::from(channel >> 4)]));
            text.push(char::from(DIGITS[usize::from(channel & 15)]));
        }
    }
}

/// A number with at most three decimals, without trailing zeros or a negative zero.
struct Number(f64);

impl Value for Number {
    fn write(&self, text: &mut String) {
        let thousandths = (finite(self.0) * 1000.0).round() as i64;
        if thousandths < 0 {
            text.push('-');
        }
        let (mut whole, mut rest) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
        let digit = |number: u64| char::from(b'0' + (number % 10) as u8);
        let mut highest = 1;
        while whole / highest >= 10 {
            highest *= 10;
        }
        while highest > 0 {
            text.push(digit(whole / highest));
            whole %= highest;
            highest /= 10;
        }
        if rest > 0 {
            text.push('.');
        }
        while rest > 0 {
            text.push(digit(rest / 100));
            rest = rest % 100 * 10;
        }
    }
}

/// Numbers, written with blanks between them.
struct Numbers<'a>(&'a [f64]);

impl Value for Numbers<'_> {
    fn write(&self, text: &mut String) {
        for (index, value) in self.0.iter().enumerate() {
            text.push_str(if index > 0 { " " } else { "" });
            Number(*value).write(text);
        }
    }
}

/// Text, written with the escapes of elements and attributes.
struct Escaped<'a>(&'a str);

impl Value for Escaped<'_> {
    fn write(&self, text: &mut String) {
        for character in self.0.chars() {
            match character {
                '&' => text.push_str("&amp;"),
                '<' => text.push_str("&lt;"),
                '>' => text.push_str("&gt;"),
                '"' => text.push_str("&quot;"),
                '\'' => text.push_str("&#39;"),
                // XML parsers would normalise these characters in attributes to blanks.
                '\t' => text.push_str("&#9;"),
                '\n' => text.push_str("&#10;"),
                '\r' => text.push_str("&#13;"),
                _ => text.push(visible(character)),
            }
        }
    }
}

/// The number clamped to [`MAX_NUMBER`]; 0 if it is not finite.
pub(crate) fn finite(value: f64) -> f64 {
    if value.is_finite() { value.clamp(-MAX_NUMBER, MAX_NUMBER) } else { 0.0 }
}

/// The length; 0 for negative and non-finite values.
pub(crate) fn size(value: f64) -> f64 {
    finite(value).max(0.0)
}

/// A dash and the gap after it, for lines of this width.
pub(crate) fn dashes(width: f64) -> [f64; 2] {
    [3.0 * width, 2.5 * width]
}

/// The character to draw. XML 1.0 forbids control characters, even as references.
pub(crate) fn visible(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        _ => character,
    }
}
