//! Presentation of stored episodes, for every host: files of the command line, uploads of the server.
//!
//! * [`read_text`] and [`parse`] turn untrusted bytes into a [`Replay`](meeple_core::Replay) and its game.
//! * [`Moments`] selects the moments worth a picture, and [`may_hear`] the decisions that a viewer may learn.
//! * [`FaultLog`] reports the decisions that fallback actions took, with the reasons.
//! * [`moment`] is one moment by its number, which is the same everywhere.
//! * [`panels`] are the parts of a drawing as shown on pages.
//! * [`Page`] is an episode as HTML with a player. It is complete in a standalone file, or a [`Portion`]
//!   within a [`Budget`] on a host's page, whose script requests the other portions.
//!
//! The crate is pure: no files, clock or printing.

mod faults;
mod moment;
mod names;
mod page;
mod panels;
mod read;
mod watch;

pub use faults::FaultLog;
pub use moment::{Moment, count_moments, moment};
pub use names::Names;
pub use page::{Budget, PLAYER_SCRIPT, Page, Portion, Surroundings};
pub use panels::{Panel, Place, panels};
pub use read::{ReadError, compressed, parse, parse_viewer, read_text, unpacked_length};
pub use watch::{Moments, News, may_hear};
