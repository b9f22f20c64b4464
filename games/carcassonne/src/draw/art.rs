//! The art of tiles, computed from their data. Nothing here is specific to a single tile.

use std::sync::LazyLock;

use meeple_scene::{Color, Item, Path, Shape, Style, Transform};

use super::shape::{City, Curve, Point, city, contains, distance, inside, middle, way};
use crate::geometry::Side;
use crate::tiles::{KINDS, Kind, MAX_SEGMENTS, SegmentKind, tables};

const GRASS: Color = Color::hex("#9dbf74");
const GRASS_EDGE: Color = Color::hex("#86a85f");
const TUFT: Color = Color::hex("#7d9f56");
const ROAD: Color = Color::hex("#f2ead8");
const ROAD_EDGE: Color = Color::hex("#8d7a5c");
const WATER: Color = Color::hex("#7db4d6");
const WATER_EDGE: Color = Color::hex("#5b93b8");
const GROUND: Color = Color::hex("#cfa574");
const WALL: Color = Color::hex("#5d5348");
const WALL_LIGHT: Color = Color::hex("#d9d0c0");
const ROOFS: [Color; 3] = [Color::hex("#b1543a"), Color::hex("#9c4632"), Color::hex("#c46a48")];
const HOUSE: Color = Color::hex("#f0e0c4");
const BUSH: Color = Color::hex("#557f3d");
const SHIELD: Color = Color::hex("#2f5fa8");
const MONK: Color = Color::hex("#efe6d8");
const SLATE: Color = Color::hex("#6a4a3a");
const STONE: Color = Color::hex("#b9b3a8");

pub(super) const QUIET: Color = Color::hex("#5f646a");

pub(crate) struct Art {
    /// The picture on the unit square.
    pub items: Vec<Item>,
    /// Positions of meeples, by segment.
    pub anchors: [Point; MAX_SEGMENTS],
    pub tower: Point,
}

static ARTS: LazyLock<Vec<Art>> = LazyLock::new(|| {
    (0..KINDS).flat_map(|kind| (0..4).map(move |turns| Sketch::of(Kind::new(kind), turns).art())).collect()
});

pub(crate) fn art(kind: Kind, turns: u8) -> &'static Art {
    &ARTS[4 * kind.index() + usize::from(turns & 3)]
}

pub(super) fn tile(kind: Kind, turns: u8, transform: Transform) -> Item {
    Item::new(Shape::Group { transform, items: art(kind, turns).items.clone() }, Style::default())
}

/// The outlines of a tile, computed before painting.
struct Sketch {
    kind: Kind,
    sides: [u8; MAX_SEGMENTS],
    halves: [u8; MAX_SEGMENTS],
    cities: Vec<(usize, City)>,
    roads: Vec<(usize, Curve)>,
    river: Option<Curve>,
    monastery: Option<(usize, Point)>,
    foundation: Option<Point>,
    junction: bool,
}

const CENTRE: Point = (0.5, 0.5);

