//! All tests of the game.
#![allow(missing_docs)]

mod reference;
mod rulings;
mod soak;
mod support;
mod tiles;
mod towers;
mod vectors;
