//! The tests of the game, in one binary.

mod exact;
