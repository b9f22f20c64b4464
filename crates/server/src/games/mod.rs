//! Pages about games: lists, rules and guides.

pub mod example;
pub mod list;
pub mod markdown;
pub mod routes;
pub mod texts;
