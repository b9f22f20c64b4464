//! Presentation of stored episodes, for the command line (files) and the server (uploads).
//!
//! * [`read_text`] and [`parse`] turn untrusted bytes into a [`Replay`](meeple_core::Replay) and its game.
//! * [`MomentWatcher`] selects the moments that get a picture. [`may_hear`] tests whether a viewer may learn
//!   a decision.
//! * [`FaultLog`] reports the faults that led to fallback actions, with their reasons.
//! * [`moment`] returns one moment by its number, which is the same everywhere.
//! * [`panels`] are the parts of a drawing as shown on pages.
//! * [`Page`] is an episode as an HTML page with playback controls. A file holds the whole episode. A page
//!   of a server holds a [`Portion`] within a [`PageBudget`], and its script requests the other portions.
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
pub use page::{PLAYER_SCRIPT, Page, PageBudget, PageSurroundings, Portion};
pub use panels::{DrawingPanel, PanelPlacement, panels};
pub use read::{ReadError, compressed, parse, parse_viewer, read_text, unpacked_length};
pub use watch::{MomentWatcher, StepEvents, may_hear};
