//! The chart for a terminal.
use crate::rules::Privateers;
use meeple_core::View;
use meeple_scene::Screen;
pub(crate) fn screen(_game: &Privateers, _view: &View<'_, Privateers>) -> Screen {
    Screen::new()
}
