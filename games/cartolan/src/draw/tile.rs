//! The art of a tile, in a unit square: sea, land, coast, wind, wonders, disasters, cities.

use meeple_scene::{Color, Item, Path, Scene, Transform, palette};

use crate::map::{Cell, Ground};
use crate::tiles::{Back, Dir, Wind};

const SEA: Color = Color::hex("#8fc1dc");
const DEEP: Color = Color::hex("#7db3d1");
const LAND: Color = Color::hex("#b5cf8c");
const HILL: Color = Color::hex("#8fae66");
const COAST: Color = Color::hex("#f0e2b6");
const WALL: Color = Color::hex("#b98a63");
const ROOF: Color = Color::hex("#8c3f2f");
const LAVA: Color = Color::hex("#e4572e");
const ROCK: Color = Color::hex("#5f5a57");

fn corners(dir: Dir) -> ((f64, f64), (f64, f64)) {
    match dir {
        Dir::North => ((0.0, 0.0), (1.0, 0.0)),
        Dir::East => ((1.0, 0.0), (1.0, 1.0)),
        Dir::South => ((1.0, 1.0), (0.0, 1.0)),
        Dir::West => ((0.0, 1.0), (0.0, 0.0)),
    }
}

fn toward(dir: Dir, share: f64) -> (f64, f64) {
    let (dx, dy) = dir.step();
    (0.5 + 0.5 * share * f64::from(dx), 0.5 - 0.5 * share * f64::from(dy))
}

/// Draws land along a run of sides, and its coast from the end of the run back to its start.
fn run(tile: &mut Scene, first: Dir, length: usize) {
    let (start, _) = corners(first);
    let mut land = Path::new().move_to(start.0, start.1);
    let mut end = start;
    for step in 0..length {
        end = corners(Dir::from_index(first.index() + step)).1;
        land = land.line_to(end.0, end.1);
    }
    // The control points of the coast determine how far the sea reaches into the land.
    let (first_control, second_control) = match length {
        1 => {
            let deep = toward(first, -0.15);
            (
                (deep.0 * 0.6 + end.0 * 0.4, deep.1 * 0.6 + end.1 * 0.4),
                (deep.0 * 0.6 + start.0 * 0.4, deep.1 * 0.6 + start.1 * 0.4),
            )
        }
        2 => {
            let (near, far) = (toward(first, -0.3), toward(Dir::from_index(first.index() + 1), -0.3));
            (
                (far.0 * 0.55 + end.0 * 0.45, far.1 * 0.55 + end.1 * 0.45),
                (near.0 * 0.55 + start.0 * 0.45, near.1 * 0.55 + start.1 * 0.45),
            )
        }
        _ => {
            let bay = toward(Dir::from_index(first.index() + 3), 0.05);
            (
                (bay.0 * 0.7 + end.0 * 0.3, bay.1 * 0.7 + end.1 * 0.3),
                (bay.0 * 0.7 + start.0 * 0.3, bay.1 * 0.7 + start.1 * 0.3),
            )
        }
    };
    let coast = Path::new().move_to(end.0, end.1).cubic_to(first_control, second_control, start);
    land = land.cubic_to(first_control, second_control, start).close();
    tile.path(land).fill(LAND);
    tile.path(coast).outline(COAST, 0.045).rounded();
}

/// Draws land on two opposite sides, joined by a neck.
fn neck(tile: &mut Scene, first: Dir) {
    let (a, b) = corners(first);
    let (c, d) = corners(first.opposite());
    let (right, left) =
        (toward(Dir::from_index(first.index() + 1), 0.12), toward(Dir::from_index(first.index() + 3), 0.12));
    let land = Path::new()
        .move_to(a.0, a.1)
        .line_to(b.0, b.1)
        .quad_to(right.0, right.1, c.0, c.1)
        .line_to(d.0, d.1)
        .quad_to(left.0, left.1, a.0, a.1)
        .close();
    tile.path(land).fill(LAND);
    for (from, control, to) in [(b, right, c), (d, left, a)] {
        let coast = Path::new().move_to(from.0, from.1).quad_to(control.0, control.1, to.0, to.1);
        tile.path(coast).outline(COAST, 0.045).rounded();
    }
}

