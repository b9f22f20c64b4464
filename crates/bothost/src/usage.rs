//! Time used.

use serde::{Deserialize, Serialize};

/// Time used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of the player's process, where it can be measured.
    pub cpu_us: Option<u64>,
    /// Time on the wall, from the question being sent to the answer being read.
    pub wall_us: u64,
}

impl std::ops::Add for Usage {
    type Output = Self;

    /// Both after each other. CPU time that could not be measured counts as none beside one that could.
    fn add(self, other: Self) -> Self {
        let cpu_us = match (self.cpu_us, other.cpu_us) {
            (None, None) => None,
            (own, other) => Some(own.unwrap_or(0) + other.unwrap_or(0)),
        };
        Self { cpu_us, wall_us: self.wall_us + other.wall_us }
    }
}
