//! Limits for visitors: parties, budgets, places, attempts, effort of agents.

pub mod budget;
pub mod effort;
pub mod party;
pub mod places;
pub mod tries;

/// Upper bound on a received message, in bytes. A structured action on a large board fits.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
