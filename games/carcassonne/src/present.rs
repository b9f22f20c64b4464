//! Presentation of the game, and typed input.

use meeple_core::{ActionPart, PlayerLabel, Present, View};
use meeple_scene::{Key, Scene, Screen};

use crate::action::Action;
use crate::game::Carcassonne;

impl Present for Carcassonne {
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        crate::draw::draw(view)
    }

    fn legend(&self, _players: &[PlayerLabel]) -> Vec<Key> {
        crate::draw::legend()
    }

    fn screen(&self, view: &View<'_, Self>) -> Screen {
        crate::screen::screen(view)
    }

    fn action_parts(&self, view: &View<'_, Self>, action: &Action) -> Vec<ActionPart> {
        crate::parts::parts(view, action)
    }

    fn read_input(&self, _seen: &Self::Observation<'_>, text: &str) -> Result<Action, String> {
        crate::input::read(text)
    }
}
