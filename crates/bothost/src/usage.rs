//! Time used.

use serde::{Deserialize, Serialize};

/// Time used by a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of the player's processes in µs, where measurable.
    pub cpu_us: Option<u64>,
    /// Wall time in µs, from sending a message to the arrival of its answer.
    pub wall_us: u64,
}

impl std::ops::Add for Usage {
    type Output = Self;

    /// Adds consecutive times. CPU time that was not measured counts as zero beside one that was.
    fn add(self, other: Self) -> Self {
        let cpu_us = match (self.cpu_us, other.cpu_us) {
            (None, None) => None,
            (own, other) => Some(own.unwrap_or(0) + other.unwrap_or(0)),
        };
        Self { cpu_us, wall_us: self.wall_us + other.wall_us }
    }
}
