//! Scenes as pixels, equal to a browser's rendering of their SVG.

use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path as Outline, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke,
    StrokeDash, Transform,
};

use crate::color::Color;
use crate::font::font;
use crate::item::{Anchor, Item, Shape, Style};
use crate::path::{Path, Segment};
use crate::svg::{dashes, finite, size, visible};
use crate::text::LINE_HEIGHT;

/// Distance of a quarter circle's control points from its ends, in radii.
const QUARTER: f64 = 0.552_284_749_8;

/// Maximum coordinate, in pixels from the corner of the picture. Items beyond it are mistakes and are
/// skipped: the rasteriser's numbers are not precise enough for them.
const FARTHEST: f32 = 1e6;

pub(crate) fn paint(items: &[Item], canvas: &mut Pixmap, at: Transform) {
    for item in items {
        if item.style.opacity < 1.0 {
            paint_translucent(item, canvas, at);
        } else {
            paint_opaque(item, canvas, at);
        }
    }
}

fn paint_opaque(item: &Item, canvas: &mut Pixmap, at: Transform) {
    if let Shape::Group { transform, items } = &item.shape {
        paint(items, canvas, at.pre_concat(placed(transform)));
        return;
    }
    let Some(outline) = outline(&item.shape).filter(|outline| covered(outline, item, at).is_some()) else {
        return;
    };
    let style = &item.style;
    let fill = |canvas: &mut Pixmap| {
        if let Some(color) = style.fill.filter(|_| !matches!(item.shape, Shape::Line { .. })) {
            canvas.fill_path(&outline, &ink(color), FillRule::Winding, at, None);
        }
    };
    // The outline of a text is a halo behind its letters.
    let is_text = matches!(item.shape, Shape::Text { .. });
    if !is_text {
        fill(canvas);
    }
    if let Some((color, stroke)) = stroke(style, is_text) {
        canvas.stroke_path(&outline, &ink(color), &stroke, at, None);
    }
    if is_text {
        fill(canvas);
    }
}

/// Paints an item on its own layer first, so that its parts do not shine through each other.
fn paint_translucent(item: &Item, canvas: &mut Pixmap, at: Transform) {
    let Some(extent) = extent(item, at) else { return };
    let within = |pixel: f32, end: u32| pixel.clamp(0.0, end as f32) as i32;
    let (left, top) = (within(extent.left(), canvas.width()), within(extent.top(), canvas.height()));
    // The pixels at the extent's edges belong to it.
    let right = within(extent.right() + 1.0, canvas.width());
    let bottom = within(extent.bottom() + 1.0, canvas.height());
    let Some(mut layer) = Pixmap::new((right - left) as u32, (bottom - top) as u32) else { return };
    paint_opaque(item, &mut layer, at.post_translate(-left as f32, -top as f32));
    let paint = PixmapPaint { opacity: item.style.opacity.max(0.0) as f32, ..PixmapPaint::default() };
    canvas.draw_pixmap(left, top, layer.as_ref(), &paint, Transform::identity(), None);
}

/// Bounding box of the pixels that an item may cover.
fn extent(item: &Item, at: Transform) -> Option<Rect> {
    if let Shape::Group { transform, items } = &item.shape {
        let at = at.pre_concat(placed(transform));
        let extents = items.iter().filter_map(|item| extent(item, at));
        return extents.reduce(|one, other| one.join(&other).unwrap_or(one));
    }
    covered(&outline(&item.shape)?, item, at)
}

/// Bounding box of the pixels that an item with this outline may cover; `None` if it exceeds [`FARTHEST`].
fn covered(outline: &Outline, item: &Item, at: Transform) -> Option<Rect> {
    let bounds = outline.bounds().transform(at)?;
    // A mitred corner extends beyond the middle of the line by at most the miter limit.
    let beyond = stroke(&item.style, matches!(item.shape, Shape::Text { .. }))
        .map_or(0.0, |(_, stroke)| stroke.width / 2.0 * stroke.miter_limit * at.get_scale().0);
    // One more pixel covers lines thinner than a pixel.
    let covered = bounds.outset(beyond + 1.0, beyond + 1.0)?;
    let ends = [covered.left(), covered.top(), covered.right(), covered.bottom()];
    ends.into_iter().all(|end| end.abs() <= FARTHEST).then_some(covered)
}

