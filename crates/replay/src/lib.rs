//! Presentation of stored episodes, for the command line (files) and the server (uploads).
//!
//! * [`read_text`] and [`parse`] turn untrusted bytes into a [`Replay`](meeple_core::Replay) and its game.
//! * [`Moments`] selects the moments worth a picture, and [`may_hear`] the decisions that a viewer may learn.
//! * [`FaultLog`] reports the faults of players, and who or what decided in their place.
//! * [`moment`] finds a moment by its number; all hosts number moments alike.
//! * [`panels`] are the parts of a drawing as shown on pages.
//! * [`Page`] is an episode as an HTML page with playback controls. A file holds the whole episode. A page
//!   of a server holds a [`Portion`] within a [`Budget`], and its script requests the other portions.
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
