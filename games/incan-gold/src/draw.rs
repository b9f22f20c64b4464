//! The table as a drawing: the path with its cards, the gems and artifacts on it, tents and backpacks. If a
//! decision is due there are two buttons.

use meeple_core::{Seat, View, Viewer};
use meeple_scene::{Anchor, Color, Key, Path, Scene, palette};

use crate::action::Action;
use crate::card::Card;
use crate::game::IncanGold;
use crate::observe::Observation;
use crate::table::{Table, count, deadly_cards};

const WIDTH: f64 = 1000.0;
const MARGIN: f64 = 24.0;
const CARD_WIDTH: f64 = 78.0;
const CARD_HEIGHT: f64 = 108.0;
const CARD_GAP: f64 = 10.0;
const CARDS_IN_A_ROW: usize = 10;
/// Number of cards in a part of the path that stays together on a narrow page.
const CARDS_IN_A_PIECE: usize = CARDS_IN_A_ROW / 2;
/// Left edge of the first card. The rows are centred in the temple.
const FIRST_CARD: f64 = (WIDTH - CARDS_IN_A_ROW as f64 * (CARD_WIDTH + CARD_GAP) + CARD_GAP) / 2.0;
const SEAT_WIDTH: f64 = 229.0;
const SEAT_HEIGHT: f64 = 108.0;
const SEATS_IN_A_ROW: usize = 4;

const STONE_DARK: Color = Color(62, 55, 50);
const STONE: Color = Color(96, 86, 76);
const CARD_PAPER: Color = Color(250, 245, 232);
const GOLD: Color = Color(230, 170, 30);
const DANGER: Color = Color(190, 60, 20);
const JADE: Color = Color(0, 130, 105);
const QUIET: Color = Color(110, 102, 94);

pub(crate) fn draw(view: &View<'_, IncanGold>) -> Scene {
    let observation = &view.observation;
    let table = Table::of(view);
    let rows = table.path.len().div_ceil(CARDS_IN_A_ROW).max(1);
    let temple = 46.0 + rows as f64 * (CARD_HEIGHT + CARD_GAP);
    let seats = observation.seats().div_ceil(SEATS_IN_A_ROW) as f64 * (SEAT_HEIGHT + 12.0);
    let buttons = if view.legal.is_empty() { 0.0 } else { 66.0 };
    let top = 64.0;
    let mut scene = Scene::new(WIDTH, top + temple + 62.0 + seats + buttons + MARGIN);
    scene.title = "Incan Gold".to_owned();
    scene.description = describe(observation, &table);

    heading(&mut scene, observation, &table, top);
    draw_temple(&mut scene, &table.path, top, rows);
    let mut y = top + temple + 14.0;
    if table.goes_on {
        draw_path_sums(&mut scene, observation, y);
    }
    y += 48.0;
    for seat in Seat::all(observation.seats()) {
        let column = (seat.index() % SEATS_IN_A_ROW) as f64;
        let row = (seat.index() / SEATS_IN_A_ROW) as f64;
        draw_seat(
            &mut scene,
            view,
            &table,
            seat,
            (MARGIN + column * (SEAT_WIDTH + 12.0), y + row * (SEAT_HEIGHT + 12.0)),
        );
    }
    if !view.legal.is_empty() {
        scene.begin_part("decision", WIDTH / 2.0 - 240.0, y + seats, 480.0, buttons);
    }
    draw_buttons(&mut scene, view, y + seats);
    scene
}

fn describe(observation: &Observation<'_>, table: &Table<'_>) -> String {
    let path: Vec<String> = table.path.iter().map(Card::to_string).collect();
    let path = if path.is_empty() { "nothing".to_owned() } else { path.join(", ") };
    let spare = if table.goes_on { format!(" {}.", spare_gems(observation)) } else { String::new() };
    format!("{}. On the path: {path}.{spare}", table.heading)
}

fn spare_gems(observation: &Observation<'_>) -> String {
    format!("{} on the path", count(observation.spare(), "spare gem"))
}

