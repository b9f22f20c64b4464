//! The current fight: both ships, the dice, and the points left.

use meeple_core::{Seat, View, Viewer};
use meeple_scene::{Anchor, Scene, Transform, palette};

use crate::draw::parts::{CARD, PANEL, QUIET, TITLE, ship};
use crate::game::Privateers;
use crate::screen::seat_name;

const HEIGHT: f64 = 112.0;
const DIE: f64 = 38.0;

pub(super) fn height(view: &View<'_, Privateers>) -> f64 {
    if view.observation.fight().is_some() { HEIGHT + 14.0 } else { 0.0 }
}

/// Draws the fight, if there is one. Returns the upper edge of the next section.
pub(super) fn draw(scene: &mut Scene, view: &View<'_, Privateers>, x: f64, top: f64) -> f64 {
    let obs = &view.observation;
    let Some(fight) = obs.fight() else { return top };
    scene.rect(x, top, PANEL, HEIGHT).fill(CARD).stroke(palette::DANGER, 1.6).corner(6.0);
    let middle = x + PANEL / 2.0;
    for (side, seat) in fight.seats.into_iter().enumerate() {
        let away = if side == 0 { -1.0 } else { 1.0 };
        let sinks = !obs.lives(seat);
        let own = view.viewer == Viewer::Seat(seat);
        let turn = if sinks { 24.0 } else { 0.0 };
        let at = Transform::at(middle + away * 182.0, top + 52.0).scaled(1.9).rotated(turn);
        let drawn = scene.group(at, ship(seat, obs.class(seat), own));
        if sinks {
            drawn.opacity(0.35);
        }
        let role = if side == 0 { "attacks" } else { "defends" };
        let words = format!("{} {}", name(view, seat), if sinks { "is sunk" } else { role });
        let text = scene.text(middle + away * 176.0, top + 101.0, 16.5, words);
        text.fill(TITLE).bold().cut(160.0).anchor(Anchor::Middle);
        if fight.rolls > 0 {
            let winner = fight.dice[side] > fight.dice[1 - side];
            die(scene, middle + away * 30.0, top + 42.0, fight.dice[side], winner);
        }
        let left = match fight.points {
            Some(points) => format!("{} left, lost {}", points[side], fight.lost[side]),
            None => format!("lost {}", fight.lost[side]),
        };
        let text = scene.text(middle + away * 62.0, top + 76.0, 16.5, left);
        text.fill(TITLE).cut(122.0).anchor(Anchor::Middle);
    }
    let text = match fight.rolls {
        0 => format!("distance {}, the dice are rolled", fight.distance),
        1 => format!("distance {} after 1 roll", fight.distance),
        rolls => format!("distance {} after {rolls} rolls", fight.distance),
    };
    scene.text(middle, top + 16.0, 16.5, text).fill(QUIET).anchor(Anchor::Middle);
    top + HEIGHT + 14.0
}

fn name(view: &View<'_, Privateers>, seat: Seat) -> String {
    if view.viewer == Viewer::Seat(seat) { "your ship".into() } else { seat_name(view, seat) }
}

/// Draws a die, which is red for the winner of the roll.
fn die(scene: &mut Scene, x: f64, y: f64, face: u8, winner: bool) {
    let (body, pips) = match winner {
        true => (palette::DANGER, palette::WHITE),
        false => (palette::WHITE, TITLE),
    };
    scene.rect(x - DIE / 2.0, y - DIE / 2.0, DIE, DIE).fill(body).stroke(TITLE, 1.6).corner(8.0);
    let step = DIE / 4.0;
    // Pips with the faces that have them, as bits; the lowest bit is face 1.
    let all: [(u8, f64, f64); 7] = [
        (0b010101, 0.0, 0.0),
        (0b111110, -1.0, -1.0),
        (0b111110, 1.0, 1.0),
        (0b111000, 1.0, -1.0),
        (0b111000, -1.0, 1.0),
        (0b100000, -1.0, 0.0),
        (0b100000, 1.0, 0.0),
    ];
    for (faces, dx, dy) in all {
        if face >= 1 && faces >> (face - 1) & 1 == 1 {
            scene.circle(x + step * dx, y + step * dy, DIE / 11.0).fill(pips);
        }
    }
}
