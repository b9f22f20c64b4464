//! Tables at which people and agents play.

pub mod agents;
pub mod api;
pub mod away;
pub mod clocks;
pub mod cookies;
pub mod hosted;
pub mod hub;
pub mod messages;
pub mod order;
pub mod pages;
pub mod play;
pub mod presence;
pub mod quick_agents;
pub mod routes;
pub mod socket;
pub mod store;
pub mod thinking;
pub mod timing;
pub mod wire;