fn heading(scene: &mut Scene, observation: &Observation<'_>, table: &Table<'_>, height: f64) {
    scene.begin_part("round", 0.0, 0.0, WIDTH / 2.0, height);
    scene.text(MARGIN, 40.0, 26.0, &*table.heading).fill(STONE_DARK).bold();
    if table.goes_on {
        scene.begin_part("deck", WIDTH - 320.0, 0.0, 320.0, height);
        let deck = format!("{} in the deck", count(observation.deck_size(), "card"));
        scene.text(WIDTH - MARGIN, 40.0, 17.0, deck).fill(QUIET).anchor(Anchor::End);
    }
}

/// Draws the temple with the path, in parts of five cards.
fn draw_temple(scene: &mut Scene, path: &[Card], top: f64, rows: usize) {
    let width = (WIDTH - 2.0 * MARGIN) / 2.0;
    let row_height = CARD_HEIGHT + CARD_GAP;
    for piece in 0..2 * rows {
        let (row, side) = (piece / 2, piece % 2);
        let x = MARGIN + side as f64 * width;
        // There is masonry above the first row, and a low wall below the last.
        let above = if row == 0 { 34.0 } else { 0.0 };
        let below = if row + 1 == rows { 12.0 } else { 0.0 };
        let y = if row == 0 { top } else { top + 34.0 + row as f64 * row_height };
        let name = if piece == 0 { "path".to_owned() } else { format!("path, cards from {}", 5 * piece + 1) };
        scene.begin_part(name, x, y, width, above + row_height + below);
        scene.rect(x, y, width, above + row_height + below).fill(STONE_DARK);
        if row == 0 {
            draw_masonry(scene, x, top, width);
        }
        let cards = path.iter().enumerate().skip(piece * CARDS_IN_A_PIECE).take(CARDS_IN_A_PIECE);
        for (index, card) in cards {
            let x = FIRST_CARD + (index % CARDS_IN_A_ROW) as f64 * (CARD_WIDTH + CARD_GAP);
            draw_card(scene, *card, x, y + above);
        }
        if path.is_empty() && side == 0 {
            scene.text(x + 24.0, top + 96.0, 18.0, "the path is empty").fill(STONE.lighter(0.4));
        }
    }
}

/// Draws blocks of masonry along the upper edge.
fn draw_masonry(scene: &mut Scene, left: f64, top: f64, width: f64) {
    let blocks = 8;
    let step = (width - 8.0) / f64::from(blocks);
    for block in 0..blocks {
        let x = left + 4.0 + f64::from(block) * step;
        let shade = if block % 2 == 0 { STONE } else { STONE.darker(0.15) };
        scene.rect(x + 1.0, top + 8.0, step - 2.0, 14.0).fill(shade).corner(2.0);
    }
}

