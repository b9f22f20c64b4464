//! Errors at tables.

use meeple_table::Refused;
use thiserror::Error;

use crate::recorded::UploadError;
use crate::store::StoreError;

/// Reasons why a request at a table fails.
#[derive(Debug, Error)]
pub enum Trouble {
    #[error("there is no table '{0}' here\nhint: the list of tables is on the first page")]
    Unknown(String),
    /// The limit of tables in memory is reached.
    #[error("expected at most {most} tables at once, found {most}\nhint: try again when some have ended")]
    Full { most: usize },
    #[error("{0}")]
    UsedUp(String),
    /// The request cannot be set up or played.
    #[error("{0}")]
    Setup(String),
    /// The table refused the action. Nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The request needs a finished game.
    #[error("the game is not over\nhint: come back when it is")]
    Playing,
    /// The change could not be stored and was discarded.
    #[error(
        "this could not be stored, and has not happened: {0}\nhint: try again; the operator should look at the disk"
    )]
    Unstored(String),
    /// The table is broken by an internal error.
    #[error(
        "this table has ended by a fault of meeple's own: {0}\nhint: its record is kept; please report it"
    )]
    Broken(String),
    /// The operator has closed the table.
    #[error("the operator of this server has ended this table: {0}\nhint: what was played is a replay")]
    Closed(String),
    #[error("too many replays are asked for at once\nhint: try again in a moment")]
    Busy,
    #[error("there is no replay '{0}' here\nhint: /replays shows those that are, and takes yours")]
    NoReplay(String),
    /// A replay is invalid, or the storage is full.
    #[error(transparent)]
    Upload(#[from] UploadError),
    /// An internal error while rendering.
    #[error("this cannot be shown, by a fault of meeple's own: {0}\nhint: please report it")]
    Fault(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}
