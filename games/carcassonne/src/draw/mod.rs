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
use crate::tiles::SegmentKind;

/// The page; the board is scaled to fit its part of it.
const PAGE: (f64, f64) = (22.0, 14.0);
const BOARD: (f64, f64) = (15.8, 13.4);
const MARGIN: f64 = 0.3;
/// Height of a meeple on a tile of height 1.
const MEEPLE: f64 = 0.36;
const TABLE: Color = Color::hex("#e9e2d3");
/// Where cells are on the page.
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
        // Half a cell around for the coordinates.
        let size = (BOARD.0 / (columns as f64 + 1.0)).min(BOARD.1 / (rows as f64 + 1.0)).min(1.7);
        let left = MARGIN + (BOARD.0 - size * columns as f64) / 2.0;
        let top = MARGIN + (BOARD.1 - size * rows as f64) / 2.0;
        Self { west, north, columns, rows, size, left, top }
    }

    /// The cells with room for the coordinates: left, top, width and height.
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

    fn transform(&self, cell: Cell) -> Transform {
        let (x, y) = self.corner(cell);
        Transform::at(x, y).scaled(self.size)
    }
}

/// Draws what a viewer sees.
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
    scene.begin_part("board", left, top, width, height);
    scene.rect(0.12, 0.12, BOARD.0 + 2.0 * MARGIN - 0.24, PAGE.1 - 0.24).fill(TABLE).corner(0.15);
    coordinates(&mut scene, &frame);
    for placed in board.tiles() {
        scene.push(tile(placed.kind(), placed.turns(), frame.transform(placed.cell))).tooltip(format!(
            "{} on {}",
            placed.kind(),
            placed.cell
        ));
    }
    if let Some(last) = board.tiles().last().filter(|_| board.len() > 1) {
        let (x, y) = frame.corner(last.cell);
        let line = 0.05 * frame.size;
        scene.rect(x, y, frame.size, frame.size).outline(palette::GOLD, line);
    }
    figures(&mut scene, &frame, board);
    spots(&mut scene, &frame, view);
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

/// Towers and meeples.
fn figures(scene: &mut Scene, frame: &Frame, board: &Board) {
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
            scene.group(frame.transform(placed.cell), items);
        }
    }
}

/// What can be clicked on the board.
fn spots(scene: &mut Scene, frame: &Frame, view: &View<'_, Carcassonne>) {
    placements(scene, frame, view.legal);
    let board = view.observation.board();
    let me = match view.viewer {
        Viewer::Seat(seat) => seat.index(),
        Viewer::Public | Viewer::Everything => 0,
    };
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
                scene.group(frame.transform(placed.cell), vec![ghost]);
                (placed.cell, at, 0.145)
            }
            Action::Floor(cell) | Action::Close(cell) => {
                let Some(number) = board.tile_at(cell) else { continue };
                let placed = board.tiles()[number];
                let (x, y) = art(placed.kind(), placed.turns()).tower;
                // Two rings: the upper closes, the lower builds.
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
        let (x, y) = frame.corner(cell);
        let color = if matches!(action, Action::Take { .. }) { palette::DANGER } else { palette::SPOT };
        scene
            .circle(x + at.0 * frame.size, y + at.1 * frame.size, radius * frame.size)
            .style(Style::fill(color).opacity(0.22))
            .action(action.to_string())
            .tooltip(action.to_string());
        scene
            .circle(x + at.0 * frame.size, y + at.1 * frame.size, radius * frame.size)
            .outline(color, 0.035 * frame.size);
    }
}

/// Small tiles where the tiles of the hand fit, in every orientation.
fn placements(scene: &mut Scene, frame: &Frame, legal: &[Action]) {
    let mut cells: Vec<(Cell, Vec<&Action>)> = Vec::new();
    for action in legal {
        if let Action::Place { cell, .. } = action {
            match cells.iter_mut().find(|(known, _)| known == cell) {
                Some((_, actions)) => actions.push(action),
                None => cells.push((*cell, vec![action])),
            }
        }
    }
    for (cell, actions) in &cells {
        let (x, y) = frame.corner(*cell);
        let inset = 0.04 * frame.size;
        let side = frame.size - 2.0 * inset;
        scene
            .rect(x + inset, y + inset, side, side)
            .style(Style::fill(palette::WHITE).with_stroke(palette::SPOT, 0.03 * frame.size).opacity(0.85))
            .corner(0.06 * frame.size);
        let columns = (1..4).find(|columns| columns * columns >= actions.len()).unwrap_or(4);
        let rows = actions.len().div_ceil(columns);
        let gap = 0.05 * frame.size;
        let small = (side - gap) / columns as f64 - gap;
        let shift = (columns - rows) as f64 * (small + gap) / 2.0;
        for (number, action) in actions.iter().enumerate() {
            let Action::Place { tile: kind, turns, .. } = action else { continue };
            let left = x + inset + gap + (number % columns) as f64 * (small + gap);
            let top = y + inset + gap + shift + (number / columns) as f64 * (small + gap);
            scene
                .push(tile(*kind, *turns, Transform::at(left, top).scaled(small)))
                .action(action.to_string())
                .tooltip(action.to_string());
        }
    }
}

/// What the drawing shows besides colours.
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
