//! Toy games of these tests alone, made to break laws.

pub mod dice;
pub mod pockets;
pub mod whisper;
