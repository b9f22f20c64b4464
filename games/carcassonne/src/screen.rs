//! The table as text.
use meeple_core::View;
use meeple_scene::Screen;

use crate::rules::Carcassonne;

pub(crate) fn screen(_view: &View<'_, Carcassonne>) -> Screen {
    Screen::new()
}
