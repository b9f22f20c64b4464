//! The record of a tournament: a SQLite file, with a replay file beside it.
//!
//! Episodes are stored in order and in transactions. A run may be killed at any moment: the file then holds
//! the episodes from 0 on without gaps. A continued run ends with the same results.
//!
//! A record has one writer (`claim`) and any number of concurrent readers: SQLite's write-ahead log gives
//! each reader the snapshot of its opening.

mod check;
mod claim;
mod read;
mod record;
mod schema;
mod shape;
mod write;

pub use self::check::DATABASE;
pub(crate) use self::record::{CompetitorRow, FaultRow, RatingRow};
pub use self::record::{REPLAYS, RecordStore};
