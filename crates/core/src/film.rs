//! Game records of other programs, as something to watch.

use meeple_scene::Screen;

/// A record of another program's format, made visible by the game it belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Film {
    /// The table at the start and after every move, oldest first; never empty.
    pub frames: Vec<Screen>,
    /// What the record tells, in a few lines: length, end, winners.
    pub summary: String,
}
