//! Networks of other programs as players: ONNX files, run by `rten`.
//!
//! * [`Model`] is a validated file: a network for this game, with inputs and outputs of the expected shapes.
//! * [`OnnxPlayer`] plays a network: the action with the highest `value` after it, or the one that `policy`
//!   prefers.
//! * [`value_hints`] lets a search evaluate positions by a network.
//!
//! The requirements for a file are in docs/reference/learning.md. The registry includes this crate only with
//! its feature `onnx`: few users need networks of other programs, and the crate takes a minute to build. A
//! network's output is the same on any number of threads; its last bits may differ on other processors, which
//! add in another order.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // an edge: networks are files, run by threads of their own

mod model;
mod player;
mod value;
mod wire;

pub use model::{Model, ModelOutput, Wanted};
pub use player::OnnxPlayer;
pub use value::value_hints;
