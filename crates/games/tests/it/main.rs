//! Tests of games and general agents together.

mod search;
mod stored;
mod strengths;
mod value;
