//! The record of a tournament: one SQLite file, and one file of replays beside it.
//!
//! Episodes are stored in order and in transactions. Whatever moment a run is killed at, the file holds the
//! episodes from 0 on without a gap, and a run that goes on from there ends with the same results.
//!
//! One program writes a record (`claim`), any number read it meanwhile: SQLite's write-ahead log gives each the snapshot
//! of the moment at which it was opened.

mod check;
mod claim;
mod read;
mod record;
mod schema;
mod shape;
mod write;

pub use self::check::DATABASE;
pub(crate) use self::record::{CompetitorRow, FaultRow, RatingRow};
pub use self::record::{REPLAYS, Store};
