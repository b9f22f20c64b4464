//! The tests of Cartolan, in one binary.

mod adapter;
mod captains;
mod cards;
mod clauses;
mod hints;
mod kept;
mod later_rulings;
mod laws;
mod pieces;
mod rulings;
mod setup;
mod table;
mod traces;
