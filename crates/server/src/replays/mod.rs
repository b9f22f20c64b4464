//! Replays: of finished tables, uploads, and episodes of competitions and runs.

pub mod api;
pub mod hub;
pub mod moment;
pub mod pages;
pub mod readers;
pub mod recorded;
pub mod routes;
pub mod store;
