//! Pages of the laboratory.

pub mod questions;
pub mod run;
pub mod walk;
