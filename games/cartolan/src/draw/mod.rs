//! The table as a drawing: map, routes, tokens, options, scores.

mod panel;
mod tile;
mod token;

use std::collections::BTreeMap;

use meeple_core::{View, Viewer};
use meeple_scene::{Color, Item, Key, Scene, Shape, Style, Transform, palette};

use crate::action::Action;
use crate::event::{Event, Place, Target};
use crate::game::Cartolan;
use crate::map::{CellId, Ground, NO_AGENT};
use crate::observe::Observation;
use crate::tiles::Dir;

/// Colour of the ground around the map.
const UNKNOWN: Color = Color::hex("#efe7d3");

/// Room around the placed tiles, in tiles.
const MARGIN: f64 = 1.15;

struct Frame {
    west: f64,
    north: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn new(observation: &Observation<'_>) -> Self {
        let [west, east, south, north] = observation.map().bounds().map(f64::from);
        let height = (north - south + 1.0 + 2.0 * MARGIN).max(8.0);
        Self { west: west - MARGIN, north: north + MARGIN, width: east - west + 1.0 + 2.0 * MARGIN, height }
    }

    fn origin(&self) -> Transform {
        Transform::at(-self.west, self.north)
    }
}

/// The upper left corner of a place in map coordinates. It does not change when the map grows.
fn corner((x, y): Place) -> (f64, f64) {
    (f64::from(x), -f64::from(y))
}

fn middle(place: Place) -> (f64, f64) {
    let (x, y) = corner(place);
    (x + 0.5, y + 0.5)
}

fn berth(seat: u8, number: u8) -> (f64, f64) {
    let (x, y) = [(0.28, 0.27), (0.72, 0.27), (0.28, 0.68), (0.72, 0.68)][usize::from(seat & 3)];
    let step = f64::from(number) * 0.055;
    (x + step - 0.05, y - step + 0.04)
}

fn tiles(scene: &mut Scene, observation: &Observation<'_>) {
    for cell in observation.map().cells().iter().filter(|cell| cell.is_placed()) {
        let (x, y) = corner((cell.x, cell.y));
        let what = match cell.ground {
            Ground::Plain => String::new(),
            ground => format!("{}, ", ground.word()),
        };
        scene
            .group(Transform::at(x, y), tile::art(cell))
            .tooltip(format!("({}, {}): {what}wind {}", cell.x, cell.y, cell.wind));
        if cell.dropped > 0 {
            token::coin(scene, (x + 0.5, y + 0.8), u32::from(cell.dropped));
        }
    }
}

fn domains(scene: &mut Scene, observation: &Observation<'_>) {
    let map = observation.map();
    for cell in map.cells().iter().filter(|cell| cell.is_placed() && cell.in_domain) {
        let (x, y) = corner((cell.x, cell.y));
        for dir in Dir::ALL.iter().copied() {
            if map.cell(cell.neighbours[dir.index()]).in_domain {
                continue;
            }
            let (x1, y1, x2, y2) = match dir {
                Dir::North => (x, y, x + 1.0, y),
                Dir::East => (x + 1.0, y, x + 1.0, y + 1.0),
                Dir::South => (x, y + 1.0, x + 1.0, y + 1.0),
                Dir::West => (x, y, x, y + 1.0),
            };
            scene
                .line(x1, y1, x2, y2)
                .stroke(palette::GOLD.darker(0.15), 0.05)
                .dashed()
                .tooltip("end of a city's domain");
        }
    }
}

/// Number of shades of routes. It is small, so a further step changes few other routes.
const SHADES: f64 = 12.0;

/// Draws the routes of Adventurers and their attacks; recent steps are thicker. A repeated step, in either
/// direction, hides the older line.
fn routes(scene: &mut Scene, events: &[&Event]) {
    let mut steps = 0;
    let mut last = BTreeMap::new();
    for event in events {
        let Event::Moved { who, from, to } = event else { continue };
        steps += 1;
        last.insert((*who, *from.min(to), *from.max(to)), steps);
    }
    let mut ways: Vec<_> = last.into_iter().collect();
    ways.sort_by_key(|(_, step)| *step);
    for (((seat, number), from, to), step) in ways {
        let age = (f64::from(step) / f64::from(steps) * SHADES).ceil() / SHADES;
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        let (shift, own) = ((f64::from(seat) - 1.5) * 0.07, f64::from(number) * 0.022);
        let (dx, dy) = (own + shift, own - shift);
        let style = Style::stroke(palette::seat_color(usize::from(seat)), 0.012 + 0.055 * age * age)
            .opacity(0.3 + 0.5 * age)
            .rounded();
        scene.push(Item::new(Shape::Line { x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy }, style));
    }
    let mut crosses: BTreeMap<Place, u32> = BTreeMap::new();
    for event in events {
        let Event::Attacked { who, target, at, won, .. } = event else { continue };
        if *target == Target::Disaster {
            continue;
        }
        let number = crosses.entry(*at).or_default();
        let (x, y) = corner(*at);
        let (column, row) = (*number % 5, *number / 5 % 4);
        *number += 1;
        let place = (x + 0.14 + 0.18 * f64::from(column), y + 0.14 + 0.2 * f64::from(row));
        scene.push(token::cross(palette::seat_color(usize::from(who.0)), *won, place));
    }
}

