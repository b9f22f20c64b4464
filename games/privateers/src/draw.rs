//! The sea chart: coasts, ports, ships, the cells in reach.

mod panel;
mod parts;

use meeple_core::{Seat, View, Viewer};
use meeple_scene::{Anchor, Color, Key, Scene, Style, Transform, palette};

use crate::action::Action;
use crate::game::Privateers;
use crate::map::{Cell, SeaMap};
use crate::observe::Observation;
use crate::reach::Reach;
use crate::screen::{fight_line, headline, seat_name};
use crate::ship::Class;
use crate::state::Stage;

use parts::{PANEL, QUIET, TITLE, ship};

/// Side of a cell, in units of the chart.
const CELL: f64 = 40.0;
const MARGIN: f64 = 24.0;
/// Room for the row numbers.
const LEFT: f64 = 42.0;
const TOP: f64 = 88.0;

const DEEP: Color = Color(126, 178, 207);
const SEA: Color = Color(146, 193, 218);
const SHALLOW: Color = Color(184, 217, 230);
const BEACH: Color = Color(236, 220, 180);
const MEADOW: Color = Color(158, 189, 122);
const FOREST: Color = Color(112, 151, 88);

pub(crate) fn draw(_game: &Privateers, view: &View<'_, Privateers>) -> Scene {
    let obs = &view.observation;
    let map = obs.map();
    let panel_height = panel::height(view);
    // Small maps are enlarged, so that they match the panel.
    let scale = (620.0 / (map.height() as f64 * CELL)).clamp(0.75, 1.6);
    let (width, height) = (scale * map.width() as f64 * CELL, scale * map.height() as f64 * CELL);
    let mut scene = Scene::new(LEFT + width + 2.0 * MARGIN + PANEL, TOP + height.max(panel_height) + MARGIN);
    let page = width;
    scene.title = format!("Privateers: {}", map.name());
    scene.description = describe(view);
    let chart = Transform::at(LEFT, TOP).scaled(scale);
    scene.begin_board("chart", [0.0, 0.0, LEFT + width + MARGIN / 2.0, TOP + height + MARGIN / 2.0], chart);
    if obs.has_begun() {
        let (x, y) = centre(obs.cell(obs.current()));
        scene.look_at(LEFT + scale * x, TOP + scale * y);
    }
    scene.text(LEFT, 34.0, 24.0, headline(view)).fill(TITLE).bold().fit(page);
    if let Some(text) = fight_line(obs) {
        scene.text(LEFT, 58.0, 16.0, text).fill(palette::DANGER).bold().fit(page);
    } else {
        let text = format!("{}: {} x {} cells", map.name(), map.width(), map.height());
        scene.text(LEFT, 58.0, 16.0, text).fill(QUIET);
    }
    number_cells(&mut scene, map, scale);
    scene.place(chart, draw_chart(view));
    scene.rect(LEFT, TOP, width, height).outline(TITLE, 3.0).corner(6.0);
    panel::draw(&mut scene, view, LEFT + width + MARGIN, TOP);
    scene
}

/// Numbers columns and rows, counted from 1.
fn number_cells(scene: &mut Scene, map: &SeaMap, scale: f64) {
    let middle = |index: usize| (index as f64 + 0.5) * CELL * scale;
    for column in 0..map.width() {
        let text = (column + 1).to_string();
        scene.text(LEFT + middle(column), TOP - 7.0, 14.0, text).fill(QUIET).anchor(Anchor::Middle);
    }
    for row in 0..map.height() {
        let text = (row + 1).to_string();
        scene.text(LEFT - 8.0, TOP + middle(row) + 4.0, 14.0, text).fill(QUIET).anchor(Anchor::End);
    }
}

fn draw_chart(view: &View<'_, Privateers>) -> Scene {
    let obs = &view.observation;
    let map = obs.map();
    let mut chart = Scene::new(map.width() as f64 * CELL, map.height() as f64 * CELL);
    chart.background = None;
    draw_sea(&mut chart, map);
    draw_land(&mut chart, map);
    draw_reach(&mut chart, view);
    draw_ports(&mut chart, obs);
    if obs.has_begun() {
        draw_line_of_fire(&mut chart, obs);
        draw_ships(&mut chart, view);
        draw_fight(&mut chart, obs);
    }
    chart
}

