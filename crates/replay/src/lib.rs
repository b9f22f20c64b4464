//! Stored episodes as people see them, for every host: files of the command line, uploads of the server.
//!
//! * [`read_text`] and [`parse`] make a [`Replay`](meeple_core::Replay) and its game of bytes that may be anything.
//! * [`Moments`] says what of an episode is worth a picture, and [`may_hear`] what a viewer may be told.
//! * [`FaultLog`] tells which decisions were not the players' own, and why.
//! * [`moment`] is one moment by its number, which is the same everywhere.
//! * [`panels`] are the parts of a drawing as pages show them.
//! * [`Page`] is an episode as HTML with a player: whole and alone in a file, or a [`Portion`] of it within a [`Budget`] on a page of
//!   somebody else's, whose script asks for the others.
//!
//! Files use those before them: `read`, `watch`, `names`, `faults`, `moment`, `panels`, `page`. The crate is pure: no files, clock or printing.

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
