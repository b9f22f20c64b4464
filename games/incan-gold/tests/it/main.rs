//! All tests of Incan Gold, in one binary.

mod adapter;
mod agents;
mod clauses;
mod drawing;
mod exact;
mod laws;
mod table;
