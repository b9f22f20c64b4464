//! Plots as SVG: readable in print, in the colours of Okabe and Ito and the scale viridis, which colour-blind
//! people can tell apart, with labelled axes and 95 % intervals.

mod frame;
mod general;
mod heat;
mod simulation;
mod sweep;
mod ticks;

pub use general::{Caption, bars, intervals, matrix};
pub use simulation::simulation_plots;
pub(crate) use sweep::MOST_AGENTS;
pub use sweep::sweep_plots;

use crate::LabError;

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
