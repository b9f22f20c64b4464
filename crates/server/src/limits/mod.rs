//! Limits for visitors: parties, budgets, permits, attempts, effort of agents.

pub mod attempts;
pub mod budget;
pub mod effort;
pub mod party;
pub mod permits;

/// Upper bound on a received message, in bytes. A structured action on a large board fits.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
