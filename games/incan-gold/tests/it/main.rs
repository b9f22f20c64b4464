//! All tests of Incan Gold, in one binary.

mod agents;
mod clauses;
mod exact;
mod laws;
mod table;
