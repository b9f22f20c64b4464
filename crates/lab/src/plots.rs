//! Plots as SVG.

use crate::{LabError, Run, SweepResult};

/// A plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// File name without its ending.
    pub name: String,
    /// What it shows, in one line.
    pub title: String,
    /// What it shows, in words, for people who cannot see it.
    pub alt: String,
    /// The picture.
    pub svg: String,
}

/// The plots of a simulation.
///
/// # Errors
/// If one cannot be drawn.
pub fn simulation_plots(run: &Run) -> Result<Vec<Plot>, LabError> {
    let _ = run;
    Ok(Vec::new())
}

/// The plots of a sweep.
///
/// # Errors
/// If one cannot be drawn.
pub fn sweep_plots(result: &SweepResult) -> Result<Vec<Plot>, LabError> {
    let _ = result;
    Ok(Vec::new())
}
