//! The game contract.
