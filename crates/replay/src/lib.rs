//! Stored episodes as people see them, for every host: files of the command line, uploads of the server.
//!
//! * [`read_text`] and [`parse`] make a [`Replay`](meeple_core::Replay) and its game of bytes that may be anything.
//! * [`Moments`] says what of an episode is worth a picture, and [`may_hear`] what a viewer may be told.
//! * [`FaultLog`] tells which decisions were not the players' own, and why.
//! * [`moment`] is one moment by its number, which is the same everywhere.
//! * [`panels`] are the parts of a drawing as pages show them.
//! * [`Page`] is a whole episode as HTML with a player: alone in a file, or on a page of somebody else's.
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
pub use page::{PLAYER_SCRIPT, Page, Surroundings};
pub use panels::{Panel, Place, panels};
pub use read::{ReadError, compressed, parse, parse_viewer, read_text};
pub use watch::{Moments, News, may_hear};
