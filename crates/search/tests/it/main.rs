//! Tests of the search, with toy games.

mod analysis;
mod bytes;
mod equilibria;
mod hinted;
mod hints;
mod known;
mod laws;
mod leaks;
mod options;
mod poker;
mod support;
