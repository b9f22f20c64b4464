//! Tests of the agents that play every game, with toy games.

mod hosted;
mod laws;
mod strength;