fn describe(view: &View<'_, Privateers>) -> String {
    let obs = &view.observation;
    let mut text = headline(view) + ".";
    if obs.has_begun() {
        for seat in obs.living() {
            let place = match obs.port(seat) {
                Some(port) => format!("port {}", obs.map().label(port)),
                None => obs.cell(seat).to_string(),
            };
            text += &format!(" {}: {} at {place}.", seat_name(view, seat), obs.class(seat));
        }
    }
    text
}

fn corner(cell: Cell) -> (f64, f64) {
    (cell.column() as f64 * CELL, cell.row() as f64 * CELL)
}

fn centre(cell: Cell) -> (f64, f64) {
    let (x, y) = corner(cell);
    (x + CELL / 2.0, y + CELL / 2.0)
}

fn draw_sea(scene: &mut Scene, map: &SeaMap) {
    let (width, height) = (map.width() as f64 * CELL, map.height() as f64 * CELL);
    scene.rect(0.0, 0.0, width, height).fill(SEA).corner(6.0);
    for column in 1..map.width() {
        let x = column as f64 * CELL;
        scene.line(x, 0.0, x, height).stroke(DEEP, 0.8);
    }
    for row in 1..map.height() {
        let y = row as f64 * CELL;
        scene.line(0.0, y, width, y).stroke(DEEP, 0.8);
    }
}

/// Draws islands in three coats, each a little smaller than the last: shallows, beach, meadow.
fn draw_land(scene: &mut Scene, map: &SeaMap) {
    let land = |x: isize, y: isize| map.is_land(x, y);
    let all = (0..map.height() as isize).flat_map(|y| (0..map.width() as isize).map(move |x| (x, y)));
    let cells: Vec<(isize, isize)> = all.filter(|(x, y)| land(*x, *y)).collect();
    for (inset, radius, color) in [(-7.0, 14.0, SHALLOW), (1.0, 10.0, BEACH), (6.0, 9.0, MEADOW)] {
        for (x, y) in &cells {
            let (left, top) = (*x as f64 * CELL, *y as f64 * CELL);
            let side = CELL - 2.0 * inset;
            let mut coat = |x: f64, y: f64, w: f64, h: f64, radius: f64| {
                // Shallows end at the frame of the chart.
                let (right, bottom) = (map.width() as f64 * CELL, map.height() as f64 * CELL);
                let (x2, y2) = ((x + w).min(right), (y + h).min(bottom));
                let (x, y) = (x.max(0.0), y.max(0.0));
                scene.rect(x, y, x2 - x, y2 - y).fill(color).corner(radius);
            };
            coat(left + inset, top + inset, side, side, radius);
            // Bridges join neighbouring land to the east and south, and fill the middle of a block of four.
            let (east, south) = (land(x + 1, *y), land(*x, y + 1));
            let bridge = 2.0 * (inset + radius);
            if east {
                coat(left + CELL - bridge / 2.0, top + inset, bridge, side, 0.0);
            }
            if south {
                coat(left + inset, top + CELL - bridge / 2.0, side, bridge, 0.0);
            }
            if east && south && land(x + 1, y + 1) && inset > 0.0 {
                coat(
                    left + CELL - inset - 1.0,
                    top + CELL - inset - 1.0,
                    2.0 * inset + 2.0,
                    2.0 * inset + 2.0,
                    0.0,
                );
            }
        }
    }
    for (x, y) in cells {
        let (left, top) = (x as f64 * CELL, y as f64 * CELL);
        // Two trees per cell. Their places depend on the cell alone.
        for tree in 0..2 {
            let shift = ((x * 7 + y * 13 + tree * 11) % 9) as f64;
            let (tx, ty) = (left + 12.0 + shift * 1.4 + 5.0 * tree as f64, top + 13.0 + (shift * 5.0) % 14.0);
            scene.circle(tx, ty, 4.2).fill(FOREST);
            scene.circle(tx - 1.2, ty - 1.4, 2.2).fill(FOREST.lighter(0.25));
        }
    }
}

