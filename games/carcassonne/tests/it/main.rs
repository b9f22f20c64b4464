//! All tests of the game.
#![allow(missing_docs)]

mod reference;
mod soak;
mod support;
mod tiles;
