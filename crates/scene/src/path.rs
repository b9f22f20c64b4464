//! Outlines of lines, curves and arcs.

/// Selection among the four circular arcs between two points. "Clockwise" is meant as seen on the page (y
/// down).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arc {
    /// At most half a circle, clockwise.
    ShortClockwise,
    /// At least half a circle, clockwise.
    LongClockwise,
    /// At most half a circle, counter-clockwise.
    ShortCounterClockwise,
    /// At least half a circle, counter-clockwise.
    LongCounterClockwise,
}

impl Arc {
    /// Flags of the SVG arc command: `large-arc-flag` and `sweep-flag`.
    pub(crate) fn flags(self) -> (bool, bool) {
        match self {
            Arc::ShortClockwise => (false, true),
            Arc::LongClockwise => (true, true),
            Arc::ShortCounterClockwise => (false, false),
            Arc::LongCounterClockwise => (true, false),
        }
    }
}

/// One step of a [`Path`]. All points are absolute.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
pub enum Segment {
    /// Start of a new subpath at this point.
    Move(f64, f64),
    /// A straight line to this point.
    Line(f64, f64),
    /// A quadratic curve: control point (x, y), end point (x, y).
    Quad(f64, f64, f64, f64),
    /// A cubic curve: first control point, second control point and end point, each (x, y).
    Cubic(f64, f64, f64, f64, f64, f64),
    /// A circular arc to (`x`, `y`). A radius too small for the distance is enlarged to fit.
    Arc { radius: f64, arc: Arc, x: f64, y: f64 },
    /// A straight line back to the start of the subpath.
    Close,
}

/// An outline, built step by step.
///
/// A path without a leading [`move_to`](Path::move_to) starts at the origin.
///
/// ```
/// use meeple_scene::{Arc, Path};
/// let half_moon = Path::new().move_to(0.0, -1.0).arc_to(1.0, Arc::ShortClockwise, 0.0, 1.0).close();
/// assert_eq!(half_moon.segments.len(), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The steps in drawing order.
    pub segments: Vec<Segment>,
}

impl Path {
    /// An empty path.
    pub fn new() -> Path {
        Path::default()
    }

    /// Starts a new subpath at a point.
    pub fn move_to(self, x: f64, y: f64) -> Path {
        self.then(Segment::Move(x, y))
    }

    /// Draws a straight line to a point.
    pub fn line_to(self, x: f64, y: f64) -> Path {
        self.then(Segment::Line(x, y))
    }

    /// Draws a quadratic curve with control point (`cx`, `cy`) to (`x`, `y`).
    pub fn quad_to(self, cx: f64, cy: f64, x: f64, y: f64) -> Path {
        self.then(Segment::Quad(cx, cy, x, y))
    }

    /// Draws a cubic curve with two control points to an end point, each as (x, y).
    pub fn cubic_to(self, first: (f64, f64), second: (f64, f64), end: (f64, f64)) -> Path {
        self.then(Segment::Cubic(first.0, first.1, second.0, second.1, end.0, end.1))
    }

    /// Draws a circular arc with this radius to (`x`, `y`).
    pub fn arc_to(self, radius: f64, arc: Arc, x: f64, y: f64) -> Path {
        self.then(Segment::Arc { radius, arc, x, y })
    }

    /// Draws a straight line back to the start of the subpath.
    pub fn close(self) -> Path {
        self.then(Segment::Close)
    }

    fn then(mut self, segment: Segment) -> Path {
        self.segments.push(segment);
        self
    }
}