fn draw_card(scene: &mut Scene, card: Card, x: f64, y: f64) {
    let (ink, label) = match card {
        Card::Gem(_) => (GOLD.darker(0.35), "gems".to_owned()),
        Card::Hazard(_) => (DANGER, card.to_string()),
        Card::Artifact => (JADE, "artifact".to_owned()),
        Card::PrintedArtifact(worth) => (JADE, format!("artifact {worth}")),
    };
    scene
        .rect(x, y, CARD_WIDTH, CARD_HEIGHT)
        .fill(CARD_PAPER)
        .stroke(ink, 3.0)
        .corner(7.0)
        .tooltip(card.to_string());
    let (cx, cy) = (x + CARD_WIDTH / 2.0, y + 44.0);
    match card {
        Card::Gem(value) => {
            let points = [(0.0, -30.0), (25.0, -9.0), (0.0, 30.0), (-25.0, -9.0)];
            scene.polygon(points.map(|(dx, dy)| (cx + dx, cy + dy)).to_vec()).fill(GOLD).stroke(ink, 1.5);
            scene.line(cx - 25.0, cy - 9.0, cx + 25.0, cy - 9.0).stroke(ink, 1.5);
            scene.text(cx, cy + 10.0, 22.0, value.to_string()).fill(STONE_DARK).bold().anchor(Anchor::Middle);
        }
        Card::Hazard(_) => {
            let points = vec![(cx, cy - 28.0), (cx + 30.0, cy + 24.0), (cx - 30.0, cy + 24.0)];
            scene.polygon(points).fill(DANGER).rounded();
            scene.text(cx, cy + 19.0, 36.0, "!").fill(CARD_PAPER).bold().anchor(Anchor::Middle);
        }
        Card::Artifact | Card::PrintedArtifact(_) => {
            // The artifact is a mask with eyes and mouth.
            let face = Path::new()
                .move_to(cx - 24.0, cy - 28.0)
                .line_to(cx + 24.0, cy - 28.0)
                .line_to(cx + 19.0, cy + 15.0)
                .line_to(cx, cy + 30.0)
                .line_to(cx - 19.0, cy + 15.0)
                .close();
            scene.path(face).fill(JADE);
            for side in [-1.0, 1.0] {
                scene.rect(cx + side * 11.0 - 6.0, cy - 13.0, 12.0, 7.0).fill(GOLD);
            }
            scene.rect(cx - 8.0, cy + 10.0, 16.0, 5.0).fill(GOLD);
        }
    }
    scene
        .text(cx, y + CARD_HEIGHT - 10.0, 16.0, label)
        .fill(ink)
        .bold()
        .fit(CARD_WIDTH - 8.0)
        .anchor(Anchor::Middle);
}

fn draw_path_sums(scene: &mut Scene, observation: &Observation<'_>, y: f64) {
    scene.begin_part("spare gems", 0.0, y, 320.0, 32.0);
    scene.text(MARGIN, y + 20.0, 18.0, spare_gems(observation)).fill(STONE_DARK);
    if observation.artifacts() > 0 {
        let (artifacts, worth) = (count(observation.artifacts(), "artifact"), observation.artifact_worth(0));
        scene.begin_part("artifacts", WIDTH / 2.0 - 240.0, y, 420.0, 32.0);
        let text = format!("{artifacts} worth {worth} to who leaves alone");
        scene.text(WIDTH / 2.0 - 30.0, y + 20.0, 18.0, text).fill(JADE).anchor(Anchor::Middle);
    }
    let deadly = deadly_cards(observation);
    if observation.deck_size() > 0 && observation.turn() > 0 {
        let percent = 100.0 * f64::from(deadly) / f64::from(observation.deck_size());
        let color = if deadly > 0 { DANGER } else { JADE };
        scene.begin_part("risk", WIDTH - 340.0, y, 340.0, 32.0);
        let text = format!("next card ends the round: {percent:.0} %");
        scene.text(WIDTH - MARGIN, y + 20.0, 18.0, text).fill(color).anchor(Anchor::End);
    }
}

