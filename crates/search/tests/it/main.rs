//! Tests of the search, with toy games.
#![allow(missing_docs)]

mod bytes;
mod hinted;
mod known;
mod laws;
mod leaks;
mod support;