impl Sketch {
    fn of(kind: Kind, turns: usize) -> Self {
        let tile = kind.tile();
        let piece = tables().piece(kind, turns as u8);
        let mut sides = [0u8; MAX_SEGMENTS];
        let mut halves = [0u8; MAX_SEGMENTS];
        for side in 0..4 {
            if piece.at_side[side] != crate::tiles::NONE {
                sides[usize::from(piece.at_side[side])] |= 1 << side;
            }
        }
        for half in 0..8 {
            if piece.at_half[half] != crate::tiles::NONE {
                halves[usize::from(piece.at_half[half])] |= 1 << half;
            }
        }
        let of = |kind: SegmentKind| {
            let segments = tile.segments.iter().enumerate();
            segments.filter(move |(_, segment)| segment.kind == kind).map(|(number, _)| number)
        };
        let cities: Vec<(usize, City)> =
            of(SegmentKind::City).map(|number| (number, city(sides[number]))).collect();
        let ends = of(SegmentKind::Road).filter(|road| sides[*road].count_ones() == 1).count();
        let river_end = if tile.river.count_ones() == 1 { CENTRE } else { (0.0, 0.0) };
        let river = way(piece.river, river_end);
        let mut sketch = Self {
            kind,
            sides,
            halves,
            cities,
            roads: Vec::new(),
            river,
            monastery: None,
            foundation: None,
            junction: ends > 1 && !tile.foundation,
        };
        sketch.monastery = tile.monastery().map(|number| (number, sketch.monastery_place(piece.river)));
        for road in of(SegmentKind::Road) {
            let end = match sketch.monastery {
                Some((_, place)) if ends == 1 => place,
                _ if tile.foundation || ends > 1 => CENTRE,
                _ => sketch.gate(sides[road]),
            };
            if let Some(curve) = way(sides[road], end) {
                sketch.roads.push((road, curve));
            }
        }
        if tile.foundation {
            sketch.foundation = Some(if ends > 0 { CENTRE } else { sketch.clearing() });
        }
        sketch
    }

    /// The position of the monastery: beside a river, otherwise in the centre.
    fn monastery_place(&self, river: u8) -> Point {
        if river == 0 {
            return CENTRE;
        }
        // The monastery lies opposite the road.
        let road = self.sides.iter().zip(&self.kind.tile().segments);
        let road = road.filter(|(_, segment)| segment.kind == SegmentKind::Road).map(|(sides, _)| *sides);
        let side = road.map(|sides| sides.trailing_zeros() as usize).next().unwrap_or(0);
        inside(side + 2, 0.2, 0.5)
    }

    /// The point where a road that ends at a city meets its wall.
    fn gate(&self, sides: u8) -> Point {
        let from = middle(Side::from_index(sides.trailing_zeros() as usize));
        let to = self.cities.first().map_or(CENTRE, |(_, city)| centre_of(&city.ground));
        let steps = (0..=50).map(|step| f64::from(step) / 50.0);
        let points = steps.map(|t| (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t));
        let straight = points.take_while(|point| !self.in_city(*point)).last();
        straight.unwrap_or(CENTRE)
    }

    fn in_city(&self, point: Point) -> bool {
        self.cities.iter().any(|(_, city)| contains(&city.ground, point))
    }

    /// Distance to the nearest road, river, wall or building, or roughly to the edge.
    fn room(&self, point: Point) -> f64 {
        let ways = self.roads.iter().map(|(_, road)| *road).chain(self.river);
        let walls = self.cities.iter().flat_map(|(_, city)| city.walls.iter().copied());
        let lines = ways.chain(walls).flat_map(Curve::points);
        let stones = self.monastery.iter().map(|(_, place)| *place).chain(self.foundation);
        let near = lines.map(|line| distance(line, point));
        let near =
            near.chain(stones.map(|stone| distance(stone, point) - 0.14)).fold(f64::INFINITY, f64::min);
        // The tile's edge repels as well, but less.
        let edge = point.0.min(point.1).min(1.0 - point.0).min(1.0 - point.1);
        near.min(edge + 0.04)
    }

    /// The roomiest point of the tile, preferably near the centre.
    fn clearing(&self) -> Point {
        best_of(grid(), |point| self.room(point) - 0.25 * distance(point, CENTRE))
    }

