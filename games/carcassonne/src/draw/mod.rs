//! The table as a drawing: board on the left, players on the right.

mod art;
mod figure;
mod panel;
mod shape;

use meeple_core::{View, Viewer};
use meeple_scene::{Color, Item, Key, Scene, Shape, Style, Transform, palette};

use self::art::{QUIET, art, tile};
use self::figure::{Pose, meeple, tower};
use self::shape::Point;
use crate::action::{Action, Post};
use crate::board::{Board, node_of};
use crate::game::Carcassonne;
use crate::geometry::Cell;
use crate::observe::Observation;
use crate::parts;
use crate::tiles::SegmentKind;

/// Size of the page.
const PAGE: (f64, f64) = (22.0, 14.0);
/// Size of the area that the board is scaled to.
const BOARD: (f64, f64) = (15.8, 13.4);
const MARGIN: f64 = 0.3;
/// Height of a meeple on a tile of height 1.
const MEEPLE: f64 = 0.36;
const TABLE: Color = Color::hex("#e9e2d3");
struct Frame {
    west: i8,
    north: i8,
    columns: usize,
    rows: usize,
    size: f64,
    left: f64,
    top: f64,
}

impl Frame {
    fn of(board: &Board, spots: impl Iterator<Item = Cell>) -> Self {
        let cells = board.tiles().iter().map(|placed| placed.cell).chain(spots);
        let (mut west, mut east, mut north, mut south) = (0, 0, 0, 0);
        for cell in cells {
            west = west.min(cell.x);
            east = east.max(cell.x);
            north = north.min(cell.y);
            south = south.max(cell.y);
        }
        let (columns, rows) = ((east - west) as usize + 1, (south - north) as usize + 1);
        // The margin of half a cell on each side is for the coordinates.
        let size = (BOARD.0 / (columns as f64 + 1.0)).min(BOARD.1 / (rows as f64 + 1.0)).min(1.7);
        let left = MARGIN + (BOARD.0 - size * columns as f64) / 2.0;
        let top = MARGIN + (BOARD.1 - size * rows as f64) / 2.0;
        Self { west, north, columns, rows, size, left, top }
    }

    /// The rectangle of the cells with their coordinates: left, top, width, height.
    fn outline(&self) -> (f64, f64, f64, f64) {
        const AROUND: f64 = 0.5;
        let (width, height) = (self.size * self.columns as f64, self.size * self.rows as f64);
        (self.left - AROUND, self.top - AROUND, width + 2.0 * AROUND, height + 2.0 * AROUND)
    }

    fn corner(&self, cell: Cell) -> Point {
        let column = f64::from(cell.x) - f64::from(self.west);
        let row = f64::from(cell.y) - f64::from(self.north);
        (self.left + self.size * column, self.top + self.size * row)
    }

    /// The transform of the board: the upper left corner of cell (0, 0), and the size of a cell.
    fn origin(&self) -> Transform {
        let (x, y) = self.corner(Cell { x: 0, y: 0 });
        Transform::at(x, y).scaled(self.size)
    }
}

/// The transform of a cell in board coordinates (unit: one cell). It does not change when the board grows.
fn on(cell: Cell) -> Transform {
    let (x, y) = corner(cell);
    Transform::at(x, y)
}

fn corner(cell: Cell) -> Point {
    (f64::from(cell.x), f64::from(cell.y))
}

pub(crate) fn draw(view: &View<'_, Carcassonne>) -> Scene {
    let observation = &view.observation;
    let board = observation.board();
    let mut scene = Scene::new(PAGE.0, PAGE.1);
    scene.title = "Carcassonne".into();
    scene.description = describe(observation);
    let placed = view.legal.iter().filter_map(|action| match action {
        Action::Place { cell, .. } => Some(*cell),
        _ => None,
    });
    let frame = Frame::of(board, placed);
    let (left, top, width, height) = frame.outline();
    scene.begin_board("board", [left, top, width, height], frame.origin());
    scene.rect(0.12, 0.12, BOARD.0 + 2.0 * MARGIN - 0.24, PAGE.1 - 0.24).fill(TABLE).corner(0.15);
    coordinates(&mut scene, &frame);
    let mut cells = Scene::new(1.0, 1.0);
    cells.background = None;
    for placed in board.tiles() {
        cells.push(tile(placed.kind(), placed.turns(), on(placed.cell))).tooltip(format!(
            "{} on {}",
            placed.kind(),
            placed.cell
        ));
    }
    if let Some(last) = board.tiles().last().filter(|_| board.len() > 1) {
        let (x, y) = corner(last.cell);
        cells.rect(x, y, 1.0, 1.0).outline(palette::GOLD, 0.05);
        let (x, y) = frame.corner(last.cell);
        scene.look_at(x + frame.size / 2.0, y + frame.size / 2.0);
    }
    figures(&mut cells, board);
    spots(&mut cells, view);
    scene.place(frame.origin(), cells);
    panel::draw(&mut scene, view);
    scene
}

