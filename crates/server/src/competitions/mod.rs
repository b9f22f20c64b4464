//! Competitions: tournaments that the server plays, and those in directories that the operator shows.

pub mod directories;
pub mod hub;
pub mod pages;
pub mod plan;
pub mod routes;
pub mod store;
