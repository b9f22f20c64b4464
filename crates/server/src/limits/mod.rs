//! Limits for strangers: parties, budgets, places, attempts, effort of agents.

pub mod budget;
pub mod effort;
pub mod party;
pub mod places;
pub mod tries;

/// Upper bound on received messages, in bytes: a structured action of a large board.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
