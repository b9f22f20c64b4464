//! The panel on the right: players, hands, further actions, and the latest events.

use meeple_core::View;
use meeple_scene::{Anchor, Color, Scene, Style, Transform, palette};

use super::art::{QUIET, tile};
use super::figure::{Pose, meeple, plain_meeple};
use crate::action::Action;
use crate::event::Event;
use crate::game::Carcassonne;
use crate::state::Stage;

const LEFT: f64 = 16.5;
const WIDTH: f64 = 5.3;

pub(super) fn draw(scene: &mut Scene, view: &View<'_, Carcassonne>) {
    let observation = &view.observation;
    let seats = observation.seats();
    let height = if seats <= 4 { 2.0 } else { 1.5 };
    let top = 1.6 + height * seats as f64 + 0.1;
    scene.begin_part("players", LEFT - 0.25, 0.0, WIDTH + 0.45, top);
    scene.text(LEFT, 0.62, 0.42, "Carcassonne").bold();
    let river = match observation.river_deck() {
        0 => String::new(),
        left => format!(", {left} of the river"),
    };
    let deck = format!("{} tiles in the deck{river}", observation.deck());
    scene.text(LEFT, 0.98, 0.24, deck).fill(QUIET);
    scene.text(LEFT, 1.36, 0.27, observation.stage_text()).bold().fit(WIDTH);
    for seat in 0..seats {
        player(scene, view, seat, 1.6 + height * seat as f64, height - 0.12);
    }
    let count = view.legal.iter().filter(|action| button(view, action).is_some()).count();
    if count > 0 {
        scene.begin_part("decision", LEFT - 0.25, top - 0.05, WIDTH + 0.45, 0.56 * count as f64 + 0.05);
    }
    let buttons = buttons(scene, view, top);
    // Web pages show a separate log.
    scene.end_part();
    log(scene, view, buttons + 0.15);
}

fn player(scene: &mut Scene, view: &View<'_, Carcassonne>, seat: usize, top: f64, height: f64) {
    let observation = &view.observation;
    let color = palette::seat_color(seat);
    let moves = observation.mover() == Some(seat);
    let card = scene.rect(LEFT, top, WIDTH, height).corner(0.12);
    card.style(
        Style::fill(palette::WHITE)
            .with_stroke(if moves { color } else { palette::LINE }, if moves { 0.07 } else { 0.03 }),
    );
    scene.rect(LEFT, top, 0.16, height).fill(color).corner(0.08);
    let name = match view.players.get(seat) {
        Some(name) => format!("{seat} {name}"),
        None => format!("seat {seat}"),
    };
    scene.text(LEFT + 0.3, top + 0.38, 0.28, name).bold().cut(3.4);
    let points = scene.text(LEFT + WIDTH - 0.2, top + 0.47, 0.46, observation.points(seat).to_string());
    points.bold().anchor(Anchor::End);
    let row = top + 0.72;
    let supply = observation.supply(seat);
    for number in 0..supply.min(8) {
        scene.push(plain_meeple(seat, (LEFT + 0.45 + 0.25 * f64::from(number), row), 0.24));
    }
    let mut x = LEFT + 0.5 + 0.25 * f64::from(supply.min(8));
    if supply == 0 {
        scene.text(x - 0.15, row + 0.08, 0.22, "no free meeple").fill(QUIET);
        x += 1.6;
    }
    if supply > 8 {
        scene.text(x, row + 0.08, 0.22, format!("+{}", supply - 8));
        x += 0.4;
    }
    if observation.variant().towers {
        let floors = observation.floors(seat);
        scene.rect(x + 0.04, row - 0.09, 0.2, 0.18).fill(Color::hex("#8c7f74")).tooltip("tower floors left");
        scene.text(x + 0.3, row + 0.08, 0.23, floors.to_string());
        x += 0.75;
        let held: Vec<usize> = (0..observation.seats())
            .flat_map(|owner| (0..observation.prisoners(seat, owner)).map(move |_| owner))
            .collect();
        if !held.is_empty() {
            scene.text(x, row + 0.08, 0.22, "holds").fill(QUIET);
            x += 0.8;
        }
        // Many prisoners stand closer together, so that all fit on the card.
        let step = ((LEFT + WIDTH - 0.32 - x) / held.len() as f64).min(0.4);
        for owner in held {
            scene.push(meeple(owner, (x + 0.12, row), 0.4, Pose::Standing)).tooltip("a prisoner");
            x += step;
        }
    }
    // The hand, face up if visible.
    let size = if height > 1.5 { 0.66 } else { 0.36 };
    // Below large tiles there is room for their names.
    let y = top + height - size - if size > 0.5 { 0.32 } else { 0.1 };
    for number in 0..observation.hand_size(seat) {
        let at = LEFT + 0.32 + (size + 0.12) * number as f64;
        match observation.hand(seat) {
            Some(hand) => {
                let kind = hand[number];
                scene.push(tile(kind, 0, Transform::at(at, y).scaled(size))).tooltip(kind.to_string());
                if size > 0.5 {
                    scene
                        .text(at + size / 2.0, y + size + 0.2, 0.22, kind.to_string())
                        .anchor(Anchor::Middle);
                }
            }
            None => {
                let back = scene.rect(at, y, size, size).corner(0.05);
                back.style(Style::fill(Color::hex("#8a9a7b")).with_stroke(palette::INK, 0.02));
                back.tooltip("a tile that you cannot see");
            }
        }
    }
}

