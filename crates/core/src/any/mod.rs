//! Type-erased games, for code that serves every game: actions and states are text and JSON. Each
//! trait is implemented here once, for all [`Playable`](crate::Playable) games.

pub mod entry;
pub mod episode;
pub mod game;
pub mod view;
