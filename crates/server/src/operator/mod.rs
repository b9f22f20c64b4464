//! The operator: current activity, closed tables, bans.

pub mod hub;
pub mod pages;
pub mod routes;
pub mod state;
pub mod store;
