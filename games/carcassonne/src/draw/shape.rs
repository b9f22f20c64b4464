//! Outlines of cities, roads and rivers on a unit tile, computed from the sides that they reach.

use meeple_scene::Path;

use crate::geometry::Side;

pub(crate) type Point = (f64, f64);

/// The corner at the clockwise beginning of a side.
fn corner(side: usize) -> Point {
    [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)][side & 3]
}

pub(crate) fn middle(side: Side) -> Point {
    let (dx, dy) = side.offset();
    (0.5 + 0.5 * f64::from(dx), 0.5 + 0.5 * f64::from(dy))
}

/// The point at `depth` from a side; `along` runs clockwise from 0 to 1.
pub(crate) fn inside(side: usize, depth: f64, along: f64) -> Point {
    let (from, to) = (corner(side), corner(side + 1));
    let (dx, dy) = Side::from_index(side).offset();
    (
        from.0 + (to.0 - from.0) * along - f64::from(dx) * depth,
        from.1 + (to.1 - from.1) * along - f64::from(dy) * depth,
    )
}

#[derive(Clone, Copy)]
pub(crate) struct Curve(pub [Point; 4]);

impl Curve {
    pub(crate) fn line(from: Point, to: Point) -> Self {
        let at = |share: f64| (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
        Self([from, at(1.0 / 3.0), at(2.0 / 3.0), to])
    }

    pub(crate) fn at(&self, t: f64) -> Point {
        let [a, b, c, d] = self.0;
        let s = 1.0 - t;
        let mix = |a: f64, b: f64, c: f64, d: f64| {
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        (mix(a.0, b.0, c.0, d.0), mix(a.1, b.1, c.1, d.1))
    }

    /// Points along the curve, both ends included.
    pub(crate) fn points(self) -> impl Iterator<Item = Point> {
        (0..=16).map(move |step| self.at(f64::from(step) / 16.0))
    }

    pub(crate) fn path(&self) -> Path {
        let [a, b, c, d] = self.0;
        Path::new().move_to(a.0, a.1).cubic_to(b, c, d)
    }
}

/// A city: its walls (inside the tile) and the polygon of its ground.
pub(crate) struct City {
    pub walls: Vec<Curve>,
    pub ground: Vec<Point>,
}

pub(crate) fn city(sides: u8) -> City {
    let has = |side: usize| sides >> (side & 3) & 1 == 1;
    let mut city = City { walls: Vec::new(), ground: Vec::new() };
    let Some(first) = (0..4).find(|side| has(*side) && !has(side + 3)) else {
        // The city reaches all four sides, or none.
        city.ground = if sides == 0 { Vec::new() } else { (0..4).map(corner).collect() };
        return city;
    };
    let mut side = first;
    while side < first + 4 {
        if has(side) {
            city.ground.push(corner(side));
            city.ground.push(corner(side + 1));
            side += 1;
            continue;
        }
        let gap = (1..4).find(|gap| has(side + gap)).unwrap_or(4);
        let (from, to) = (corner(side), corner(side + gap));
        let wall = match gap {
            // The wall runs around the one missing side.
            1 => Curve([from, inside(side, 0.3, 0.18), inside(side, 0.3, 0.82), to]),
            // The wall runs from corner to corner, past the centre.
            2 => {
                let pull = inside(side, 0.0, 1.0);
                let lean = |end: Point| {
                    let middle = (0.5 - (pull.0 - 0.5) * 0.3, 0.5 - (pull.1 - 0.5) * 0.3);
                    (middle.0 + (end.0 - middle.0) * 0.42, middle.1 + (end.1 - middle.1) * 0.42)
                };
                Curve([from, lean(from), lean(to), to])
            }
            // The wall bows over the city's only side.
            _ => {
                let own = side + 3;
                Curve([from, inside(own, 0.36, 0.84), inside(own, 0.36, 0.16), to])
            }
        };
        city.ground.extend(wall.points());
        city.walls.push(wall);
        side += gap;
    }
    city
}

/// The curve of a road or river with these sides: through the tile, or from its only side to `end`.
pub(crate) fn way(sides: u8, end: Point) -> Option<Curve> {
    let reached: Vec<Side> = Side::ALL.into_iter().filter(|side| sides >> side.index() & 1 == 1).collect();
    match reached[..] {
        [one] => Some(Curve::line(middle(one), end)),
        [one, other] if one.opposite() == other => Some(Curve::line(middle(one), middle(other))),
        [one, other] => {
            let (from, to) = (middle(one), middle(other));
            let lean = |point: Point| (point.0 + (0.5 - point.0) * 0.62, point.1 + (0.5 - point.1) * 0.62);
            Some(Curve([from, lean(from), lean(to), to]))
        }
        _ => None,
    }
}

/// Returns true if the point is in the polygon.
pub(crate) fn contains(polygon: &[Point], (x, y): Point) -> bool {
    let mut odd = false;
    for (at, (x1, y1)) in polygon.iter().enumerate() {
        let (x2, y2) = polygon[(at + 1) % polygon.len()];
        if (*y1 > y) != (y2 > y) && x < x1 + (y - y1) / (y2 - y1) * (x2 - x1) {
            odd = !odd;
        }
    }
    odd
}

pub(crate) fn distance(one: Point, other: Point) -> f64 {
    (one.0 - other.0).hypot(one.1 - other.1)
}
