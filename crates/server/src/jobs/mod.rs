//! Background jobs.

pub mod gate;
pub mod job;
pub mod turns;
