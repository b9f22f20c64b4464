//! The laboratory: runs, sweeps and questions.

pub mod apart;
pub mod api;
pub mod hub;
pub mod messages;
pub mod pages;
pub mod plan;
pub mod routes;
pub mod store;
