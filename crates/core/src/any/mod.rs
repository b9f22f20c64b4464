//! Games without their types: text and JSON in and out, for everything that must not know which game it serves.
//! Implemented once, here, for every [`Playable`](crate::Playable).
//!
//! [`entry`] → [`game`] → [`episode`] → [`view`].

pub mod entry;
pub mod episode;
pub mod game;
pub mod view;
