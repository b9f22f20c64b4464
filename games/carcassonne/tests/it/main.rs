//! All tests of the game.

mod adapter;
mod agents;
mod laws;
mod pictures;
mod reference;
mod river;
mod rulings;
mod soak;
mod support;
mod syncs;
mod tiles;
mod towers;
mod trials;
mod vectors;