fn ink(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(color.0, color.1, color.2, 255);
    paint
}

fn stroke(style: &Style, is_text: bool) -> Option<(Color, Stroke)> {
    let width = size(style.stroke_width);
    let color = style.stroke.filter(|_| width > 0.0)?;
    let dash = style.dash.then(|| StrokeDash::new(dashes(width).map(|dash| dash as f32).to_vec(), 0.0));
    let stroke = Stroke {
        width: width as f32,
        line_cap: if style.round { LineCap::Round } else { LineCap::Butt },
        line_join: if style.round || is_text { LineJoin::Round } else { LineJoin::Miter },
        dash: dash.flatten(),
        ..Stroke::default()
    };
    Some((color, stroke))
}

fn placed(transform: &crate::item::Transform) -> Transform {
    let number = |value: f64| finite(value) as f32;
    Transform::from_translate(number(transform.x), number(transform.y))
        .pre_rotate(number(transform.degrees))
        .pre_scale(number(transform.scale), number(transform.scale))
        .pre_translate(-number(transform.origin.0), -number(transform.origin.1))
}

/// The outline of a shape in its own units; `None` if it is empty.
fn outline(shape: &Shape) -> Option<Outline> {
    let mut pen = Pen::default();
    match shape {
        Shape::Rect { x, y, w, h, radius } => {
            let (w, h) = (size(*w), size(*h));
            if w == 0.0 || h == 0.0 {
                return None;
            }
            pen.rectangle((finite(*x), finite(*y)), (w, h), size(*radius));
        }
        Shape::Circle { x, y, r } => {
            let (x, y, r) = (finite(*x), finite(*y), size(*r));
            if r == 0.0 {
                return None;
            }
            pen.rectangle((x - r, y - r), (2.0 * r, 2.0 * r), r);
        }
        Shape::Line { x1, y1, x2, y2 } => {
            pen.move_to((*x1, *y1));
            pen.line_to((*x2, *y2));
        }
        Shape::Polygon(points) | Shape::Polyline(points) => {
            for (index, point) in points.iter().enumerate() {
                if index == 0 { pen.move_to(*point) } else { pen.line_to(*point) }
            }
            if matches!(shape, Shape::Polygon(_)) {
                pen.path.close();
            }
        }
        Shape::Path(path) => pen.follow(path),
        Shape::Text { x, y, size: font_size, anchor, bold, text } => {
            pen.text((finite(*x), finite(*y)), size(*font_size), *anchor, *bold, text);
        }
        Shape::Group { .. } => return None,
    }
    pen.path.finish()
}

/// Builds an outline from unchecked numbers.
#[derive(Default)]
struct Pen {
    path: PathBuilder,
    /// Current point; `begin` is the start of the current subpath.
    at: (f64, f64),
    begin: (f64, f64),
}

impl Pen {
    fn move_to(&mut self, to: (f64, f64)) {
        self.at = (finite(to.0), finite(to.1));
        self.begin = self.at;
        self.path.move_to(self.at.0 as f32, self.at.1 as f32);
    }

    fn line_to(&mut self, to: (f64, f64)) {
        self.at = (finite(to.0), finite(to.1));
        self.path.line_to(self.at.0 as f32, self.at.1 as f32);
    }

    fn cubic_to(&mut self, first: (f64, f64), second: (f64, f64), to: (f64, f64)) {
        let number = |value: f64| finite(value) as f32;
        self.at = (finite(to.0), finite(to.1));
        self.path.cubic_to(
            number(first.0),
            number(first.1),
            number(second.0),
            number(second.1),
            number(to.0),
            number(to.1),
        );
    }

