//! The tests of the bot host, one binary.

// Tests look at files, processes and clocks.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

mod adapter;
mod calls;
mod cartolan;
mod checks;
mod clocks;
mod cold;
mod episodes;
mod hostile;
mod hosts;
mod kills;
mod levels;
mod listing;
mod memory;
mod messages;
mod originals;
mod others;
mod overshoot;
mod processes;
mod renewal;
mod rivals;
mod staging;
mod support;
mod syncs;
mod syncs_conversation;
mod syncs_package;
mod targets;
mod used_time;
