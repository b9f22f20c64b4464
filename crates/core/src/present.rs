//! Presentation of a game to people, and parsing of their input.

use std::str::FromStr;

use meeple_scene::{Color, Key, Scene, Screen, palette};

use crate::episode::Episode;
use crate::event::Level;
use crate::game::Game;
use crate::label::PlayerLabel;
use crate::parts::{ActionPart, Composition};
use crate::phase::Viewer;
use crate::seat::Seat;

/// Input of a drawing or a terminal screen.
pub struct View<'a, G: Game> {
    /// Point of view.
    pub viewer: Viewer,
    /// The viewer's observation.
    pub observation: G::Observation<'a>,
    /// Actions that may be clicked or typed now. Empty if the viewer owes no decision, and for structured
    /// actions.
    pub legal: &'a [G::Action],
    /// The events that the viewer has seen, oldest first.
    pub events: &'a [&'a G::Event],
    /// Labels of the players, by seat.
    pub players: &'a [PlayerLabel],
}

/// Presentation of a game: drawings, terminal screens and typed input. The defaults suffice to play and watch
/// a new game.
pub trait Present: Game {
    /// The table as a drawing. Shapes that represent a legal action carry its text form. The default is a
    /// sheet with the observation as text and one button per action.
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        draw_plain(self.info().name, view)
    }

    /// Meanings of shapes and colours in the drawing, in the order in which a beginner asks for them. The
    /// colours of players are not included; see [`player_color`](Self::player_color).
    fn legend(&self, players: &[PlayerLabel]) -> Vec<Key> {
        let _ = players;
        Vec::new()
    }

    /// The colour of a seat's items in the drawing.
    fn player_color(&self, seat: Seat, players: &[PlayerLabel]) -> Color {
        let _ = players;
        palette::seat_color(seat.index())
    }

    /// The table as text for a terminal. The default prints the observation.
    fn screen(&self, view: &View<'_, Self>) -> Screen {
        plain_screen(self.info().name, view)
    }

    /// Importance of an event for spectators.
    fn event_level(event: &Self::Event) -> Level {
        let _ = event;
        Level::Turn
    }

    /// Parses a person's input as an action, given the observation that the person sees. The default is the
    /// action's text form; a game may accept more ("y" for "stay"). The action may still be illegal.
    ///
    /// # Errors
    /// A description of the expected input.
    fn read_input(&self, seen: &Self::Observation<'_>, text: &str) -> Result<Self::Action, String> {
        let _ = seen;
        text.trim().parse().map_err(|error: <Self::Action as FromStr>::Err| error.to_string())
    }

    /// A listed action as answers to small questions, so that people choose step by step among the legal
    /// actions; see [`ActionPart`]. The default uses the words of the action's text.
    ///
    /// The parts of all legal actions form a tree whose leaves are exactly these actions: part lists are
    /// distinct, and none is a prefix of another. Labels are non-empty and distinct among the answers to one
    /// question.
    fn action_parts(&self, view: &View<'_, Self>, action: &Self::Action) -> Vec<ActionPart> {
        let _ = view;
        ActionPart::of_text(&action.to_string())
    }

    /// A structured action in progress, with its possible next steps; see [`Composition`]. `text` is empty or
    /// the text of an [`Addition`](crate::Addition) at the same position. The default is `None`: people type
    /// such actions.
    ///
    /// The text of every addition is accepted, and `back` from there is `text` or an earlier step. The parts
    /// of additions follow the rules of [`action_parts`](Self::action_parts). Random additions eventually
    /// reach complete actions, which are legal.
    ///
    /// # Errors
    /// A description of the error in the text.
    fn compose(&self, view: &View<'_, Self>, text: &str) -> Result<Option<Composition>, String> {
        let _ = (view, text);
        Ok(None)
    }
}

impl<G: Game> Episode<G> {
    /// Calls `make` with the view of `viewer`, and returns its result.
    pub fn with_view<T>(
        &self,
        viewer: Viewer,
        players: &[PlayerLabel],
        make: impl FnOnce(&View<'_, G>) -> T,
    ) -> T {
        let events: Vec<&G::Event> = self.events().seen_by(viewer).collect();
        let legal = match viewer {
            Viewer::Seat(seat) => self.legal_actions(seat),
            Viewer::Public | Viewer::Everything => Vec::new(),
        };
        let observation = self.game().observe(self.state(), viewer);
        make(&View { viewer, observation, legal: &legal, events: &events, players })
    }
}

fn observation_lines<G: Game>(view: &View<'_, G>) -> Vec<String> {
    let text = serde_json::to_string_pretty(&view.observation).expect("observations serialise");
    text.lines().map(str::to_owned).collect()
}

fn heading<G: Game>(name: &str, view: &View<'_, G>) -> String {
    match view.viewer {
        Viewer::Seat(seat) => {
            let player = view.players.get(seat.index()).map_or("", |player| player.name.as_str());
            format!("{name}, seen from seat {seat} {player}")
        }
        Viewer::Public => format!("{name}, seen by everybody"),
        Viewer::Everything => name.to_owned(),
    }
}

fn draw_plain<G: Game>(name: &str, view: &View<'_, G>) -> Scene {
    let lines = observation_lines(view);
    let height = 40.0 + 16.0 * lines.len() as f64 + 30.0 * view.legal.len() as f64;
    let mut scene = Scene::new(480.0, height);
    scene.text(12.0, 22.0, 15.0, heading(name, view)).bold();
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

fn plain_screen<G: Game>(name: &str, view: &View<'_, G>) -> Screen {
    let mut screen = Screen::new();
    screen.line().push(heading(name, view));
    for line in observation_lines(view) {
        screen.line().push(line);
    }
    screen
}