/// Draws the cells in reach with their costs. A click sails the first cell of the way.
fn draw_reach(scene: &mut Scene, view: &View<'_, Privateers>) {
    let obs = &view.observation;
    let Viewer::Seat(own) = view.viewer else { return };
    if obs.stage() != Stage::Act || own != obs.current() {
        return;
    }
    let mut reach = Reach::default();
    obs.reach(&mut reach);
    for (cell, cost) in reach.cells().skip(1) {
        let (x, y) = corner(cell);
        let step = reach.first_step(cell).map(|heading| (heading, Action::Move(heading)));
        let near = obs.cell(own).manhattan(cell) == 1;
        let strength = if near { 0.5 } else { 0.24 };
        let spot = scene.rect(x + 2.0, y + 2.0, CELL - 4.0, CELL - 4.0);
        spot.fill(palette::WHITE.mix(palette::SPOT, 0.35)).opacity(strength).corner(7.0);
        if near {
            spot.stroke(palette::SPOT, 2.0);
        }
        if let Some((heading, action)) = step.filter(|(_, action)| view.legal.contains(action)) {
            spot.action(action.to_string()).tooltip(format!("{cost} half points, first {heading}"));
        }
        scene.text(x + CELL - 5.0, y + CELL - 6.5, 14.0, cost.to_string()).fill(TITLE).anchor(Anchor::End);
    }
}

fn draw_ports(scene: &mut Scene, obs: &Observation<'_>) {
    let map = obs.map();
    for port in 0..map.ports() {
        let (x, y) = centre(map.port_cell(port));
        let known = obs.sees_port(port);
        let wall = if known { palette::GOLD } else { palette::WHITE };
        let tooltip = match known {
            true => format!("port {}: prices known", map.label(port)),
            false => format!("port {}: prices unknown", map.label(port)),
        };
        // A port is drawn as a house: a pentagon.
        let points = [(-14.0, -4.0), (0.0, -16.0), (14.0, -4.0), (14.0, 15.0), (-14.0, 15.0)];
        let house: Vec<(f64, f64)> = points.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        scene.polygon(house).style(Style::fill(wall).with_stroke(TITLE, 1.8)).rounded().tooltip(tooltip);
        scene.text(x, y + 4.0, 18.0, map.label(port).to_string()).fill(TITLE).bold().centered();
    }
}

fn draw_ships(scene: &mut Scene, view: &View<'_, Privateers>) {
    let obs = &view.observation;
    for seat in obs.living() {
        let cell = obs.cell(seat);
        let here: Vec<Seat> = obs.living().filter(|other| obs.cell(*other) == cell).collect();
        let place = here.iter().position(|other| *other == seat).unwrap_or(0);
        let (x, y, size) = berth(cell, obs.port(seat).is_some(), place, here.len());
        let own = view.viewer == Viewer::Seat(seat);
        if seat == obs.current() && obs.stage() == Stage::Act {
            scene.circle(x, y, 18.0 * size).outline(palette::GOLD, 2.5);
        }
        let group = ship(seat, obs.class(seat), own);
        let mut tooltip = format!("{}: {}", seat_name(view, seat), obs.class(seat));
        let item = scene.group(Transform::at(x, y).scaled(size), group);
        if view.legal.contains(&Action::Attack(seat)) {
            tooltip = format!("attack {tooltip}");
            item.action(Action::Attack(seat).to_string());
        }
        item.tooltip(tooltip);
        if view.legal.contains(&Action::Attack(seat)) {
            scene.circle(x, y, 16.0 * size).outline(palette::DANGER, 2.5).dashed();
        }
    }
}

