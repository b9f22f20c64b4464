//! Tests of Privateers from outside.

mod agents;
mod bench;
mod charts;
mod fights;
mod information;
mod laws;
mod prices;
mod rulings;
mod text;
mod tools;
mod vectors;