/// The text of an action's button; `None` if the action is chosen on the board.
fn button(view: &View<'_, Carcassonne>, action: &Action) -> Option<String> {
    match action {
        Action::Pass => Some("pass: do nothing with this tile".into()),
        Action::Decline => Some("decline: capture nobody".into()),
        Action::Discard { tile } => Some(format!("discard {tile}: nothing fits")),
        Action::Ransom(captor) => {
            let price = view.observation.variant().ransom;
            Some(format!("ransom: pay seat {captor} {price} points for a meeple"))
        }
        _ => None,
    }
}

/// Draws buttons for actions without a place on the board. Returns their lower end.
fn buttons(scene: &mut Scene, view: &View<'_, Carcassonne>, top: f64) -> f64 {
    let mut y = top;
    for action in view.legal {
        let Some(text) = button(view, action) else { continue };
        let button = scene.rect(LEFT, y, WIDTH, 0.46).corner(0.1);
        button.style(Style::fill(palette::SPOT.lighter(0.8)).with_stroke(palette::SPOT, 0.03));
        button.action(action.to_string()).tooltip(action.to_string());
        scene.text(LEFT + WIDTH / 2.0, y + 0.23, 0.24, text).fit(WIDTH - 0.3).centered();
        y += 0.56;
    }
    y
}

/// Draws the latest events, as many as fit.
fn log(scene: &mut Scene, view: &View<'_, Carcassonne>, top: f64) {
    let room = ((13.85 - top) / 0.29).floor().max(0.0) as usize;
    let over = view.observation.stage() == Stage::Over;
    let most = room.min(if over { 30 } else { 16 });
    // Viewers who see the tile do not need the event of the draw.
    let shown = view.events.iter().enumerate().filter(|(at, event)| {
        let next = view.events.get(at + 1).map(|next| &**next);
        !matches!((&***event, next), (Event::Drew { .. }, Some(Event::DrewTile { .. })))
    });
    let mut shown: Vec<&Event> = shown.rev().take(most).map(|(_, event)| &**event).collect();
    shown.reverse();
    for (row, event) in shown.into_iter().enumerate() {
        let y = top + 0.22 + 0.29 * row as f64;
        scene.text(LEFT, y, 0.2, event.to_string()).fill(QUIET).cut(WIDTH);
    }
}
