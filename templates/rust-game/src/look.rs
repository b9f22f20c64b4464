//! The table as a drawing for pages, and as text for terminals.

use meeple_core::{Present, Seat, View};
use meeple_scene::{Ink, Scene, Screen, palette};

use crate::{Choice, Observation, TemplateGame};

/// Width of the drawing: a page shows it unscaled down to 390 pixels.
const WIDTH: f64 = 390.0;
/// Height of the line of a seat.
const ROW: f64 = 58.0;

/// Queries about the dice and the status of seats.
impl Observation {
    /// The die of a seat, if it is rolled and the viewer sees it.
    pub fn die(&self, seat: Seat) -> Option<u8> {
        Some(self.0.dice[seat.index()]).filter(|die| *die > 0)
    }

    /// The die that a seat showed in the last showdown; `None` if it folded.
    fn shown(&self, seat: Seat) -> Option<u8> {
        Some(self.0.shown[seat.index()]).filter(|die| *die > 0)
    }

    fn status(&self, seat: Seat) -> &'static str {
        match self.0.choices[seat.index()] {
            Some(Choice::Stay) => "stays",
            Some(Choice::Fold) => "folds",
            None => "",
        }
    }

    fn heading(&self) -> String {
        format!("Finished rounds: {}", self.0.round)
    }
}

fn name<'a>(view: &'a View<'_, TemplateGame>, seat: Seat) -> &'a str {
    view.players.get(seat.index()).map_or("", |player| player.name.as_str())
}

/// The die as people read it: `?` below a cup.
fn face(die: Option<u8>) -> String {
    die.map_or("?".to_owned(), |die| die.to_string())
}

impl Present for TemplateGame {
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        let seen = &view.observation;
        let height = 50.0 + ROW * self.seats as f64;
        let mut scene = Scene::new(WIDTH, height + if view.legal.is_empty() { 0.0 } else { 60.0 });
        scene.title = "Template game".to_owned();
        scene.description = seen.heading();
        scene.text(16.0, 32.0, 20.0, seen.heading()).bold();
        for seat in Seat::all(self.seats) {
            let y = 50.0 + ROW * seat.index() as f64;
            let color = palette::seat_color(seat.index());
            scene.rect(16.0, y, 48.0, 48.0).fill(color).corner(8.0);
            scene.text(40.0, y + 24.0, 24.0, face(seen.die(seat))).fill(color.contrasting()).bold().centered();
            scene.text(78.0, y + 20.0, 16.0, name(view, seat)).bold().fit(190.0);
            let last = seen.shown(seat).map_or("folded".to_owned(), |die| format!("showed {die}"));
            let last = if seen.0.round == 0 { String::new() } else { format!("last round: {last}") };
            scene.text(78.0, y + 41.0, 14.0, last).fill(palette::MUTED);
            scene.text(280.0, y + 20.0, 16.0, format!("{} points", seen.0.scores[seat.index()]));
            scene.text(280.0, y + 41.0, 14.0, seen.status(seat));
        }
        // A shape with the text of an action is a button.
        for (index, action) in view.legal.iter().enumerate() {
            let x = 16.0 + 185.0 * index as f64;
            scene
                .rect(x, height, 173.0, 46.0)
                .fill(palette::WHITE)
                .stroke(palette::INK, 1.5)
                .corner(8.0)
                .action(action.to_string());
            scene.text(x + 86.5, height + 23.0, 18.0, action.to_string()).centered();
        }
        scene
    }

    fn screen(&self, view: &View<'_, Self>) -> Screen {
        let seen = &view.observation;
        let mut screen = Screen::new();
        screen.line().push_ink(seen.heading(), Ink::plain().bold());
        for seat in Seat::all(self.seats) {
            let ink = Ink::fg(palette::seat_color(seat.index())).bold();
            screen.line().push_ink(format!("[{:>2}] {seat} {:<14}", face(seen.die(seat)), name(view, seat)), ink);
            screen.push(format!(" {:>4} points  {}", seen.0.scores[seat.index()], seen.status(seat)));
            if let Some(die) = seen.shown(seat) {
                screen.push_ink(format!("  (showed {die})"), Ink::plain().dim());
            }
        }
        screen
    }
}
