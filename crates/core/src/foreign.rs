//! Game records of other programs, as something to watch.

use meeple_scene::Screen;
use thiserror::Error;

/// A record of another program's format, checked and made visible by the game it belongs to.
pub struct ForeignRecord {
    /// What the record tells, in a line or more: length, end, winners.
    pub summary: String,
    /// The table at the start and after every move, oldest first; at least one. Drawn as they are asked for.
    pub frames: Box<dyn Iterator<Item = Screen>>,
}

/// Why a record of another program cannot be shown.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ForeignRecordError {
    /// The record is wrong: what was expected, what was found and where.
    #[error("{0}")]
    Record(String),
    /// What the user wanted of its look is wrong.
    #[error("{0}")]
    Look(String),
}