fn waves(tile: &mut Scene, cell: &Cell, seed: u32) {
    // Two or three short strokes near the sides with water.
    for (index, dir) in Dir::ALL.iter().enumerate() {
        if cell.land & dir.bit() != 0 || seed >> (index * 3) & 3 == 0 {
            continue;
        }
        let (x, y) = toward(*dir, 0.62);
        let wobble = f64::from(seed >> (index * 5) & 7) * 0.012 - 0.04;
        let (x, y) = (x + if x == 0.5 { wobble * 3.0 } else { 0.0 }, y + wobble);
        let wave = Path::new().move_to(x - 0.09, y).quad_to(x - 0.045, y - 0.035, x, y).quad_to(
            x + 0.045,
            y - 0.035,
            x + 0.09,
            y,
        );
        tile.path(wave).outline(DEEP, 0.018).rounded();
    }
}

fn hills(tile: &mut Scene, cell: &Cell, seed: u32) {
    for (index, dir) in Dir::ALL.iter().enumerate() {
        if cell.land & dir.bit() == 0 || seed >> (index * 3 + 1) & 1 == 0 {
            continue;
        }
        let (x, y) = toward(*dir, 0.74);
        let shift = f64::from(seed >> (index * 4) & 7) * 0.025 - 0.09;
        let (x, y) = if x == 0.5 { (x + shift, y) } else { (x, y + shift) };
        let hill = Path::new().move_to(x - 0.07, y + 0.035).quad_to(x, y - 0.09, x + 0.07, y + 0.035);
        tile.path(hill).outline(HILL, 0.02).rounded();
    }
}

/// Draws the wind as an arrow of this length, centred on a point.
fn wind_arrow(tile: &mut Scene, wind: Wind, (x, y): (f64, f64), length: f64) {
    let half = length / 2.0;
    let head = length * 0.32;
    let mut arrow = Scene::new(length, length);
    arrow.line(0.0, half, 0.0, -half + head * 0.6).stroke(palette::WHITE, length * 0.15).rounded();
    let point = [(0.0, -half), (head * 0.75, -half + head), (-head * 0.75, -half + head)];
    arrow.polygon(point).fill(palette::WHITE);
    let degrees = 45.0 + 90.0 * wind as u8 as f64;
    let group = tile.group(Transform::at(x, y).rotated(degrees), arrow.items);
    group.opacity(0.85).tooltip(format!("wind to the {wind}"));
}

fn wonder(tile: &mut Scene) {
    // The picture is a step pyramid under the sun.
    tile.circle(0.5, 0.47, 0.2).fill(palette::GOLD.lighter(0.55));
    for (half, top, bottom) in [(0.2, 0.56, 0.64), (0.14, 0.48, 0.56), (0.08, 0.4, 0.48)] {
        tile.rect(0.5 - half, top, 2.0 * half, bottom - top)
            .corner(0.01)
            .fill(palette::GOLD)
            .stroke(palette::GOLD.darker(0.45), 0.014);
    }
    tile.polygon([(0.42, 0.4), (0.5, 0.31), (0.58, 0.4)])
        .fill(ROOF)
        .stroke(palette::GOLD.darker(0.45), 0.012);
}

fn disaster(tile: &mut Scene, back: Back) {
    match back {
        Back::Water => {
            for (radius, color) in [
                (0.3, DEEP.darker(0.15)),
                (0.22, DEEP.darker(0.3)),
                (0.14, DEEP.darker(0.5)),
                (0.06, palette::INK),
            ] {
                tile.circle(0.5, 0.5, radius).fill(color);
            }
            let spiral = Path::new()
                .move_to(0.5, 0.47)
                .cubic_to((0.62, 0.42), (0.66, 0.6), (0.5, 0.62))
                .cubic_to((0.3, 0.63), (0.3, 0.36), (0.5, 0.33))
                .cubic_to((0.7, 0.3), (0.78, 0.5), (0.72, 0.62));
            tile.path(spiral).outline(palette::WHITE, 0.025).rounded().opacity(0.8);
        }
        Back::Land => {
            tile.polygon([(0.16, 0.74), (0.42, 0.3), (0.58, 0.3), (0.84, 0.74)]).fill(ROCK);
            let lava = Path::new()
                .move_to(0.42, 0.3)
                .line_to(0.58, 0.3)
                .line_to(0.6, 0.5)
                .quad_to(0.56, 0.42, 0.53, 0.58)
                .quad_to(0.5, 0.42, 0.45, 0.48)
                .close();
            tile.path(lava).fill(LAVA);
            for (x, y, r) in [(0.5, 0.22, 0.06), (0.57, 0.16, 0.05), (0.63, 0.11, 0.04)] {
                tile.circle(x, y, r).fill(ROCK.lighter(0.4)).opacity(0.8);
            }
        }
    }
}