fn draw_seat(
    scene: &mut Scene,
    view: &View<'_, IncanGold>,
    table: &Table<'_>,
    seat: Seat,
    (x, y): (f64, f64),
) {
    let observation = &view.observation;
    let color = palette::seat_color(seat.index());
    let own = view.viewer == Viewer::Seat(seat);
    let edge = if own { 4.0 } else { 1.5 };
    scene.begin_part(format!("seat {seat}"), x - 3.0, y - 3.0, SEAT_WIDTH + 6.0, SEAT_HEIGHT + 6.0);
    scene.rect(x, y, SEAT_WIDTH, SEAT_HEIGHT).fill(CARD_PAPER).stroke(color, edge).corner(8.0);
    let name = view.players.get(seat.index()).map_or("", |player| player.name.as_str());
    let title = format!("{seat} {name}{}", if own { " (you)" } else { "" });
    scene.text(x + 12.0, y + 24.0, 16.0, title).fill(STONE_DARK).bold().cut(SEAT_WIDTH - 24.0);

    // The safe points are beside the tent.
    let tent = vec![(x + 12.0, y + 80.0), (x + 44.0, y + 38.0), (x + 76.0, y + 80.0)];
    scene.polygon(tent).fill(color).rounded();
    scene.polygon(vec![(x + 37.0, y + 80.0), (x + 44.0, y + 60.0), (x + 51.0, y + 80.0)]).fill(STONE_DARK);
    let safe = observation.tent(seat).to_string();
    scene.text(x + 86.0, y + 68.0, 26.0, safe).fill(STONE_DARK).bold().fit(56.0);
    let artifacts = observation.artifacts_of(seat);
    if artifacts > 0 {
        scene.text(x + 12.0, y + 99.0, 16.0, count(artifacts, "artifact")).fill(JADE);
    }
    if table.goes_on && observation.explores(seat) {
        // The backpack shows the gems at risk.
        scene.rect(x + 154.0, y + 44.0, 30.0, 36.0).fill(GOLD).stroke(STONE_DARK, 1.5).corner(7.0);
        scene.rect(x + 160.0, y + 60.0, 18.0, 12.0).fill(GOLD.darker(0.2)).corner(2.0);
        let risked = observation.backpack().to_string();
        scene.text(x + 189.0, y + 68.0, 22.0, risked).fill(STONE_DARK).fit(SEAT_WIDTH - 189.0 - 8.0);
    } else {
        let place = table.whereabouts(seat);
        scene.text(x + SEAT_WIDTH - 12.0, y + 68.0, 16.0, place).fill(QUIET).anchor(Anchor::End);
    }
}

fn draw_buttons(scene: &mut Scene, view: &View<'_, IncanGold>, y: f64) {
    for (index, action) in view.legal.iter().enumerate() {
        let x = WIDTH / 2.0 - 230.0 + index as f64 * 240.0;
        let (color, text) = match action {
            Action::Stay => (JADE, "stay: one more card"),
            Action::Leave => (DANGER, "leave with the loot"),
        };
        scene.rect(x, y + 6.0, 220.0, 46.0).fill(color).corner(8.0).action(action.to_string()).tooltip(text);
        scene.text(x + 110.0, y + 35.0, 18.0, text).fill(CARD_PAPER).bold().anchor(Anchor::Middle);
    }
}

/// The legend of all signs in the drawing.
pub(crate) fn legend() -> Vec<Key> {
    // The card has no words, which would be too small to read.
    let card = |ink: Color, fill: Color, points: &'static [(f64, f64)]| {
        move |scene: &mut Scene| {
            scene.rect(0.16, 0.04, 0.68, 0.92).fill(CARD_PAPER).stroke(ink, 0.04).corner(0.08);
            scene.polygon(points.to_vec()).fill(fill);
        }
    };
    const GEM: &[(f64, f64)] = &[(0.5, 0.2), (0.74, 0.4), (0.5, 0.8), (0.26, 0.4)];
    const HAZARD: &[(f64, f64)] = &[(0.5, 0.22), (0.76, 0.72), (0.24, 0.72)];
    const MASK: &[(f64, f64)] = &[(0.26, 0.24), (0.74, 0.24), (0.68, 0.6), (0.5, 0.8), (0.32, 0.6)];
    vec![
        Key::new("a tent in its explorer's colour, and the gems that are safe in it", |scene| {
            scene.polygon(vec![(0.05, 0.85), (0.5, 0.2), (0.95, 0.85)]).fill(palette::seat_color(0));
            scene.polygon(vec![(0.4, 0.85), (0.5, 0.55), (0.6, 0.85)]).fill(STONE_DARK);
        }),
        Key::new("a backpack, and the gems in it: lost if the round ends badly", |scene| {
            scene.rect(0.18, 0.1, 0.64, 0.8).fill(GOLD).stroke(STONE_DARK, 0.04).corner(0.15);
            scene.rect(0.3, 0.45, 0.4, 0.28).fill(GOLD.darker(0.2)).corner(0.05);
        }),
        Key::new("gems: the number was shared among who was there", card(GOLD.darker(0.35), GOLD, GEM)),
        Key::new("a hazard: the second of a kind ends the round", card(DANGER, DANGER, HAZARD)),
        Key::new("an artifact, for who leaves alone", card(JADE, JADE, MASK)),
    ]
}
