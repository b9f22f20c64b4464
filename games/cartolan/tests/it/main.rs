//! The tests of Cartolan, in one binary.

mod traces;
