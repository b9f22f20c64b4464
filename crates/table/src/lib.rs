//! A live table: one game that people and agents play, for a host that has the network, the clock and the storage.
//!
//! * [`Table`] takes what happens at it: answers, people who come and go. What it accepts it writes down as [`Entry`]s;
//!   [`Table::rebuild`] makes the same table of them again, with the same numbers and the same frames.
//! * A *draft* is what a person tries out, step by step, before anybody else sees it ([`Table::draft`]). It is no part of
//!   the record before it is confirmed, and then the same record as if its steps had been given one by one.
//! * [`Frame`] is all that one viewer is shown, made of what this viewer may know.
//! * [`Patch`] is what changes from one frame of a viewer to the next; a [`Ring`] keeps some, for who comes back,
//!   and of the frames themselves hashes alone.
//! * [`Thought`] is an agent's decision that is due. It is taken apart from the table, so that a host can let it think
//!   elsewhere, and depends on the table's seed and the question alone: a rebuilt table goes on the same.
//! * [`Clocks`] count the time that people have, told the time by whoever has a clock. A table knows nothing of them.
//!
//! Arrows point from `table` to `draft`, `thought`, `order` and `patch`, from there to `trace`, `frame`, `symbols`,
//! `mark` and `entry`; `clock` stands alone. The crate is pure: no files, clock, threads or printing.

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
    Ask, Drafted, DraftedStep, Ending, Frame, LogLine, Moment, SeatLine, Suggestion, Surroundings,
};
pub use mark::{mark, marks};
pub use order::{DraftOrder, Reply};
pub use patch::{Change, Patch, Ring, SeatChange};
pub use symbols::with_symbols;
pub use table::{Act, Broken, OpenError, Refused, Table};
pub use thought::Thought;
