//! How a game is shown to people, and how it reads what they type.

use std::str::FromStr;

use meeple_scene::{Color, Key, Scene, Screen, palette};

use crate::episode::Episode;
use crate::event::Level;
use crate::game::Game;
use crate::label::PlayerLabel;
use crate::parts::{ActionPart, Composition};
use crate::phase::Viewer;
use crate::seat::Seat;

/// What a drawing or a terminal screen is made from.
pub struct View<'a, G: Game> {
    /// Who looks.
    pub viewer: Viewer,
    /// What is seen.
    pub observation: G::Observation<'a>,
    /// The actions that may be clicked or typed now; empty when the viewer owes nothing, or for structured
    /// actions.
    pub legal: &'a [G::Action],
    /// The events that the viewer has seen, oldest first.
    pub events: &'a [&'a G::Event],
    /// Who sits where, by seat.
    pub players: &'a [PlayerLabel],
}

/// How a game is shown: drawings, the screen of a terminal, and what people may type. Everything has a default, with
/// which a new game can be played and watched; the rules know nothing of it.
pub trait Present: Game {
    /// The table as a drawing. Shapes that stand for a legal action carry its text form. The default is a
    /// plain sheet with the observation as text and a button for every action.
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        draw_plain(self.info().name, view)
    }

    /// What shapes and colours of the drawing stand for, in the order in which somebody new would ask. Colours of
    /// players are not among it: see [`player_color`](Self::player_color).
    fn legend(&self, players: &[PlayerLabel]) -> Vec<Key> {
        let _ = players;
        Vec::new()
    }

    /// The colour in which what belongs to a seat is drawn.
    fn player_color(&self, seat: Seat, players: &[PlayerLabel]) -> Color {
        let _ = players;
        palette::seat_color(seat.index())
    }

    /// The table as text for a terminal. The default prints the observation.
    fn screen(&self, view: &View<'_, Self>) -> Screen {
        plain_screen(self.info().name, view)
    }

    /// How much an event matters to who watches.
    fn event_level(event: &Self::Event) -> Level {
        let _ = event;
        Level::Turn
    }

    /// Reads what a person typed as an action, at a table that the person sees so. The default is the action's
    /// text form; a game may accept more ("y" for "stay", "all" for what is there). The action may still be
    /// illegal.
    ///
    /// # Errors
    /// What was expected.
    fn read_input(&self, seen: &Self::Observation<'_>, text: &str) -> Result<Self::Action, String> {
        let _ = seen;
        text.trim().parse().map_err(|error: <Self::Action as FromStr>::Err| error.to_string())
    }

    /// A listed action as the answers to small questions, for who chooses it from the legal actions of a view: see
    /// [`ActionPart`]. The default takes the words of the action's text.
    ///
    /// The parts of all legal actions are a tree whose leaves are exactly these actions: no two have the same parts,
    /// and none ends where another goes on. Labels are not empty, and answers to one question have different ones.
    fn action_parts(&self, view: &View<'_, Self>, action: &Self::Action) -> Vec<ActionPart> {
        let _ = view;
        ActionPart::of_text(&action.to_string())
    }

    /// How a structured action that has come so far can go on: see [`Composition`]. `text` is empty or one that an
    /// [`Addition`](crate::Addition) has, at the same position. The default offers nothing: people type such actions.
    ///
    /// Every text of an addition is read, and `back` from there is `text`, or a step before it. Additions have parts as
    /// listed actions do. Who takes some at random comes to whole actions, and these are legal.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn compose(&self, view: &View<'_, Self>, text: &str) -> Result<Option<Composition>, String> {
        let _ = (view, text);
        Ok(None)
    }
}

impl<G: Game> Episode<G> {
    /// Calls `make` with the view of `viewer`.
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

/// The observation as text and a button for every legal action.
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

/// The observation as text.
fn plain_screen<G: Game>(name: &str, view: &View<'_, G>) -> Screen {
    let mut screen = Screen::new();
    screen.line().push(heading(name, view));
    for line in observation_lines(view) {
        screen.line().push(line);
    }
    screen
}
