//! Tests of the arena.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod ratings;
mod schedule;
mod sprt;
