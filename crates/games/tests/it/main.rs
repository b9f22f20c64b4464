//! Tests of what games and general agents are together.
#![allow(missing_docs)]

mod search;
mod strengths;
mod value;
