//! The rule parameters: all numbers of the rules.

use meeple_core::params;

/// Upper bound on the side of the board.
pub const MAX_SIZE: usize = 64;

pub const MAX_SQUARES: usize = MAX_SIZE * MAX_SIZE;

params! {
    /// The rule parameters of game17.
    pub struct Variant {
        /// Squares along each side of the board; there is one owner per square.
        pub size: u8 = 14 => "size", int(1, 64);
        /// Rounds in a game.
        pub rounds: u16 = 50 => "rounds", int(1, 10_000);
        /// Pieces on every square at the start.
        pub pieces: u32 = 4 => "pieces", int(1, 1_000);
    }
}

impl Variant {
    /// Number of squares of the board, which is also the number of owners and seats.
    pub fn squares(&self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }
}
