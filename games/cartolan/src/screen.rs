//! The table as text for a terminal, and what a person may type.

use meeple_core::View;
use meeple_scene::Screen;

use crate::action::Action;
use crate::rules::Cartolan;

/// What a person may type.
pub(crate) const HELP: &str = "go n (or just n): leave the tile to the north; so with e, s, w.";

pub(crate) fn read(text: &str) -> Result<Action, String> {
    text.trim().parse()
}

pub(crate) fn screen(view: &View<'_, Cartolan>) -> Screen {
    let _ = view;
    Screen::new()
}