    /// A rectangle from its upper left corner; corner radii shrink to fit.
    fn rectangle(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), radius: f64) {
        let (rx, ry) = (radius.min(w / 2.0), radius.min(h / 2.0));
        let (left, top, right, bottom) = (x, y, x + w, y + h);
        let (cx, cy) = (rx * (1.0 - QUARTER), ry * (1.0 - QUARTER));
        self.move_to((left + rx, top));
        self.line_to((right - rx, top));
        self.cubic_to((right - cx, top), (right, top + cy), (right, top + ry));
        self.line_to((right, bottom - ry));
        self.cubic_to((right, bottom - cy), (right - cx, bottom), (right - rx, bottom));
        self.line_to((left + rx, bottom));
        self.cubic_to((left + cx, bottom), (left, bottom - cy), (left, bottom - ry));
        self.line_to((left, top + ry));
        self.cubic_to((left, top + cy), (left + cx, top), (left + rx, top));
        self.path.close();
    }

    fn follow(&mut self, path: &Path) {
        if !matches!(path.segments.first(), None | Some(Segment::Move(..))) {
            self.move_to((0.0, 0.0));
        }
        for segment in &path.segments {
            match *segment {
                Segment::Move(x, y) => self.move_to((x, y)),
                Segment::Line(x, y) => self.line_to((x, y)),
                Segment::Quad(cx, cy, x, y) => {
                    self.at = (finite(x), finite(y));
                    let (x, y) = (self.at.0 as f32, self.at.1 as f32);
                    self.path.quad_to(finite(cx) as f32, finite(cy) as f32, x, y);
                }
                Segment::Cubic(ax, ay, bx, by, x, y) => self.cubic_to((ax, ay), (bx, by), (x, y)),
                Segment::Arc { radius, arc, x, y } => {
                    let (large, clockwise) = arc.flags();
                    self.arc_to(size(radius), large, clockwise, (finite(x), finite(y)));
                }
                Segment::Close => {
                    self.path.close();
                    self.at = self.begin;
                }
            }
        }
    }

    /// A circular arc, as cubic curves of at most a quarter circle each.
    fn arc_to(&mut self, radius: f64, large: bool, clockwise: bool, to: (f64, f64)) {
        let from = self.at;
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let distance = dx.hypot(dy);
        // Special cases of arcs as in SVG: without radius or length they are lines.
        if radius == 0.0 || distance == 0.0 {
            return self.line_to(to);
        }
        let radius = radius.max(distance / 2.0);
        // The centre lies beside the middle of the chord: to the right of the direction (y down) or to the
        // left.
        let beside = (radius * radius - distance * distance / 4.0).max(0.0).sqrt();
        let side = if large == clockwise { -1.0 } else { 1.0 };
        let centre = (
            from.0 + dx / 2.0 - side * beside * dy / distance,
            from.1 + dy / 2.0 + side * beside * dx / distance,
        );
        let angle = |point: (f64, f64)| (point.1 - centre.1).atan2(point.0 - centre.0);
        let begin = angle(from);
        let turn = (angle(to) - begin).rem_euclid(std::f64::consts::TAU);
        let turn = if clockwise { turn } else { turn - std::f64::consts::TAU };
        let parts = (turn.abs() / std::f64::consts::FRAC_PI_2).ceil().max(1.0);
        let step = turn / parts;
        let reach = 4.0 / 3.0 * (step / 4.0).tan() * radius;
        let on = |angle: f64| (centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin());
        for part in 0..parts as u32 {
            let (a, b) = (begin + step * f64::from(part), begin + step * f64::from(part + 1));
            let ((ax, ay), (bx, by)) = (on(a), on(b));
            let end = if f64::from(part + 1) == parts { to } else { (bx, by) };
            let first = (ax - reach * a.sin(), ay + reach * a.cos());
            self.cubic_to(first, (bx + reach * b.sin(), by - reach * b.cos()), end);
        }
    }

    fn text(&mut self, (x, y): (f64, f64), font_size: f64, anchor: Anchor, bold: bool, text: &str) {
        for (index, line) in text.split('\n').enumerate() {
            let shown: String = line.chars().map(visible).collect();
            let (outline, width) = font(bold).outline(&shown, font_size);
            let left = match anchor {
                Anchor::Start => x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            let baseline = y + index as f64 * LINE_HEIGHT * font_size;
            let there = Transform::from_translate(left as f32, baseline as f32);
            if let Some(outline) = outline.and_then(|outline| outline.transform(there)) {
                self.path.push_path(&outline);
            }
        }
    }
}
