//! All tests of Incan Gold, in one binary.

mod agents;
mod clauses;
mod laws;
mod table;
