//! Live tables: one game of people and agents. The host provides network, clock and storage.
//!
//! * [`Table`] accepts events: answers, people who join and leave. It is event-sourced: accepted events are
//!   recorded as [`Entry`]s, and [`Table::rebuild`] replays them to the same table, with the same question
//!   numbers and frames.
//! * A *draft* ([`Table::draft`]) holds steps that only its own seat sees. It enters the record on
//!   confirmation, with the same entries as single steps.
//! * [`Frame`] is everything that one viewer sees, derived from the viewer's own knowledge.
//! * [`Patch`] is the change from one frame of a viewer to the next. A [`Ring`] keeps recent patches for
//!   viewers that reconnect, and only hashes of the frames.
//! * [`Thought`] is a pending decision of an agent, detached from the table so that a host can compute it
//!   elsewhere. It depends only on the table's seed and the question, so a rebuilt table continues in the
//!   same way.
//! * [`Clocks`] count the thinking time of people. The host passes the current time. Clocks are independent
//!   of the table.
//!
//! The crate is pure: no files, clock, threads or printing.

#![warn(missing_docs)]

mod clock;
mod draft;
mod entry;
mod frame;
mod mark;
mod order;
mod patch;
mod symbols;
mod table;
mod thought;
mod trace;

pub use clock::{Clocks, Left, NoTimeControl, RunOut, TimeControl};
pub use entry::{Entry, Holder, TableFault};
pub use frame::{
    Ask, Drafted, DraftedStep, Ending, Frame, FrameContext, FrameId, LogLine, SeatLine, Suggestion,
};
pub use mark::{mark, marks};
pub use order::{DraftOrder, Reply};
pub use patch::{Change, Patch, Ring, SeatChange};
pub use symbols::with_symbols;
pub use table::{Act, BrokenRecord, OpenError, Refused, Table};
pub use thought::Thought;