fn describe(observation: &Observation<'_>) -> String {
    let points = (0..observation.seats()).map(|seat| format!("seat {seat} has {}", observation.points(seat)));
    let points: Vec<String> = points.collect();
    format!("{} tiles lie; {}.", observation.board().len(), points.join(", "))
}

fn coordinates(scene: &mut Scene, frame: &Frame) {
    let size = (0.26 * frame.size).clamp(0.12, 0.26);
    let step = if frame.size < 0.45 { 5 } else { 1 };
    let bottom = frame.top + frame.size * frame.rows as f64;
    for column in 0..frame.columns {
        let x = i32::from(frame.west) + column as i32;
        if x % step == 0 {
            let at = frame.left + frame.size * (column as f64 + 0.5);
            for y in [frame.top - 0.2, bottom + 0.2] {
                scene.text(at, y, size, x.to_string()).centered().fill(QUIET);
            }
        }
    }
    for row in 0..frame.rows {
        let y = i32::from(frame.north) + row as i32;
        if y % step == 0 {
            let at = frame.top + frame.size * (row as f64 + 0.5);
            let right = frame.left + frame.size * frame.columns as f64;
            for x in [frame.left - 0.22, right + 0.22] {
                scene.text(x, at, size, y.to_string()).centered().fill(QUIET);
            }
        }
    }
}

fn figures(scene: &mut Scene, board: &Board) {
    for (number, placed) in board.tiles().iter().enumerate() {
        let mut items = Vec::new();
        let picture = art(placed.kind(), placed.turns());
        let segments = &placed.kind().tile().segments;
        let towers = board.towers().iter().filter(|tower| usize::from(tower.tile) == number);
        for built in towers.filter(|tower| tower.height > 0) {
            items.push(tower(picture.tower, built.height, built.guard()));
        }
        for (segment, what) in segments.iter().enumerate() {
            if let Some(seat) = board.owner(node_of(number, segment)) {
                let pose = match what.kind {
                    SegmentKind::Field => Pose::Lying,
                    _ => Pose::Standing,
                };
                items.push(meeple(seat, picture.anchors[segment], MEEPLE, pose));
            }
        }
        if !items.is_empty() {
            scene.group(on(placed.cell), items);
        }
    }
}

fn spots(scene: &mut Scene, view: &View<'_, Carcassonne>) {
    placements(scene, view.legal);
    let board = view.observation.board();
    let me = match view.viewer {
        Viewer::Seat(seat) => seat.index(),
        Viewer::Public | Viewer::Everything => 0,
    };
    let mut cells: Vec<(Cell, Vec<Item>)> = Vec::new();
    for action in view.legal {
        let (cell, at, radius) = match *action {
            Action::Claim(spot) => {
                let placed = board.tiles()[board.len() - 1];
                let Some(segment) = placed.piece().segment_at(spot) else { continue };
                let at = art(placed.kind(), placed.turns()).anchors[segment];
                let lies = placed.kind().tile().segments[segment].kind == SegmentKind::Field;
                let pose = if lies { Pose::Lying } else { Pose::Standing };
                let mut ghost = meeple(me, at, 0.75 * MEEPLE, pose);
                ghost.opacity(0.55);
                scene.group(on(placed.cell), vec![ghost]);
                (placed.cell, at, 0.145)
            }
            Action::Floor(cell) | Action::Close(cell) => {
                let Some(number) = board.tile_at(cell) else { continue };
                let placed = board.tiles()[number];
                let (x, y) = art(placed.kind(), placed.turns()).tower;
                // Two rings: the upper one closes the tower, the lower one builds.
                match action {
                    Action::Close(_) => (cell, (x, (y - 0.3).max(0.12)), 0.11),
                    _ => (cell, (x, y), 0.16),
                }
            }
            Action::Take { cell, post } => {
                let Some(number) = board.tile_at(cell) else { continue };
                let placed = board.tiles()[number];
                let picture = art(placed.kind(), placed.turns());
                let at = match post {
                    Post::Guard => (picture.tower.0, picture.tower.1 - 0.25),
                    Post::On(spot) => match placed.piece().segment_at(spot) {
                        Some(segment) => picture.anchors[segment],
                        None => continue,
                    },
                };
                (cell, at, 0.2)
            }
            _ => continue,
        };
        let color = if matches!(action, Action::Take { .. }) { palette::DANGER } else { palette::SPOT };
        let mut rings = Scene::new(1.0, 1.0);
        rings
            .circle(at.0, at.1, radius)
            .style(Style::fill(color).opacity(0.22))
            .action(action.to_string())
            .tooltip(action.to_string());
        rings.circle(at.0, at.1, radius).outline(color, 0.035);
        at_cell(&mut cells, cell).extend(rings.items);
    }
    for (cell, mut items) in cells {
        // The transparent ground makes the whole cell clickable.
        let ground = Shape::Rect { x: 0.0, y: 0.0, w: 1.0, h: 1.0, radius: 0.0 };
        items.insert(0, Item::new(ground, Style::fill(palette::SPOT).opacity(0.0)));
        scene.group(on(cell), items).place(parts::at(cell));
    }
}

