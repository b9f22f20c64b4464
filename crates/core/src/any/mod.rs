//! Games without their types, as text and JSON, for code that serves every game. The implementations here
//! cover every [`Playable`](crate::Playable).

pub mod entry;
pub mod episode;
pub mod game;
pub mod view;
