//! The panel beside the map: scores, piles, moves, cards, and buttons for actions without a place on the map.

use meeple_core::View;
use meeple_scene::{Anchor, Color, Scene, palette, text_width};

use crate::action::Action;
use crate::cards::Effect;
use crate::game::Cartolan;
use crate::state::Step;
use crate::tiles::Back;
use crate::variant::MarginRule;

pub(super) const PANEL: f64 = 6.4;
const LEFT: f64 = 0.3;
const WIDTH: f64 = PANEL - 2.0 * LEFT;
const BUTTON: Color = Color::hex("#e3ecf7");
/// Size of the smallest text that is legible on a phone.
const SMALL: f64 = 0.22;
/// Grey that is legible on paper.
const QUIET: Color = Color::hex("#5f646a");

/// Right ends of the columns of the score table.
const VAULT: f64 = 3.45;
const CHESTS: f64 = 4.4;
const AGENTS: f64 = 5.3;
const SHIPS: f64 = 6.1;

fn table(scene: &mut Scene, view: &View<'_, Cartolan>, top: f64) -> f64 {
    let observation = &view.observation;
    let mut y = top;
    for (x, text) in [(VAULT, "Vault"), (CHESTS, "Chests"), (AGENTS, "Agents"), (SHIPS, "Ships")] {
        scene.text(x, y, SMALL, text).anchor(Anchor::End).fill(QUIET);
    }
    y += 0.12;
    for (seat, player) in observation.players().iter().enumerate() {
        let turn =
            usize::from(observation.turn().seat) == seat && !matches!(observation.step(), Step::Over(_));
        if turn {
            scene.rect(LEFT - 0.1, y, WIDTH + 0.2, 0.46).corner(0.06).fill(BUTTON);
        }
        scene.rect(LEFT, y + 0.09, 0.28, 0.28).corner(0.05).fill(palette::seat_color(seat));
        let name = view.players.get(seat).map_or("", |player| player.name.as_str());
        let name = if name.is_empty() { format!("seat {seat}") } else { name.to_owned() };
        scene.text(LEFT + 0.4, y + 0.32, 0.25, name).cut(1.95);
        let numbers = [
            (VAULT, player.vault, true),
            (CHESTS, player.chests(), false),
            (AGENTS, u32::from(player.agents_placed), false),
            (SHIPS, u32::from(player.adventurers), false),
        ];
        for (x, number, bold) in numbers {
            let text = scene.text(x, y + 0.32, 0.27, number.to_string());
            text.anchor(Anchor::End);
            if bold {
                text.bold();
            }
        }
        y += 0.46;
        if observation.variant().cards {
            y = cards(scene, view, seat, y);
        }
    }
    y
}

fn cards(scene: &mut Scene, view: &View<'_, Cartolan>, seat: usize, top: f64) -> f64 {
    let observation = &view.observation;
    let player = &observation.players()[seat];
    let mut y = top;
    for (number, (one, _)) in player.crew().enumerate() {
        let mut parts: Vec<String> = one.person.iter().map(|card| card.cards().person.to_owned()).collect();
        parts.extend(one.gear.iter().map(|card| card.cards().thing.to_owned()));
        parts.extend((0..one.charts).map(|which| format!("map {}", observation.chart(one, which))));
        if !parts.is_empty() {
            let text = format!("{seat}.{number} {}", parts.join(" · "));
            y = lines(scene, &text, y);
        }
    }
    let size = observation.hand_size(seat);
    if size > 0 {
        let held: Vec<&str> = observation.hand(seat).map_or(Vec::new(), |hand| {
            let counts = Effect::ALL.iter().zip(hand);
            counts.filter(|(_, count)| **count > 0).map(|(effect, _)| effect.cards().thing).collect()
        });
        let text = match held.is_empty() {
            true => format!("{size} Technologies in hand"),
            false => format!("in hand: {}", held.join(", ")),
        };
        y = lines(scene, &text, y);
    }
    y + 0.06
}

