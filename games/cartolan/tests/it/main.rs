//! The tests of Cartolan, in one binary.

mod captains;
mod laws;
mod traces;
