//! The tests of the bot host, one binary.

// Tests look at files, processes and clocks.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

mod adapter;
mod checks;
mod episodes;
mod hostile;
mod levels;
mod listing;
mod messages;
mod processes;
mod renewal;
mod staging;
mod support;
mod targets;
mod used_time;
