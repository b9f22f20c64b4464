//! Members: accounts, log-ins and names.

pub mod accounts;
pub mod browser;
pub mod cookies;
pub mod names;
pub mod pages;
pub mod passwords;
pub mod routes;
pub mod store;
