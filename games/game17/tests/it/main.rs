//! All tests of game17 except the one that counts allocations.

mod adapter;
mod agents;
mod clauses;
mod composer;
mod display;
mod encoding;
mod laws;
mod record_games;
mod records;
mod table;
mod text;