fn lines(scene: &mut Scene, text: &str, top: f64) -> f64 {
    broken(scene, (LEFT + 0.4, top), text, SMALL, false)
}

/// Draws a text wrapped at words, from `x` to the right edge. Returns its lower end.
fn broken(scene: &mut Scene, (x, top): (f64, f64), text: &str, size: f64, bold: bool) -> f64 {
    let width = LEFT + WIDTH - x;
    let mut y = top;
    let mut line = String::new();
    let mut print = |line: &mut String| {
        let item = scene.text(x, y + 0.17, size, std::mem::take(line));
        if bold {
            item.bold();
        }
        item.fit(width);
        y += 0.28;
    };
    for word in text.split(' ') {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if !line.is_empty() && text_width(&longer, size, bold) > width {
            print(&mut line);
            word.clone_into(&mut line);
        } else {
            line = longer;
        }
    }
    print(&mut line);
    y
}

fn pile(scene: &mut Scene, (x, y): (f64, f64), back: Back, left: u16, discards: u16) {
    let color = if back == Back::Water { palette::WATER } else { palette::GRASS };
    for lift in [0.1, 0.05, 0.0] {
        scene.rect(x + lift, y - lift, 0.6, 0.6).corner(0.05).fill(color).stroke(color.darker(0.35), 0.02);
    }
    scene.text(x + 0.3, y + 0.3, 0.26, left.to_string()).bold().centered();
    scene.text(x + 0.8, y + 0.26, SMALL, format!("{back} tiles"));
    scene.text(x + 0.8, y + 0.54, SMALL, format!("{discards} discarded")).fill(QUIET);
}

/// Draws one pip per move, made or left.
fn meter(scene: &mut Scene, view: &View<'_, Cartolan>, y: f64) {
    let observation = &view.observation;
    let turn = observation.turn();
    let limits = observation.limits();
    let kinds = [(turn.land, palette::EARTH), (turn.upwind, palette::DANGER), (turn.downwind, palette::SPOT)];
    let mut made = kinds.iter().flat_map(|(count, color)| (0..*count).map(move |_| *color));
    for pip in 0..limits.moves.max(turn.total()) {
        let x = LEFT + 0.14 + 0.36 * f64::from(pip);
        match made.next() {
            Some(color) => scene.circle(x, y, 0.12).fill(color),
            None => scene.circle(x, y, 0.12).outline(QUIET, 0.025),
        };
    }
    let x = LEFT + 0.2 + 0.36 * f64::from(limits.moves);
    let text = format!("land {}/{}, upwind {}/{}", turn.land, limits.land, turn.upwind, limits.upwind);
    scene.text(x, y + 0.08, SMALL, text).fill(QUIET).fit(PANEL - x - LEFT);
}

fn label(view: &View<'_, Cartolan>, action: Action) -> Option<String> {
    let observation = &view.observation;
    let v = observation.variant();
    Some(match action {
        Action::Go(_) | Action::Gust(_) | Action::Wait | Action::HireAgent { .. } | Action::Relocate(_) => {
            return None;
        }
        Action::Bank(wealth) | Action::Send(wealth) => wealth.to_string(),
        Action::End => "end the turn".into(),
        Action::Trade => format!("trade (+{})", v.trade),
        Action::Collect => "collect from the Agent".into(),
        Action::Rest => "rest at the Agent".into(),
        Action::Place => "place an Agent".into(),
        Action::Restore => format!("restore the Agent (−{})", v.price_restore),
        Action::HireAdventurer => format!("hire an Adventurer (−{})", v.price_adventurer),
        Action::Equip(effect) => format!("use {}: {}", effect.cards().thing, effect.cards().rule),
        Action::Name(effect) => format!("{}: {}", effect.cards().person, effect.cards().rule),
        Action::Chart(which) => format!("try {}", observation.chart(observation.hero(), which)),
        Action::Drop(which) => format!("put {} away", observation.chart(observation.hero(), which)),
        Action::Wealth => "take the wealth".into(),
        Action::Card => "draw a Discovery card".into(),
        Action::Done if observation.step() == Step::Buy => "buy nothing more".into(),
        Action::Done => "nothing more here".into(),
        other => other.to_string(),
    })
}

