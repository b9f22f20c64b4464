//! Game records of other programs, for watching.

use meeple_scene::Screen;
use thiserror::Error;

/// A record in another program's format, checked and rendered by its game.
pub struct ForeignRecord {
    /// Summary in one or more lines: length, end, winners.
    pub summary: String,
    /// The table at the start and after every move, oldest first; at least one frame. The iterator draws
    /// lazily.
    pub frames: Box<dyn Iterator<Item = Screen>>,
}

/// Reason why a record of another program cannot be shown.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ForeignRecordError {
    /// Error in the record: expected, found and position.
    #[error("{0}")]
    Record(String),
    /// Error in the user's display options.
    #[error("{0}")]
    Look(String),
}
