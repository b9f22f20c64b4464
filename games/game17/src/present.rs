//! Presentation of the game, and typed input.

use meeple_core::{Composition, PlayerLabel, Present, Seat, View};
use meeple_scene::{Color, Key, Scene, Screen};

use crate::action::Action;
use crate::game::Game17;

impl Present for Game17 {
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        crate::draw::draw(view)
    }

    fn legend(&self, players: &[PlayerLabel]) -> Vec<Key> {
        crate::draw::legend(players)
    }

    fn player_color(&self, seat: Seat, players: &[PlayerLabel]) -> Color {
        crate::style::BoardStyle::of_players(players).legend_color(seat.index() as u16)
    }

    fn screen(&self, view: &View<'_, Self>) -> Screen {
        crate::screen::screen(view)
    }

    fn read_input(&self, seen: &Self::Observation<'_>, text: &str) -> Result<Action, String> {
        crate::input::read(seen, text)
    }

    fn compose(&self, view: &View<'_, Self>, text: &str) -> Result<Option<Composition>, String> {
        crate::compose::compose(view, text)
    }
}
