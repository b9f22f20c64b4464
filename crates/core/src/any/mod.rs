//! Games without their types: text and JSON in and out, for code that serves every game. Implemented once,
//! here, for every [`Playable`](crate::Playable).
//!
//! [`entry`] → [`game`] → [`episode`] → [`view`].

pub mod entry;
pub mod episode;
pub mod game;
pub mod view;
