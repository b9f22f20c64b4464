//! Networks of other programs as players: ONNX files, run by `rten`.
//!
//! * [`Model`] is a validated file: it is of this game, and its inputs and outputs have the expected shapes.
//! * [`Player`] plays by one: the action with the highest `value` after it, or the one that `policy` prefers.
//! * [`value_hints`] lets a search evaluate positions by one.
//!
//! The requirements for a file are in docs/reference/learning.md. The registry has these behind its
//! feature `onnx`:
//! few users need them, and they take a minute to build. A network's output is the same on any number of
//! threads; its last bits may differ on other processors, which add in another order.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // an edge: networks are files, run by threads of their own

mod model;
mod player;
mod value;
mod wire;

pub use model::{Model, Output, Wanted};
pub use player::Player;
pub use value::value_hints;
