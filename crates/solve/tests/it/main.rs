//! Tests of the solver, with toy games whose equilibria are known.

mod best_response;
mod bytes;
mod goofspiel;
mod matrix;
mod poker;
mod recall;
mod refusals;
mod support;
mod trees;
