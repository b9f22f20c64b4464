//! Conformance laws, golden playthroughs, signatures and perft for every game, and toy games for tests.
//!
//! A game's tests use the crate in a few lines:
//!
//! ```
//! use meeple_testkit::{for_every_preset, toys::Nim};
//!
//! // #[test] fn laws() {
//! for_every_preset::<Nim>(|laws| laws.episodes(5));
//! // }
//! ```
//!
//! The crate is for dev-dependencies only: it prints, reads and writes the goldens of a crate, and waits for
//! threads and processes.
#![warn(missing_docs)]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "goldens are files, a bless is asked for in the environment, a panic in a game is reported, and waits have clocks"
)]

mod digest;
pub mod encodings;
mod golden;
mod laws;
pub mod parameters;
mod perft;
pub mod playthrough;
mod seen;
mod signature;
pub mod toys;
mod twin_scripts;
pub mod waits;
mod walk;

pub use digest::Digest;
pub use encodings::encodings;
pub use golden::{BLESS, Mode, hold_golden};
pub use laws::{
    BrokenLaw, FUZZ, Fuzz, FuzzReport, Laws, for_every_preset, fuzz, run_every_preset, run_facts,
};
pub use parameters::rules_table;
pub use perft::{PerftError, check_perft, perft, perft_from};
pub use playthrough::{playthroughs, playthroughs_also, playthroughs_with};
pub use signature::{signature, signature_text};
pub use twin_scripts::{ScriptedDecision, TwinScripts, twin_scripts};
pub use walk::{ids_lead_back, keys_allocate_nothing};
