//! The parts of the JSON API that features share: games, reading requests, writing responses.

pub mod answers;
pub mod games;
pub mod messages;
