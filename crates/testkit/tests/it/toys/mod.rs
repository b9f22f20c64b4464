//! Toy games that only these tests play: they are made to break laws.

pub mod dice;
pub mod pockets;
pub mod whisper;