    /// The grid points of each field, by flood fill from its half-edges.
    fn field_points(&self) -> Vec<(usize, Vec<Point>)> {
        let free = |point: Point| {
            let ways = self.roads.iter().map(|(_, road)| *road).chain(self.river);
            !self.in_city(point) && ways.flat_map(Curve::points).all(|line| distance(line, point) > 0.045)
        };
        let points: Vec<Point> = grid().collect();
        let mut owner: Vec<Option<usize>> = vec![None; points.len()];
        let mut todo = Vec::new();
        for segment in 0..MAX_SEGMENTS {
            for half in (0..8).filter(|half| self.halves[segment] >> half & 1 == 1) {
                let edge = inside(half / 2, 0.02, if half % 2 == 0 { 0.25 } else { 0.75 });
                let near = (0..points.len())
                    .min_by(|a, b| distance(points[*a], edge).total_cmp(&distance(points[*b], edge)));
                if let Some(near) = near {
                    todo.push((near, segment));
                }
            }
        }
        while let Some((at, segment)) = todo.pop() {
            if owner[at].is_some() || !free(points[at]) {
                continue;
            }
            owner[at] = Some(segment);
            let (column, row) = (at % GRID, at / GRID);
            let steps = [(column > 0, at.wrapping_sub(1)), (column + 1 < GRID, at + 1)];
            let steps =
                steps.into_iter().chain([(row > 0, at.wrapping_sub(GRID)), (row + 1 < GRID, at + GRID)]);
            todo.extend(steps.filter(|(exists, _)| *exists).map(|(_, next)| (next, segment)));
        }
        let fields = self.kind.tile().segments.iter().enumerate();
        fields
            .filter(|(_, segment)| segment.kind == SegmentKind::Field)
            .map(|(number, _)| {
                let own = |at: &usize| match self.halves[number] {
                    // A field without a half-edge gets the free points that no other field has.
                    0 => owner[*at].is_none() && free(points[*at]),
                    _ => owner[*at] == Some(number),
                };
                (number, (0..points.len()).filter(own).map(|at| points[at]).collect())
            })
            .collect()
    }

    fn anchors(&self) -> [Point; MAX_SEGMENTS] {
        let mut anchors = [CENTRE; MAX_SEGMENTS];
        for (number, city) in &self.cities {
            let inner = grid().filter(|point| contains(&city.ground, *point));
            let heart = centre_of(&city.ground);
            anchors[*number] =
                best_of(inner, |point| self.room(point).min(0.2) - 0.3 * distance(point, heart));
        }
        for (number, road) in &self.roads {
            let single = self.sides[*number].count_ones() == 1;
            anchors[*number] = road.at(if single { 0.35 } else { 0.5 });
        }
        if let Some((number, place)) = self.monastery {
            anchors[number] = (place.0, place.1 + 0.02);
        }
        for (number, points) in self.field_points() {
            let heart = centre_of(&points);
            // A thin field has no roomy point, so the point nearest to its edge is used.
            let fallback = inside(
                self.halves[number].trailing_zeros() as usize / 2,
                0.1,
                match self.halves[number].trailing_zeros() % 2 {
                    0 => 0.16,
                    _ => 0.84,
                },
            );
            anchors[number] = if points.is_empty() {
                fallback
            } else {
                best_of(points.into_iter(), |point| {
                    self.room(point).min(0.17) - 0.05 * distance(point, heart)
                })
            };
        }
        anchors
    }

    fn art(&self) -> Art {
        Art { items: self.paint(), anchors: self.anchors(), tower: self.foundation.unwrap_or(CENTRE) }
    }

    fn paint(&self) -> Vec<Item> {
        let mut items = vec![Item::new(
            Shape::Rect { x: 0.0, y: 0.0, w: 1.0, h: 1.0, radius: 0.0 },
            Style::fill(GRASS).with_stroke(GRASS_EDGE, 0.012),
        )];
        self.paint_meadow(&mut items);
        self.paint_river(&mut items);
        for (number, city) in &self.cities {
            self.paint_city(*number, city, &mut items);
        }
        for (_, road) in &self.roads {
            items.push(Item::new(Shape::Path(road.path()), Style::stroke(ROAD_EDGE, 0.125)));
        }
        for (_, road) in &self.roads {
            items.push(Item::new(Shape::Path(road.path()), Style::stroke(ROAD, 0.085)));
        }
        if self.junction {
            items.push(disc(CENTRE, 0.11, BUSH.darker(0.2)));
            for (dx, dy) in [(-0.045, -0.03), (0.045, -0.025), (0.0, 0.045)] {
                items.push(disc((0.5 + dx, 0.5 + dy), 0.05, BUSH));
            }
        }
        if let Some((_, place)) = self.monastery {
            // A monastery alone in the centre of its tile is drawn larger.
            let alone = place == CENTRE && self.foundation.is_none();
            items.push(monastery(place, if alone { 1.35 } else { 1.0 }));
        }
        if let Some(place) = self.foundation {
            items.push(Item::new(
                Shape::Circle { x: place.0, y: place.1, r: 0.115 },
                Style::fill(STONE).with_stroke(WALL, 0.02),
            ));
            items.push(Item::new(
                Shape::Circle { x: place.0, y: place.1, r: 0.07 },
                Style::fill(STONE.darker(0.25)),
            ));
        }
        items
    }

