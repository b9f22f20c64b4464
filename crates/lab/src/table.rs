//! Text tables for people.

use crate::{Run, SweepResult};

/// The tables that `sim` prints, at most `width` columns wide if the terminal's width is known.
pub fn simulation_tables(run: &Run, width: Option<u16>) -> String {
    let _ = (run, width);
    String::new()
}

/// The tables that `sweep` prints: every cell, and the best three per agent.
pub fn sweep_tables(result: &SweepResult, width: Option<u16>) -> String {
    let _ = (result, width);
    String::new()
}