/// Position of a ship in its cell, and its size. At sea several ships fan out. In a port they lie at the
/// corners, so the letter stays visible.
fn berth(cell: Cell, in_port: bool, place: usize, ships: usize) -> (f64, f64, f64) {
    const CORNERS: [(f64, f64); 4] = [(18.0, 14.0), (-18.0, 14.0), (18.0, -13.0), (-18.0, -13.0)];
    let (x, y) = centre(cell);
    match CORNERS.get(place) {
        Some((dx, dy)) if in_port && ships <= CORNERS.len() => {
            (x + dx, y + dy, if ships > 1 { 0.8 } else { 0.86 })
        }
        _ if ships > 1 => {
            let angle = std::f64::consts::TAU * place as f64 / ships as f64 - 2.4;
            let away = if in_port { 19.0 } else { 11.0 };
            (x + away * angle.cos(), y + away * angle.sin(), 0.8)
        }
        _ => (x, y, 1.1),
    }
}

fn draw_line_of_fire(scene: &mut Scene, obs: &Observation<'_>) {
    let Some(fight) = obs.fight() else { return };
    let [(ax, ay), (bx, by)] = fight.seats.map(|seat| centre(obs.cell(seat)));
    if (ax, ay) != (bx, by) {
        scene.line(ax, ay, bx, by).stroke(palette::DANGER, 3.0).dashed();
    }
}

fn draw_fight(scene: &mut Scene, obs: &Observation<'_>) {
    let Some(fight) = obs.fight() else { return };
    let [(ax, ay), (bx, by)] = fight.seats.map(|seat| centre(obs.cell(seat)));
    // The burst is between the ships, or above them if they share a cell.
    let above = if (ax, ay) == (bx, by) { 22.0 } else { 0.0 };
    let (x, y) = ((ax + bx) / 2.0, (ay + by) / 2.0 - above);
    scene.polygon(burst((x, y), [15.0, 8.0])).fill(palette::GOLD).stroke(palette::DANGER, 1.6);
    if fight.rolls > 0 {
        let dice = format!("{}:{}", fight.dice[0], fight.dice[1]);
        scene.text(x, y, 14.0, dice).fill(TITLE).bold().centered();
    }
}

fn burst((x, y): (f64, f64), lengths: [f64; 2]) -> [(f64, f64); 16] {
    std::array::from_fn(|ray| {
        let angle = std::f64::consts::TAU * ray as f64 / 16.0;
        (x + lengths[ray % 2] * angle.cos(), y + lengths[ray % 2] * angle.sin())
    })
}

/// The legend of all signs in the drawing.
pub(crate) fn legend() -> Vec<Key> {
    let afloat = |class: Class| {
        move |scene: &mut Scene| {
            scene.group(Transform::at(0.5, 0.55).scaled(0.028), ship(Seat::new(0), class, false));
        }
    };
    let house = |wall: Color| {
        move |scene: &mut Scene| {
            let points = [(0.1, 0.4), (0.5, 0.05), (0.9, 0.4), (0.9, 0.95), (0.1, 0.95)];
            scene.polygon(points.to_vec()).style(Style::fill(wall).with_stroke(TITLE, 0.06));
        }
    };
    let price = |tint: Color| {
        move |scene: &mut Scene| {
            scene.rect(0.0, 0.2, 1.0, 0.6).fill(tint).corner(0.08);
        }
    };
    vec![
        Key::new("a schooner with its seat's number: one mast", afloat(Class::Schooner)),
        Key::new("a galleon: two masts", afloat(Class::Galleon)),
        Key::new("a frigate: three masts", afloat(Class::Frigate)),
        Key::new("the ship whose turn it is", |scene| {
            scene.circle(0.5, 0.5, 0.42).outline(palette::GOLD, 0.08);
        }),
        Key::new("a port whose prices are known", house(palette::GOLD)),
        Key::new("a port whose prices are not known", house(palette::WHITE)),
        Key::new("a price among the lowest of its product", price(panel::CHEAP)),
        Key::new("a price among the highest", price(panel::EXPENSIVE)),
        Key::new("a fight, with the dice that were rolled", |scene| {
            let burst = burst((0.5, 0.5), [0.46, 0.25]);
            scene.polygon(burst).fill(palette::GOLD).stroke(palette::DANGER, 0.05);
        }),
    ]
}
