//! Background jobs.

pub mod gate;
pub mod job;
