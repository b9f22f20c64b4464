//! The arena: schedules, tournaments, ratings, and records that survive a kill.
// Files, threads and the clock are what this crate is for. It still has no randomness of its own and never
// depends on hash order or time for a result.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod rating;
pub mod schedule;
pub mod sprt;
