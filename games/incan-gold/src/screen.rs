//! The table as text.

use meeple_core::{Seat, View, Viewer};
use meeple_scene::{Color, Ink, Screen, palette};

use crate::card::Card;
use crate::rules::IncanGold;

const GOLD: Color = Color(230, 170, 30);
const DANGER: Color = Color(213, 94, 0);
const SAFE: Color = Color(0, 140, 110);

pub(crate) fn screen(view: &View<'_, IncanGold>) -> Screen {
    let observation = &view.observation;
    let rounds = u32::from(observation.variant().rounds);
    let mut screen = Screen::new();
    screen.line();
    if observation.round() > rounds {
        screen.push_ink("The game is over", Ink::plain().bold());
    } else {
        let title = format!("Round {} of {rounds}, turn {}", observation.round(), observation.turn());
        screen.push_ink(title, Ink::plain().bold());
        screen.push_ink(format!("   {} cards in the deck", observation.deck_size()), Ink::plain().dim());
    }

    screen.line().push("path      ");
    for card in observation.path() {
        match card {
            Card::Gem(value) => screen.push_ink(format!("[{value}] "), Ink::fg(GOLD).bold()),
            Card::Hazard(_) => screen.push_ink(format!("[{card}!] "), Ink::fg(DANGER).bold()),
            Card::Artifact => screen.push_ink("[artifact] ", Ink::fg(SAFE).bold()),
        };
    }
    if observation.path().is_empty() {
        screen.push_ink("(the temple is dark)", Ink::plain().dim());
    }

    screen.line().push(format!("on path   {} spare gems", observation.spare()));
    if observation.artifacts() > 0 {
        let worth = observation.artifact_worth(0);
        let count = observation.artifacts();
        let artifacts = if count == 1 { "artifact" } else { "artifacts" };
        screen.push(format!(", {count} {artifacts} worth {worth} to who leaves alone"));
    }
    danger_line(view, &mut screen);
    screen.blank();
    for seat in Seat::all(observation.seats()) {
        let name = view.players.get(seat.index()).map_or("", String::as_str);
        screen.line();
        let ink = Ink::fg(palette::seat_color(seat.index())).bold();
        screen.push_ink(format!(" {seat} {name:<14}"), ink);
        screen.push(format!(" tent {:>4}", observation.tent(seat)));
        if observation.explores(seat) {
            screen.push(format!("   backpack {:>3}", observation.backpack()));
        } else {
            screen.push_ink("   in the tent ", Ink::plain().dim());
        }
        if observation.artifacts_of(seat) > 0 {
            screen.push_ink(format!("   {} artifacts", observation.artifacts_of(seat)), Ink::fg(SAFE));
        }
        if view.viewer == Viewer::Seat(seat) {
            screen.push("   <- you");
        }
    }
    screen
}

/// How likely the next card ends the round.
fn danger_line(view: &View<'_, IncanGold>, screen: &mut Screen) {
    let observation = &view.observation;
    let deadly: u32 = observation
        .deck()
        .filter(|(card, _)| matches!(card, Card::Hazard(kind) if observation.hazard_seen(*kind)))
        .map(|(_, count)| count)
        .sum();
    if observation.deck_size() > 0 {
        let percent = 100.0 * f64::from(deadly) / f64::from(observation.deck_size());
        let ink = if deadly > 0 { Ink::fg(DANGER) } else { Ink::fg(SAFE) };
        screen.line().push("danger    ");
        let text = format!("{deadly} of {} cards end the round ({percent:.0} %)", observation.deck_size());
        screen.push_ink(text, ink);
    }
}