    fn paint_meadow(&self, items: &mut Vec<Item>) {
        // A few tufts where there is room, in a fixed pattern.
        for (at, point) in [(0.17, 0.2), (0.79, 0.14), (0.31, 0.63), (0.86, 0.58), (0.62, 0.87), (0.12, 0.85)]
            .into_iter()
            .enumerate()
        {
            if self.room(point) > 0.09 && !self.in_city(point) {
                let (x, y) = point;
                let lean = 0.01 * (at % 3) as f64;
                let tuft = Path::new()
                    .move_to(x - 0.025, y - 0.02)
                    .line_to(x - 0.008, y + 0.012)
                    .line_to(x + lean, y - 0.03)
                    .line_to(x + 0.012, y + 0.012)
                    .line_to(x + 0.03, y - 0.015);
                items.push(Item::new(Shape::Path(tuft), Style::stroke(TUFT, 0.012).rounded()));
            }
        }
    }

    fn paint_river(&self, items: &mut Vec<Item>) {
        let Some(river) = &self.river else { return };
        let ends = self.kind.tile().river.count_ones() == 1;
        if ends {
            items.push(disc(CENTRE, if self.kind.index() + 1 == KINDS { 0.3 } else { 0.16 }, WATER_EDGE));
        }
        items.push(Item::new(Shape::Path(river.path()), Style::stroke(WATER_EDGE, 0.23)));
        items.push(Item::new(Shape::Path(river.path()), Style::stroke(WATER, 0.19)));
        if ends {
            items.push(disc(CENTRE, if self.kind.index() + 1 == KINDS { 0.28 } else { 0.14 }, WATER));
        }
        items.push(Item::new(
            Shape::Path(river.path()),
            Style::stroke(WATER.lighter(0.45), 0.014).opacity(0.8).dashed(),
        ));
    }

    fn paint_city(&self, number: usize, city: &City, items: &mut Vec<Item>) {
        items.push(Item::new(Shape::Polygon(city.ground.clone()), Style::fill(GROUND)));
        let sides = self.sides[number];
        let banner = self.kind.tile().segments[number].banner;
        let shield = banner.then(|| {
            let side = sides.trailing_zeros() as usize;
            inside(side, 0.16, 0.22)
        });
        let mut spots = Vec::new();
        for side in (0..4).filter(|side| sides >> side & 1 == 1) {
            spots.extend(
                [(0.1, 0.3), (0.13, 0.55), (0.09, 0.78)].map(|(depth, along)| inside(side, depth, along)),
            );
        }
        if sides.count_ones() >= 2 {
            spots.extend([(0.32, 0.36), (0.66, 0.33), (0.36, 0.68), (0.68, 0.66), (0.5, 0.5)]);
        }
        spots.sort_by(|one, other| one.1.total_cmp(&other.1));
        let mut built: Vec<Point> = Vec::new();
        for spot in spots {
            let clear = built.iter().chain(&shield).all(|other| distance(*other, spot) > 0.16);
            if clear && contains(&city.ground, spot) && self.room(spot) > 0.085 {
                paint_house(spot, ROOFS[built.len() % ROOFS.len()], items);
                built.push(spot);
            }
        }
        for wall in &city.walls {
            items.push(Item::new(Shape::Path(wall.path()), Style::stroke(WALL, 0.066)));
        }
        for wall in &city.walls {
            items.push(Item::new(Shape::Path(wall.path()), Style::stroke(WALL_LIGHT, 0.034)));
            items.push(Item::new(Shape::Path(wall.path()), Style::stroke(WALL, 0.016).dashed()));
        }
        if let Some(place) = shield {
            paint_shield(place, items);
        }
    }
}

