//! Tests of Privateers from outside.

mod agents;
mod bench;
mod charts;
mod clauses;
mod conclusions;
mod extremes;
mod fights;
mod hints;
mod information;
mod laws;
mod leaks;
mod options;
mod prices;
mod rulings;
mod text;
mod tools;
mod vectors;
