//! The table as text.

use meeple_core::{Seat, View, Viewer};
use meeple_scene::{Color, Ink, Part, Screen, palette};

use crate::card::Card;
use crate::game::IncanGold;
use crate::table::{Table, count, deadly_cards};

const GOLD: Color = Color(230, 170, 30);
const DANGER: Color = Color(213, 94, 0);
const SAFE: Color = Color(0, 140, 110);

pub(crate) fn screen(view: &View<'_, IncanGold>) -> Screen {
    let observation = &view.observation;
    let table = Table::of(view);
    let mut screen = Screen::new();
    screen.line().push_ink(&*table.heading, Ink::plain().bold());
    if table.goes_on {
        let deck = format!("   {} in the deck", count(observation.deck_size(), "card"));
        screen.push_ink(deck, Ink::plain().dim());
    }

    screen.line().push("path      ");
    for card in &*table.path {
        match card {
            Card::Gem(value) => screen.push_ink(format!("[{value}] "), Ink::fg(GOLD).bold()),
            Card::Hazard(_) => screen.push_ink(format!("[{card}!] "), Ink::fg(DANGER).bold()),
            Card::Artifact => screen.push_ink("[artifact] ", Ink::fg(SAFE).bold()),
            Card::PrintedArtifact(worth) => {
                screen.push_ink(format!("[artifact {worth}] "), Ink::fg(SAFE).bold())
            }
        };
    }
    if table.path.is_empty() {
        screen.push_ink("(the temple is dark)", Ink::plain().dim());
    }

    if table.goes_on {
        screen.line().push(format!("on path   {}", count(observation.spare(), "spare gem")));
        if observation.artifacts() > 0 {
            let (artifacts, worth) =
                (count(observation.artifacts(), "artifact"), observation.artifact_worth(0));
            screen.push(format!(", {artifacts} worth {worth} to who leaves alone"));
        }
        danger_line(view, &mut screen);
    }
    screen.panel(Part::Side);
    for seat in Seat::all(observation.seats()) {
        let name = view.players.get(seat.index()).map_or("", |player| player.name.as_str());
        screen.line();
        let ink = Ink::fg(palette::seat_color(seat.index())).bold();
        screen.push_ink(format!(" {seat} {name:<14}"), ink);
        screen.push(format!(" tent {:>4}", observation.tent(seat)));
        if table.goes_on && observation.explores(seat) {
            screen.push(format!("   backpack {:>3}", observation.backpack()));
        } else {
            screen.push_ink(format!("   {}", table.whereabouts(seat)), Ink::plain().dim());
        }
        if observation.artifacts_of(seat) > 0 {
            screen
                .push_ink(format!("   {}", count(observation.artifacts_of(seat), "artifact")), Ink::fg(SAFE));
        }
        if view.viewer == Viewer::Seat(seat) {
            screen.push("   <- you");
        }
    }
    screen
}

/// Prints the probability that the next card ends the round.
fn danger_line(view: &View<'_, IncanGold>, screen: &mut Screen) {
    let observation = &view.observation;
    let deadly = deadly_cards(observation);
    if observation.deck_size() > 0 {
        let percent = 100.0 * f64::from(deadly) / f64::from(observation.deck_size());
        let ink = if deadly > 0 { Ink::fg(DANGER) } else { Ink::fg(SAFE) };
        screen.line().push("danger    ");
        let text = format!("{deadly} of {} cards end the round ({percent:.0} %)", observation.deck_size());
        screen.push_ink(text, ink);
    }
}
