//! The conformance laws: what must hold for every game, checked along random episodes.
//!
//! Files use those before them: `fault`, `panics`, `sight` (what a viewer gets), `encodings`, `hints`, `twins`, `memory`; the laws by subject;
//! `run`, which walks episodes under all of them; `presets` and `fuzz`, which choose what is run.

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

pub use fault::Broken;
pub use fuzz::{FUZZ, Fuzz, FuzzReport, fuzz};
pub use presets::{for_every_preset, run_every_preset, run_facts};
pub(crate) use presets::{preset_variant, usual_seats};
pub(crate) use records::{build, demo};
pub use run::Laws;
pub(crate) use run::agents_with;