fn agents(scene: &mut Scene, observation: &Observation<'_>) {
    for cell in observation.map().cells().iter().filter(|cell| cell.agent != NO_AGENT) {
        let (seat, number) = (usize::from(cell.agent.seat()), usize::from(cell.agent.number()));
        let agent = &observation.players()[seat].agent[number];
        let (x, y) = corner((cell.x, cell.y));
        let state = if agent.dispossessed { ", dispossessed" } else { "" };
        scene
            .group(
                Transform::at(x + 0.5, y + 0.86),
                token::house(palette::seat_color(seat), agent.dispossessed),
            )
            .tooltip(format!("Agent {seat}.{number} with {}{state}", agent.wealth));
        if agent.wealth > 0 {
            token::coin(scene, (x + 0.7, y + 0.85), u32::from(agent.wealth));
        }
    }
}

fn adventurers(scene: &mut Scene, view: &View<'_, Cartolan>) {
    let observation = &view.observation;
    let turn = observation.turn();
    for (seat, player) in observation.players().iter().enumerate() {
        for (number, (one, at)) in player.crew().enumerate() {
            let cell = observation.map().cell(at);
            let (x, y) = corner((cell.x, cell.y));
            let (dx, dy) = berth(seat as u8, number as u8);
            let (x, y) = (x + dx, y + dy);
            let acts = (usize::from(turn.seat), usize::from(turn.adventurer)) == (seat, number)
                && !matches!(observation.step(), crate::state::Step::Over(_) | crate::state::Step::Pick);
            if acts {
                scene.circle(x, y, 0.235).fill(palette::WHITE).opacity(0.55);
            }
            let pirate = if one.pirate { ", pirate" } else { "" };
            let attack = Action::Attack { seat: seat as u8, adventurer: number as u8 };
            let item = scene
                .group(Transform::at(x, y).scaled(1.25), token::ship(palette::seat_color(seat), one.pirate));
            item.tooltip(format!("Adventurer {seat}.{number} with {}{pirate}", one.chest));
            if view.legal.contains(&attack) {
                item.action(attack.to_string());
                scene.circle(x, y, 0.21).outline(palette::DANGER, 0.03).action(attack.to_string());
            }
            if one.chest > 0 {
                token::coin(scene, (x + 0.2, y + 0.14), u32::from(one.chest));
            }
        }
    }
}

fn spot(scene: &mut Scene, corner: (f64, f64), action: Action, tooltip: String) {
    let (x, y) = corner;
    let dashed = matches!(action, Action::Gust(_));
    let color = if dashed { palette::DANGER } else { palette::SPOT };
    let tint = scene.rect(x + 0.05, y + 0.05, 0.9, 0.9);
    tint.corner(0.08).fill(color).opacity(0.16).action(action.to_string()).tooltip(tooltip.clone());
    let outline = scene.rect(x + 0.05, y + 0.05, 0.9, 0.9);
    outline.corner(0.08).outline(color, 0.045).action(action.to_string()).tooltip(tooltip);
    if dashed {
        outline.dashed();
    }
}

fn spots(scene: &mut Scene, view: &View<'_, Cartolan>) {
    let observation = &view.observation;
    let map = observation.map();
    let here = observation.here();
    let place = |cell: CellId| (map.cell(cell).x, map.cell(cell).y);
    let faces = observation.variant().die_faces;
    for action in view.legal {
        match *action {
            Action::Go(dir) => {
                let to = map.neighbour(here, dir);
                let what = if map.cell(to).is_placed() { "go" } else { "explore" };
                let way = match observation.crossing(here, dir) {
                    crate::map::Crossing::Land => "over land",
                    crate::map::Crossing::Upwind => "upwind",
                    crate::map::Crossing::Downwind => "downwind",
                };
                spot(scene, corner(place(to)), *action, format!("{what} {}, {way}", dir.long()));
            }
            Action::Gust(dir) => {
                let to = place(map.neighbour(here, dir));
                let (x, y) = middle(to);
                spot(scene, corner(to), *action, format!("roll for a gust to the {}", dir.long()));
                scene
                    .text(x, y, 0.22, format!("1/{faces}"))
                    .bold()
                    .centered()
                    .fill(palette::DANGER)
                    .stroke(palette::WHITE, 0.04);
            }
            Action::Wait => {
                let (x, y) = middle(place(here));
                scene
                    .circle(x, y, 0.46)
                    .outline(palette::SPOT, 0.045)
                    .action(action.to_string())
                    .tooltip("wait here");
            }
            Action::HireAgent { x, y } => {
                spot(scene, corner((x, y)), *action, format!("hire an Agent for ({x}, {y})"));
            }
            Action::Relocate(number) => {
                let seat = usize::from(observation.turn().seat);
                let cell = observation.players()[seat].agent[usize::from(number)].cell;
                spot(scene, corner(place(cell)), *action, format!("take Agent {seat}.{number} from here"));
            }
            _ => {}
        }
    }
}

