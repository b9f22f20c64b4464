//! Networks of other programs as players: files of ONNX, run by `rten`.
//!
//! * [`Model`] is a file that was looked at: it is of this game, takes what it should, gives what it should.
//! * [`Player`] plays by one: the action after which `value` is highest, or the one that `policy` likes best.
//! * [`value_hints`] lets a search ask one what a position is worth.
//!
//! What such a file must have stands in docs/learning.md. The registry has these behind its feature `onnx`, because few need
//! them and they take a minute to build. What comes out of a network is the same on any number of threads of one machine;
//! processors of other makes may add in another order, so that last bits differ.
//!
//! Files use those before them: `wire`, `model`, `player`, `value`.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // an edge: networks are files, run by threads of their own

mod model;
mod player;
mod value;
mod wire;

pub use model::{Model, Output, Wanted};
pub use player::Player;
pub use value::value_hints;
