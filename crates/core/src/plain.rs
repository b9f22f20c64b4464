//! Drawings and screens for games that have none of their own yet.

use meeple_scene::{Color, Scene, Screen};

use crate::game::{Game, View, Viewer};

fn observation_lines<G: Game>(view: &View<'_, G>) -> Vec<String> {
    let text = serde_json::to_string_pretty(&view.observation).expect("observations serialise");
    text.lines().map(str::to_owned).collect()
}

fn heading<G: Game>(view: &View<'_, G>) -> String {
    match view.viewer {
        Viewer::Seat(seat) => {
            let player = view.players.get(seat.index()).map_or("", String::as_str);
            format!("{}, seen from seat {seat} {player}", G::INFO.name)
        }
        Viewer::Public => format!("{}, seen by everybody", G::INFO.name),
        Viewer::Everything => G::INFO.name.to_owned(),
    }
}

/// The observation as text and a button for every legal action.
pub(crate) fn draw<G: Game>(_game: &G, view: &View<'_, G>) -> Scene {
    let lines = observation_lines(view);
    let height = 40.0 + 16.0 * lines.len() as f64 + 30.0 * view.legal.len() as f64;
    let mut scene = Scene::new(480.0, height);
    scene.text(12.0, 22.0, 15.0, heading(view)).bold();
    for (row, line) in lines.iter().enumerate() {
        scene.text(12.0, 44.0 + 16.0 * row as f64, 12.0, line.as_str());
    }
    let top = 34.0 + 16.0 * lines.len() as f64;
    for (row, action) in view.legal.iter().enumerate() {
        let y = top + 30.0 * row as f64;
        let button = scene.rect(12.0, y, 456.0, 24.0);
        button.fill(Color(230, 236, 245)).stroke(Color(90, 100, 120), 1.0).corner(4.0);
        button.action(action.to_string());
        scene.text(240.0, y + 16.5, 12.0, action.to_string()).centered();
    }
    scene
}

/// The observation as text.
pub(crate) fn screen<G: Game>(_game: &G, view: &View<'_, G>) -> Screen {
    let mut screen = Screen::new();
    screen.line().push(heading(view));
    for line in observation_lines(view) {
        screen.line().push(line);
    }
    screen
}