pub(crate) fn draw(view: &View<'_, Cartolan>) -> Scene {
    let observation = &view.observation;
    let frame = Frame::new(observation);
    let pieces = panel::draw(view);
    let height = pieces.last().map_or(frame.height, |piece| frame.height.max(piece.bottom));
    let mut scene = Scene::new(frame.width + panel::PANEL, height);
    scene.title = "Cartolan – Trade Winds".into();
    scene.description = describe(view);
    // If nothing beyond the placed tiles can be selected, the margin is cut off.
    let cut = if view.legal.is_empty() { MARGIN - 0.7 } else { 0.0 };
    let shown = [cut, cut, frame.width - 2.0 * cut, frame.height - 2.0 * cut];
    scene.begin_board("map", shown, frame.origin());
    let here = observation.map().cell(observation.here());
    let (x, y) = middle((here.x, here.y));
    scene.look_at(x - frame.west, y + frame.north);
    scene.rect(0.0, 0.0, frame.width, height).fill(UNKNOWN);
    let mut map = Scene::new(frame.width, frame.height);
    map.background = None;
    tiles(&mut map, observation);
    domains(&mut map, observation);
    routes(&mut map, view.events);
    agents(&mut map, observation);
    spots(&mut map, view);
    adventurers(&mut map, view);
    scene.place(frame.origin(), map);
    for piece in pieces {
        match piece.name {
            Some(name) => {
                scene.begin_part(name, frame.width, piece.top, panel::PANEL, piece.bottom - piece.top)
            }
            None => scene.end_part(),
        }
        scene.place(Transform::at(frame.width, 0.0), piece.scene);
    }
    scene
}

fn describe(view: &View<'_, Cartolan>) -> String {
    let observation = &view.observation;
    let vaults: Vec<String> = observation
        .players()
        .iter()
        .enumerate()
        .map(|(seat, player)| {
            format!("seat {seat} has {} in its Vault and {} in Chests", player.vault, player.chests())
        })
        .collect();
    let eyes = match view.viewer {
        Viewer::Seat(seat) => format!(" Seen from seat {seat}."),
        _ => String::new(),
    };
    format!(
        "Round {}. {} tiles are placed. {}. {}.{eyes}",
        observation.round(),
        observation.map().placed(),
        vaults.join("; "),
        crate::screen::question(observation)
    )
}

/// The legend, without colours.
pub(crate) fn legend() -> Vec<Key> {
    let color = palette::seat_color(0);
    let token = |items: Vec<Item>, scale: f64, at: (f64, f64)| {
        move |scene: &mut Scene| {
            scene.group(Transform::at(at.0, at.1).scaled(scale), items);
        }
    };
    let on_tile = |draw: fn(&mut Scene)| {
        move |scene: &mut Scene| {
            scene.rect(0.0, 0.0, 1.0, 1.0).fill(palette::WATER);
            draw(scene);
        }
    };
    vec![
        Key::new(
            "an Adventurer's ship in its player's colour",
            token(token::ship(color, false), 2.4, (0.5, 0.5)),
        ),
        Key::new("a pirate's ship: black sails", token(token::ship(color, true), 2.4, (0.5, 0.5))),
        Key::new("an Agent", token(token::house(color, false), 3.6, (0.5, 0.54))),
        Key::new("a dispossessed Agent", token(token::house(color, true), 3.6, (0.5, 0.54))),
        Key::new("wealth on a ship, with an Agent, or lying on a tile", |scene| {
            let mut page = Scene::new(1.0, 1.0);
            page.background = None;
            token::coin(&mut page, (0.0, 0.0), 6);
            scene.place(Transform::at(0.5, 0.5).scaled(3.0), page);
        }),
        Key::new(
            "the way of an Adventurer: thicker is later",
            on_tile(|scene| {
                scene.line(0.1, 0.35, 0.9, 0.35).stroke(palette::seat_color(0), 0.04).opacity(0.5);
                scene.line(0.1, 0.65, 0.9, 0.65).stroke(palette::seat_color(0), 0.12).opacity(0.8);
            }),
        ),
        Key::new(
            "an attack that succeeded",
            token(vec![token::cross(color, true, (0.0, 0.0))], 3.2, (0.5, 0.5)),
        ),
        Key::new("an attack in vain", token(vec![token::cross(color, false, (0.0, 0.0))], 3.2, (0.5, 0.5))),
        Key::new(
            "the arrow of a tile: where its wind blows to",
            on_tile(|scene| {
                scene.polyline(vec![(0.25, 0.75), (0.75, 0.25)]).stroke(palette::WHITE, 0.08);
                scene.polyline(vec![(0.45, 0.25), (0.75, 0.25), (0.75, 0.55)]).stroke(palette::WHITE, 0.08);
            }),
        ),
        Key::new(
            "the end of a city's domain",
            on_tile(|scene| {
                scene.line(0.0, 0.5, 1.0, 0.5).stroke(palette::GOLD.darker(0.15), 0.1).dashed();
            }),
        ),
    ]
}
