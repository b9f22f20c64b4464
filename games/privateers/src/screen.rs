//! The chart for a terminal.
use meeple_core::View;
use meeple_scene::Screen;
use crate::rules::Privateers;
pub(crate) fn screen(_game: &Privateers, _view: &View<'_, Privateers>) -> Screen { Screen::new() }