fn at_cell<T>(cells: &mut Vec<(Cell, Vec<T>)>, cell: Cell) -> &mut Vec<T> {
    let known = cells.iter().position(|(known, _)| *known == cell).unwrap_or(cells.len());
    if known == cells.len() {
        cells.push((cell, Vec::new()));
    }
    &mut cells[known].1
}

/// Draws small tiles on the cells where tiles of the hand fit, in every legal orientation.
fn placements(scene: &mut Scene, legal: &[Action]) {
    const INSET: f64 = 0.04;
    const GAP: f64 = 0.05;
    let mut cells: Vec<(Cell, Vec<&Action>)> = Vec::new();
    for action in legal {
        if let Action::Place { cell, .. } = action {
            at_cell(&mut cells, *cell).push(action);
        }
    }
    for (cell, actions) in &cells {
        let side = 1.0 - 2.0 * INSET;
        let mut place = Scene::new(1.0, 1.0);
        place
            .rect(INSET, INSET, side, side)
            .style(Style::fill(palette::WHITE).with_stroke(palette::SPOT, 0.03).opacity(0.85))
            .corner(0.06);
        let columns = (1..4).find(|columns| columns * columns >= actions.len()).unwrap_or(4);
        let rows = actions.len().div_ceil(columns);
        let small = (side - GAP) / columns as f64 - GAP;
        let shift = (columns - rows) as f64 * (small + GAP) / 2.0;
        for (number, action) in actions.iter().enumerate() {
            let Action::Place { tile: kind, turns, .. } = action else { continue };
            let left = INSET + GAP + (number % columns) as f64 * (small + GAP);
            let top = INSET + GAP + shift + (number / columns) as f64 * (small + GAP);
            place
                .push(tile(*kind, *turns, Transform::at(left, top).scaled(small)))
                .action(action.to_string())
                .tooltip(action.to_string());
        }
        scene.group(on(*cell), place.items).place(parts::at(*cell));
    }
}

/// The legend, without colours.
pub(crate) fn legend() -> Vec<Key> {
    let stands = |item: Item| {
        move |scene: &mut Scene| {
            scene.push(item);
        }
    };
    vec![
        Key::new(
            "a meeple with its seat's number: knight, robber, monk, or guard on a tower",
            stands(meeple(0, (0.5, 0.5), 0.9, Pose::Standing)),
        ),
        Key::new("a farmer: it lies in its field", stands(meeple(0, (0.5, 0.5), 0.9, Pose::Lying))),
        Key::new(
            "a tower with the number of its floors",
            stands(Item::new(
                Shape::Group {
                    transform: Transform::at(0.5, 0.72).scaled(2.0),
                    items: vec![tower((0.0, 0.0), 2, None)],
                },
                Style::default(),
            )),
        ),
        Key::new("the tile that was laid last", |scene| {
            scene.rect(0.1, 0.1, 0.8, 0.8).outline(palette::GOLD, 0.1);
        }),
        Key::new("tower floors in the supply", |scene| {
            scene.rect(0.2, 0.25, 0.6, 0.5).fill(Color::hex("#8c7f74"));
        }),
    ]
}
