//! The conformance laws: properties of every game, checked along random episodes.

mod actions;
mod chance;
mod drawing;
pub(crate) mod encodings;
mod endings;
mod facts;
pub(crate) mod fault;
mod fuzz;
mod hints;
mod information;
mod memory;
mod panics;
mod parts;
mod presets;
mod records;
mod run;
mod sight;
mod twins;
mod values;

pub use fault::BrokenLaw;
pub use fuzz::{FUZZ, Fuzz, FuzzReport, fuzz};
pub use presets::{for_every_preset, run_every_preset, run_facts};
pub(crate) use presets::{preset_variant, usual_seats};
pub(crate) use records::{build, demo};
pub use run::Laws;
pub(crate) use run::agents_with;
