//! The panel beside the chart: wind rose, fight, ships, prices, holds, and buttons.

mod fight;

use meeple_core::{Seat, View, Viewer};
use meeple_scene::{Anchor, Color, Item, Path, Scene, Transform, palette};

use super::parts::{CARD, PANEL, QUIET, TITLE, ship};
use crate::action::Action;
use crate::game::Privateers;
use crate::goods::{PRODUCTS, Product};
use crate::reach::IMPOSSIBLE;
use crate::screen::{fresh_words, hold_lines, place, seat_name, wind_words};
use crate::state::Stage;
use crate::wind::{Heading, Wind};

const ROSE: f64 = 148.0;
const SHIP_ROW: f64 = 38.0;
const HOLD_ROW: f64 = 46.0;
const PRICE_ROW: f64 = 23.0;
const BUTTON: f64 = 30.0;
const LABEL: f64 = 74.0;
const COLUMN: f64 = (PANEL - LABEL) / PRODUCTS as f64;

pub(super) const CHEAP: Color = Color(205, 232, 205);
pub(super) const EXPENSIVE: Color = Color(247, 217, 190);
const HERE: Color = Color(255, 242, 196);

/// A row of the trade grid: its name, and the action for each product.
type TradeRow = (&'static str, fn(Product) -> Action);

/// The rows of the trade grid.
const TRADES: [TradeRow; 4] = [
    ("buy 1", Action::Buy),
    ("buy max", Action::BuyMax),
    ("sell 1", Action::Sell),
    ("sell all", Action::SellAll),
];

fn trade_rows(view: &View<'_, Privateers>) -> Vec<TradeRow> {
    let legal =
        |make: fn(Product) -> Action| Product::ALL.iter().any(|product| view.legal.contains(&make(*product)));
    TRADES.into_iter().filter(|(_, make)| legal(*make)).collect()
}

/// Actions with a button: all except sailing and trading.
fn buttons<'a>(view: &'a View<'_, Privateers>) -> Vec<&'a Action> {
    let placed = |action: &&Action| {
        !matches!(
            action,
            Action::Move(_) | Action::Buy(_) | Action::Sell(_) | Action::BuyMax(_) | Action::SellAll(_)
        )
    };
    view.legal.iter().filter(placed).collect()
}

fn ships_height(view: &View<'_, Privateers>) -> f64 {
    let obs = &view.observation;
    let rows = Seat::all(obs.seats()).map(|seat| {
        let sees = obs.lives(seat) && obs.money(seat).is_some();
        SHIP_ROW + if sees { HOLD_ROW } else { 0.0 }
    });
    if obs.has_begun() { rows.sum() } else { 0.0 }
}

fn prices_height(view: &View<'_, Privateers>) -> f64 {
    let ports = view.observation.map().ports();
    let known = (0..ports).filter(|port| view.observation.sees_port(*port)).count();
    PRICE_ROW * (known + 2 + usize::from(known < ports)) as f64 + 14.0
}

pub(super) fn height(view: &View<'_, Privateers>) -> f64 {
    let trades = trade_rows(view).len() as f64 * (PRICE_ROW + 3.0);
    let rows = buttons(view).len().div_ceil(3) as f64;
    let fight = fight::height(view);
    ROSE + fight + ships_height(view) + prices_height(view) + trades + rows * (BUTTON + 8.0) + 40.0
}

pub(super) fn draw(scene: &mut Scene, view: &View<'_, Privateers>, x: f64, top: f64) {
    // The margin around each card is included.
    let begin = |scene: &mut Scene, name: &str, top: f64, height: f64| {
        scene.begin_part(name, x - 4.0, top - 4.0, PANEL + 8.0, height + 8.0);
    };
    begin(scene, "wind", top, ROSE - 8.0);
    draw_wind(scene, view, x, top);
    if view.observation.fight().is_some() {
        begin(scene, "fight", top + ROSE, fight::height(view) - 8.0);
    }
    let mut y = fight::draw(scene, view, x, top + ROSE);
    if view.observation.has_begun() {
        begin(scene, "ships", y, ships_height(view));
        y = draw_fleet(scene, view, x, y);
    }
    begin(scene, "prices", y + 14.0, prices_height(view) - 8.0);
    y = draw_prices(scene, view, x, y + 14.0);
    let trades = trade_rows(view).len() as f64 * (PRICE_ROW + 3.0);
    if trades > 0.0 {
        begin(scene, "trade", y + 8.0, trades);
    }
    y = draw_trades(scene, view, x, y + 8.0);
    let rows = buttons(view).len().div_ceil(3) as f64;
    if rows > 0.0 {
        begin(scene, "decision", y + 8.0, rows * (BUTTON + 8.0));
    }
    draw_buttons(scene, view, x, y + 8.0);
}

fn draw_wind(scene: &mut Scene, view: &View<'_, Privateers>, x: f64, top: f64) {
    let obs = &view.observation;
    let (cx, cy, radius) = (x + 66.0, top + 66.0, 60.0);
    scene.circle(cx, cy, radius).fill(CARD).stroke(TITLE, 1.6);
    scene.circle(cx, cy, radius - 15.0).outline(palette::LINE, 1.0);
    // Eight rays; those of the four headings are longer.
    for ray in 0..8 {
        let long = ray % 2 == 0;
        let (length, color) = if long { (40.0, QUIET.lighter(0.35)) } else { (26.0, palette::LINE) };
        let mut needle = Scene::new(10.0, length);
        needle.polygon([(0.0, -length), (5.0, 0.0), (-5.0, 0.0)]).fill(color);
        scene.group(Transform::at(cx, cy).rotated(f64::from(ray) * 45.0), needle.items);
    }
    for (letter, dx, dy) in [("N", 0.0, -1.0), ("W", -1.0, 0.0), ("S", 0.0, 1.0), ("E", 1.0, 0.0)] {
        scene.text(cx + 52.0 * dx, cy + 52.0 * dy, 16.5, letter).fill(TITLE).bold().centered();
    }
    let blowing =
        matches!(obs.stage(), Stage::Act | Stage::Roll | Stage::Loot | Stage::Respawn | Stage::Place);
    let tx = x + 150.0;
    if !blowing {
        scene.text(tx, top + 40.0, 17.0, "The wind is not known yet").fill(QUIET);
        return;
    }
    if let Some(push) = obs.game().push(obs.wind()) {
        let outline = Path::new()
            .move_to(0.0, -44.0)
            .line_to(13.0, -18.0)
            .line_to(5.0, -20.0)
            .line_to(5.0, 34.0)
            .line_to(-5.0, 34.0)
            .line_to(-5.0, -20.0)
            .line_to(-13.0, -18.0)
            .close();
        let mut arrow = Scene::new(26.0, 78.0);
        arrow.path(outline).fill(palette::SPOT).stroke(TITLE, 1.4);
        // Headings are numbered anticlockwise from north, while the rotation is clockwise.
        let turn = f64::from((4 - push as u8) % 4) * 90.0;
        scene.group(Transform::at(cx, cy).rotated(turn), arrow.items);
    } else if obs.wind() == Wind::Fickle {
        scene.circle(cx, cy, 30.0).outline(palette::SPOT, 6.0).dashed();
    }
    scene.circle(cx, cy, 12.5).fill(TITLE);
    let power = if obs.wind() == Wind::Calm { "0".to_owned() } else { obs.power().to_string() };
    scene.text(cx, cy, 17.0, power).fill(palette::WHITE).bold().centered();
    scene.text(tx, top + 24.0, 19.0, wind_words(obs)).fill(TITLE).bold().fit(PANEL - 150.0);
    let left = format!("{} half points and {} moves left", obs.budget(), obs.moves_left());
    scene.text(tx, top + 50.0, 16.5, left).fill(QUIET);
    for (index, heading) in Heading::ALL.iter().enumerate() {
        let cost = match obs.costs()[heading.index()] {
            IMPOSSIBLE => "–".to_owned(),
            cost => cost.to_string(),
        };
        let cell = tx + 82.0 * index as f64;
        scene.text(cell, top + 82.0, 16.5, heading.to_string()).fill(QUIET);
        scene.text(cell, top + 104.0, 19.0, cost).fill(TITLE).bold();
    }
    scene.text(tx, top + 126.0, 16.5, "half points for a cell").fill(QUIET);
}

fn draw_fleet(scene: &mut Scene, view: &View<'_, Privateers>, x: f64, top: f64) -> f64 {
    let obs = &view.observation;
    let mut y = top;
    scene.rect(x, y, PANEL, ships_height(view)).fill(CARD).stroke(palette::LINE, 1.0).corner(6.0);
    for seat in Seat::all(obs.seats()) {
        let own = view.viewer == Viewer::Seat(seat);
        if !obs.lives(seat) {
            scene.circle(x + 26.0, y + 18.0, 9.0).fill(palette::seat_color(seat.index()).lighter(0.5));
            let text = format!("{}: no ship", seat_name(view, seat));
            scene.text(x + 56.0, y + 24.0, 16.5, text).fill(QUIET);
            y += SHIP_ROW;
            continue;
        }
        let size = if obs.class(seat) == crate::ship::Class::Frigate { 0.95 } else { 1.05 };
        scene.group(Transform::at(x + 26.0, y + 20.0).scaled(size), ship(seat, obs.class(seat), own));
        let mut text = format!("{}: {}, {}", seat_name(view, seat), obs.class(seat), place(obs, seat));
        if obs.is_fresh(seat) && !own {
            text += &format!(", {}", fresh_words(obs));
        }
        if let Some(seen) = obs.sighting(seat) {
            let mark = if seen.exact { "" } else { "?" };
            text += &format!(", {}{mark} cannons", seen.mounted);
        }
        let item = scene.text(x + 56.0, y + 24.0, 16.5, text);
        if own {
            item.bold();
        }
        item.fill(TITLE).cut(PANEL - 66.0);
        y += SHIP_ROW;
        if let Some(lines) = hold_lines(obs, seat) {
            for line in lines {
                scene.text(x + 56.0, y + 9.0, 16.5, line).fill(QUIET).cut(PANEL - 66.0);
                y += HOLD_ROW / 2.0;
            }
        }
    }
    y
}

fn column(x: f64, product: Product) -> f64 {
    x + LABEL + COLUMN * product.index() as f64
}

/// Draws a text at the right end of a product's column.
fn number(scene: &mut Scene, (x, y): (f64, f64), product: Product, size: f64, text: String) -> &mut Item {
    let text = scene.text(column(x, product) + COLUMN - 7.0, y + 16.0, size, text);
    text.fill(TITLE).anchor(Anchor::End)
}

fn draw_prices(scene: &mut Scene, view: &View<'_, Privateers>, x: f64, top: f64) -> f64 {
    let obs = &view.observation;
    let ports = obs.map().ports();
    let mut y = top;
    scene.rect(x, y, PANEL, prices_height(view) - 14.0).fill(CARD).stroke(palette::LINE, 1.0).corner(6.0);
    scene.text(x + 10.0, y + 16.0, 14.0, "prices").fill(TITLE).bold();
    for product in Product::ALL {
        // Product names have the size of the ranges, because larger ones would touch.
        number(scene, (x, y), *product, 12.5, product.to_string()).bold().fit(COLUMN - 1.0);
    }
    y += PRICE_ROW;
    scene.text(x + 10.0, y + 16.0, 12.5, "range").fill(QUIET);
    for product in Product::ALL {
        let range = obs.game().price_range(*product);
        let text = format!("{}–{}", range.min, range.max);
        number(scene, (x, y), *product, 12.5, text).fill(QUIET).fit(COLUMN - 2.0);
    }
    y += PRICE_ROW;
    let here = match view.viewer {
        Viewer::Seat(seat) if obs.has_begun() && obs.lives(seat) => obs.port(seat),
        _ => None,
    };
    let mut unknown = Vec::new();
    for port in 0..ports {
        if !obs.sees_port(port) {
            unknown.push(obs.map().label(port).to_string());
            continue;
        }
        if here == Some(port) {
            scene.rect(x + 2.0, y, PANEL - 4.0, PRICE_ROW).fill(HERE);
        }
        scene.text(x + 10.0, y + 16.0, 14.0, obs.map().label(port).to_string()).fill(TITLE).bold();
        for product in Product::ALL {
            let Some(price) = obs.price(port, *product) else { continue };
            let range = obs.game().price_range(*product);
            // Prices in the outer thirds of the range are coloured.
            let share =
                f64::from(price.saturating_sub(range.min)) / f64::from((range.max - range.min).max(1));
            if share <= 0.34 || share >= 0.66 {
                let tint = if share <= 0.34 { CHEAP } else { EXPENSIVE };
                let cell = scene.rect(column(x, *product) + 6.0, y + 2.0, COLUMN - 8.0, PRICE_ROW - 4.0);
                cell.fill(tint).corner(3.0);
            }
            number(scene, (x, y), *product, 13.5, price.to_string());
        }
        y += PRICE_ROW;
    }
    if !unknown.is_empty() {
        let text = format!("not seen yet: {}", unknown.join(" "));
        scene.text(x + 10.0, y + 16.0, 12.5, text).fill(palette::MUTED).fit(PANEL - 20.0);
        y += PRICE_ROW;
    }
    y
}

fn draw_trades(scene: &mut Scene, view: &View<'_, Privateers>, x: f64, top: f64) -> f64 {
    let mut y = top;
    for (name, make) in trade_rows(view) {
        scene.text(x + 10.0, y + 16.0, 12.5, name).fill(TITLE);
        for product in Product::ALL {
            let action = make(*product);
            if !view.legal.contains(&action) {
                continue;
            }
            let left = column(x, *product) + 6.0;
            let button = scene.rect(left, y, COLUMN - 8.0, PRICE_ROW);
            button.fill(palette::SPOT.lighter(0.82)).stroke(palette::SPOT, 1.2).corner(4.0);
            button.action(action.to_string()).tooltip(action.to_string());
            let sign = match action {
                Action::Buy(_) => "+1",
                Action::BuyMax(_) => "+max",
                Action::Sell(_) => "–1",
                _ => "–all",
            };
            scene
                .text(left + COLUMN / 2.0 - 4.0, y + PRICE_ROW / 2.0, 12.5, sign)
                .fill(TITLE)
                .bold()
                .centered();
        }
        y += PRICE_ROW + 3.0;
    }
    y
}

fn draw_buttons(scene: &mut Scene, view: &View<'_, Privateers>, x: f64, top: f64) {
    let width = (PANEL - 16.0) / 3.0;
    for (index, action) in buttons(view).into_iter().enumerate() {
        let left = x + (index % 3) as f64 * (width + 8.0);
        let y = top + (index / 3) as f64 * (BUTTON + 8.0);
        let attack = matches!(action, Action::Attack(_) | Action::Discard(_) | Action::Retire);
        let color = if attack { palette::DANGER } else { palette::SPOT };
        let button = scene.rect(left, y, width, BUTTON);
        button.fill(color.lighter(0.82)).stroke(color, 1.4).corner(6.0);
        button.action(action.to_string()).tooltip(action.to_string());
        let text = match action {
            Action::EndTurn if view.observation.stage() == Stage::Loot => "go on".to_owned(),
            Action::EndTurn => "end the turn".to_owned(),
            other => other.to_string(),
        };
        scene
            .text(left + width / 2.0, y + BUTTON / 2.0, 14.0, text)
            .fill(TITLE)
            .bold()
            .fit(width - 12.0)
            .centered();
    }
}