fn city(tile: &mut Scene) {
    tile.circle(0.5, 0.52, 0.42).fill(COAST).stroke(WALL, 0.02);
    let wall = [
        (0.2, 0.72),
        (0.2, 0.44),
        (0.26, 0.44),
        (0.26, 0.5),
        (0.36, 0.5),
        (0.36, 0.34),
        (0.43, 0.34),
        (0.43, 0.39),
        (0.47, 0.39),
        (0.47, 0.34),
        (0.53, 0.34),
        (0.53, 0.39),
        (0.57, 0.39),
        (0.57, 0.34),
        (0.64, 0.34),
        (0.64, 0.5),
        (0.74, 0.5),
        (0.74, 0.44),
        (0.8, 0.44),
        (0.8, 0.72),
    ];
    tile.polygon(wall).fill(WALL).stroke(WALL.darker(0.4), 0.016);
    let gate = Path::new()
        .move_to(0.44, 0.72)
        .line_to(0.44, 0.6)
        .quad_to(0.5, 0.5, 0.56, 0.6)
        .line_to(0.56, 0.72)
        .close();
    tile.path(gate).fill(palette::INK);
    tile.line(0.5, 0.34, 0.5, 0.16).stroke(palette::INK, 0.016);
    tile.polygon([(0.5, 0.16), (0.66, 0.2), (0.5, 0.25)]).fill(ROOF);
}

/// The corner for the arrow if the tile has other art. The arrow points to this corner.
fn arrow_corner(wind: Wind) -> (f64, f64) {
    match wind {
        Wind::NorthEast => (0.85, 0.15),
        Wind::SouthEast => (0.85, 0.85),
        Wind::SouthWest => (0.15, 0.85),
        Wind::NorthWest => (0.15, 0.15),
    }
}

/// A placed tile as items in a unit square, with the upper left corner at the origin.
pub(super) fn art(cell: &Cell) -> Vec<Item> {
    let seed =
        (cell.x as u16 as u32).wrapping_mul(0x9e37_79b1) ^ (cell.y as u16 as u32).wrapping_mul(0x85eb_ca6b);
    let seed = (seed ^ seed >> 15).wrapping_mul(0x2c1b_3c6d);
    let seed = seed ^ seed >> 13;
    let mut scene = Scene::new(1.0, 1.0);
    let tile = &mut scene;
    tile.rect(0.0, 0.0, 1.0, 1.0).fill(SEA);
    let land = if cell.ground == Ground::City { 0 } else { cell.land };
    match land.count_ones() {
        0 => {}
        4 => {
            tile.rect(0.0, 0.0, 1.0, 1.0).fill(LAND);
        }
        2 if land == 5 => neck(tile, Dir::North),
        2 if land == 10 => neck(tile, Dir::East),
        length => {
            // The first side of the run of land: the side before it is water.
            let first = (0..4).find(|side| land >> side & 1 == 1 && land >> ((side + 3) % 4) & 1 == 0);
            run(tile, Dir::from_index(first.unwrap_or(0)), length as usize);
        }
    }
    waves(tile, cell, seed);
    hills(tile, cell, seed >> 3);
    match cell.ground {
        Ground::Wonder => wonder(tile),
        Ground::Disaster => disaster(tile, cell.back),
        Ground::City => city(tile),
        _ => {}
    }
    match cell.ground {
        Ground::City => {}
        Ground::Plain => wind_arrow(tile, cell.wind, (0.5, 0.5), 0.34),
        _ => wind_arrow(tile, cell.wind, arrow_corner(cell.wind), 0.2),
    }
    let frame = match cell.back {
        Back::Water => DEEP.darker(0.18),
        Back::Land => HILL.darker(0.2),
    };
    tile.rect(0.006, 0.006, 0.988, 0.988).outline(frame, 0.012);
    scene.items
}
