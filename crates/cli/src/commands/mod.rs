//! One file per verb.

pub mod agents;
pub mod analyse;
pub mod arena;
pub mod balance;
pub mod bench;
pub mod check_bot;
pub mod doctor;
pub mod games;
pub mod learn;
pub mod matches;
pub mod packaging;
pub mod page;
pub mod play;
pub mod rank;
pub mod render;
pub mod replay;
pub mod rules;
pub mod serve;
pub mod shard;
pub mod sim;
pub mod simulator;
pub mod sweep;
pub mod tool;
pub mod tournament;
pub mod tune;
pub mod verify;
