//! Presentation of the game, and parsing of typed actions.

use meeple_core::{ActionPart, Level, PlayerLabel, Present, View};
use meeple_scene::{Key, Scene, Screen};

use crate::action::Action;
use crate::event::Event;
use crate::game::IncanGold;

impl Present for IncanGold {
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        crate::draw::draw(view)
    }

    fn legend(&self, _players: &[PlayerLabel]) -> Vec<Key> {
        crate::draw::legend()
    }

    fn screen(&self, view: &View<'_, Self>) -> Screen {
        crate::screen::screen(view)
    }

    fn event_level(event: &Event) -> Level {
        match event {
            Event::RoundStarted { .. } => Level::Round,
            _ => Level::Turn,
        }
    }

    fn action_parts(&self, view: &View<'_, Self>, action: &Action) -> Vec<ActionPart> {
        crate::parts::parts(view, action)
    }

    fn read_input(&self, _seen: &Self::Observation<'_>, text: &str) -> Result<Action, String> {
        crate::input::read(text)
    }
}
