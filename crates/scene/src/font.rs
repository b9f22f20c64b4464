//! The embedded font, and text as outlines.

use std::sync::OnceLock;

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

pub(crate) struct Font {
    face: Face<'static>,
    units_per_em: f64,
}

/// DejaVu Sans: free to embed (Bitstream Vera licence, changes in the public domain). It covers Latin, Greek,
/// Cyrillic, arrows, suits, dice and chess pieces, and is the usual "sans-serif" of Linux browsers. Regular
/// and Bold together have 1.4 MB; the crate's other styles are not linked.
pub(crate) fn font(bold: bool) -> &'static Font {
    static REGULAR: OnceLock<Font> = OnceLock::new();
    static BOLD: OnceLock<Font> = OnceLock::new();
    let (face, bytes): (_, fn() -> &'static [u8]) =
        if bold { (&BOLD, dejavu::sans::bold) } else { (&REGULAR, dejavu::sans::regular) };
    face.get_or_init(|| {
        let face = Face::parse(bytes(), 0).expect("the font that comes along is a font");
        Font { units_per_em: f64::from(face.units_per_em()), face }
    })
}

impl Font {
    /// The outline of one line of text with its left end at the origin, and its width in the unit of `size`.
    ///
    /// Letters are placed in the order of the text, with the font's kerning. Missing glyphs are drawn as the
    /// font's empty box.
    pub(crate) fn outline(&self, line: &str, size: f64) -> (Option<Path>, f64) {
        let scale = size / self.units_per_em;
        let mut pen = Pen { path: PathBuilder::new(), x: 0.0, scale };
        let mut before = None;
        // A soft hyphen is visible only at line breaks, and lines are never broken.
        for character in line.chars().filter(|character| *character != '\u{ad}') {
            let glyph = self.face.glyph_index(character).unwrap_or_default();
            pen.x += scale * before.map_or(0.0, |before| self.kerning(before, glyph));
            self.face.outline_glyph(glyph, &mut pen);
            pen.x += scale * f64::from(self.face.glyph_hor_advance(glyph).unwrap_or_default());
            before = Some(glyph);
        }
        (pen.path.finish(), pen.x)
    }

    fn kerning(&self, left: GlyphId, right: GlyphId) -> f64 {
        let tables = self.face.tables().kern.into_iter().flat_map(|kern| kern.subtables);
        let mut pairs = tables.filter(|table| table.horizontal && !table.variable);
        f64::from(pairs.find_map(|table| table.glyphs_kerning(left, right)).unwrap_or_default())
    }
}

/// Draws letters at `x`; the font's y axis points up.
struct Pen {
    path: PathBuilder,
    x: f64,
    scale: f64,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        ((self.x + self.scale * f64::from(x)) as f32, (-self.scale * f64::from(y)) as f32)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