const GRID: usize = 25;

fn grid() -> impl Iterator<Item = Point> {
    let at = |step: usize| (step as f64 + 0.5) / GRID as f64;
    (0..GRID).flat_map(move |row| (0..GRID).map(move |column| (at(column), at(row))))
}

fn best_of(points: impl Iterator<Item = Point>, score: impl Fn(Point) -> f64) -> Point {
    points
        .map(|point| (score(point), point))
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map_or(CENTRE, |best| best.1)
}

fn centre_of(points: &[Point]) -> Point {
    let count = points.len().max(1) as f64;
    let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    (sum.0 / count, sum.1 / count)
}

pub(super) fn disc((x, y): Point, r: f64, color: Color) -> Item {
    Item::new(Shape::Circle { x, y, r }, Style::fill(color))
}

fn paint_house((x, y): Point, roof: Color, items: &mut Vec<Item>) {
    items.push(Item::new(
        Shape::Rect { x: x - 0.046, y: y - 0.01, w: 0.092, h: 0.06, radius: 0.0 },
        Style::fill(HOUSE),
    ));
    let gable = vec![(x - 0.064, y - 0.008), (x, y - 0.074), (x + 0.064, y - 0.008)];
    items.push(Item::new(Shape::Polygon(gable), Style::fill(roof)));
}

fn paint_shield((x, y): Point, items: &mut Vec<Item>) {
    let shield = |grow: f64| {
        let (w, h) = (0.078 + grow, 0.097 + grow);
        Path::new()
            .move_to(x - w, y - h)
            .line_to(x + w, y - h)
            .line_to(x + w, y)
            .quad_to(x + w, y + h * 0.75, x, y + h)
            .quad_to(x - w, y + h * 0.75, x - w, y)
            .close()
    };
    items.push(Item::new(Shape::Path(shield(0.016)), Style::fill(Color::hex("#ffffff"))));
    items.push(Item::new(Shape::Path(shield(0.0)), Style::fill(SHIELD)));
    let chevron = vec![(x - 0.058, y + 0.015), (x, y - 0.045), (x + 0.058, y + 0.015)];
    items.push(Item::new(Shape::Polyline(chevron), Style::stroke(Color::hex("#f2c94c"), 0.03)));
}

fn monastery(at: Point, size: f64) -> Item {
    let rect = |x: f64, y: f64, w: f64, h: f64, radius: f64| Shape::Rect { x, y, w, h, radius };
    let items = vec![
        Item::new(rect(-0.17, -0.14, 0.34, 0.3, 0.05), Style::fill(GRASS.darker(0.18))),
        Item::new(rect(-0.13, -0.01, 0.26, 0.13, 0.0), Style::fill(MONK).with_stroke(SLATE, 0.012)),
        Item::new(
            Shape::Polygon(vec![(-0.155, 0.0), (-0.1, -0.085), (0.1, -0.085), (0.155, 0.0)]),
            Style::fill(ROOFS[1]),
        ),
        Item::new(rect(-0.035, -0.09, 0.07, 0.21, 0.0), Style::fill(MONK).with_stroke(SLATE, 0.012)),
        Item::new(Shape::Polygon(vec![(-0.05, -0.085), (0.0, -0.18), (0.05, -0.085)]), Style::fill(SLATE)),
        Item::new(rect(-0.016, 0.06, 0.032, 0.06, 0.014), Style::fill(SLATE)),
    ];
    Item::new(Shape::Group { transform: Transform::at(at.0, at.1).scaled(size), items }, Style::default())
}
