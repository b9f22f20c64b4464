//! Tests of what games and general agents are together.
#![allow(missing_docs)]

mod search;
mod stored;
mod strengths;
mod value;