fn buttons(scene: &mut Scene, view: &View<'_, Cartolan>, top: f64) -> f64 {
    let (mut x, mut y) = (LEFT, top);
    for action in view.legal {
        let Some(text) = label(view, *action) else { continue };
        let narrow = matches!(action, Action::Bank(_) | Action::Send(_));
        let width = if narrow { 0.62 } else { WIDTH };
        if narrow && x + width > LEFT + WIDTH + 0.01 {
            (x, y) = (LEFT, y + 0.5);
        }
        let danger = matches!(action, Action::Attack { .. } | Action::AttackAgent | Action::Court);
        let edge = if danger { palette::DANGER } else { palette::SPOT };
        let button = scene.rect(x, y, width - 0.06, 0.42);
        button.corner(0.08).fill(BUTTON).stroke(edge, 0.025).action(action.to_string()).tooltip(text.clone());
        scene.text(x + width / 2.0 - 0.03, y + 0.21, 0.22, text).fit(width - 0.2).centered();
        if narrow { x += width } else { y += 0.5 }
    }
    if x > LEFT { y + 0.5 } else { y }
}

/// A part of the panel, in the panel's units.
pub(super) struct Piece {
    /// The name; `None` for parts that web pages show in another way.
    pub name: Option<&'static str>,
    pub scene: Scene,
    pub top: f64,
    pub bottom: f64,
}

/// An empty panel without background.
fn blank() -> Scene {
    let mut scene = Scene::new(PANEL, 0.0);
    scene.background = None;
    scene
}

pub(super) fn draw(view: &View<'_, Cartolan>) -> Vec<Piece> {
    let observation = &view.observation;
    let mut scene = blank();
    let over = matches!(observation.step(), Step::Over(_));
    scene.text(LEFT, 0.55, 0.38, format!("Round {}", observation.round())).bold();
    let margin = observation.variant().margin;
    let enough = match observation.variant().margin_rule {
        MarginRule::Strict => "above",
        MarginRule::Inclusive => "from",
    };
    let lead = format!("lead {} · wins {enough} {margin}", observation.lead());
    scene.text(PANEL - LEFT, 0.55, SMALL, lead).anchor(Anchor::End).fill(QUIET);
    let mut y = table(&mut scene, view, 1.0) + 0.25;
    let water = observation.pile(Back::Water);
    pile(&mut scene, (LEFT, y), Back::Water, water.left(), water.discards_sum);
    if observation.variant().inland {
        let land = observation.pile(Back::Land);
        pile(&mut scene, (LEFT + 3.0, y), Back::Land, land.left(), land.discards_sum);
    }
    y += 0.95;
    if !over {
        meter(&mut scene, view, y + 0.1);
        y += 0.5;
    }
    y = broken(&mut scene, (LEFT, y), &crate::screen::question(observation), 0.23, true) + 0.12;
    let mut pieces = vec![Piece { name: Some("players"), scene, top: 0.0, bottom: y }];
    let mut scene = blank();
    let top = y;
    y = buttons(&mut scene, view, y);
    if y > top {
        pieces.push(Piece { name: Some("decision"), scene, top: top - 0.05, bottom: y });
    }
    let (mut scene, top) = (blank(), y);
    for event in &view.events[view.events.len().saturating_sub(5)..] {
        y += 0.3;
        scene.text(LEFT, y, SMALL, event.to_string()).cut(WIDTH).fill(QUIET);
    }
    pieces.push(Piece { name: None, scene, top, bottom: y + 0.4 });
    pieces
}
