//! Tests of the agents that play every game, with toy games.
#![allow(missing_docs)]

mod hosted;
mod laws;
mod strength;
