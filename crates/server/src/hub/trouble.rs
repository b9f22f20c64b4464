//! What can go wrong at tables.

use meeple_table::Refused;
use thiserror::Error;

use crate::recorded::UploadError;
use crate::store::StoreError;

/// Why something could not be done at a table.
#[derive(Debug, Error)]
pub enum Trouble {
    /// There is no such table.
    #[error("there is no table '{0}' here\nhint: the list of tables is on the first page")]
    Unknown(String),
    /// The server has as many as it holds.
    #[error("expected at most {most} tables at once, found {most}\nhint: try again when some have ended")]
    Full {
        /// How many it holds.
        most: usize,
    },
    /// Somebody has used up what it may.
    #[error("{0}")]
    UsedUp(String),
    /// What was asked for cannot be played.
    #[error("{0}")]
    Setup(String),
    /// The table has refused it; nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// What comes after the end was asked for before it.
    #[error("the game is not over\nhint: come back when it is")]
    Playing,
    /// It could not be stored, and has not happened.
    #[error(
        "this could not be stored, and has not happened: {0}\nhint: try again; the operator should look at the disk"
    )]
    Unstored(String),
    /// The table has ended by a fault of ours.
    #[error(
        "this table has ended by a fault of meeple's own: {0}\nhint: its record is kept; please report it"
    )]
    Broken(String),
    /// The operator has ended the table.
    #[error("the operator of this server has ended this table: {0}\nhint: what was played is a replay")]
    Closed(String),
    /// Too many ask for replays at once.
    #[error("too many replays are asked for at once\nhint: try again in a moment")]
    Busy,
    /// There is no such replay.
    #[error("there is no replay '{0}' here\nhint: /replays shows those that are, and takes yours")]
    NoReplay(String),
    /// A replay is wrong, or there is no room for it.
    #[error(transparent)]
    Upload(#[from] UploadError),
    /// Something could not be shown by a fault of ours.
    #[error("this cannot be shown, by a fault of meeple's own: {0}\nhint: please report it")]
    Fault(String),
    /// The file cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}
