//! Connections, middleware, and the routes of everything.

pub mod access_log;
pub mod api;
pub mod compression;
pub mod connections;
pub mod host_names;
pub mod router;
pub mod visitors;
