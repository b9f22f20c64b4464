//! Plots as drawings: readable in print, in the colours of Okabe and Ito and the scale viridis, which colour-blind
//! people can tell apart, with labelled axes and 95 % intervals.

mod backend;
mod figures;
mod frame;
mod general;
mod heat;
mod play;
mod simulation;
mod sweep;
mod ticks;

pub(crate) use figures::{MOST_SHEETS, sheet_name};
pub use general::{Caption, bars, intervals, matrix};
pub use simulation::simulation_plots;
pub(crate) use sweep::MOST_AGENTS;
pub use sweep::sweep_plots;

use meeple_scene::{Scene, SvgOptions};

use crate::LabError;

/// A plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// File name without its ending.
    pub name: String,
    /// The picture, one board unit per pixel; its title and description say what it shows.
    pub scene: Scene,
}

impl Plot {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        self.scene.to_svg(&SvgOptions { pixels_per_unit: 1.0, interactive: false })
    }

    /// The picture as PNG, for print: twice its natural size.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn to_png(&self) -> Result<Vec<u8>, LabError> {
        let wrong = |error: meeple_scene::RenderError| LabError::Plot {
            name: self.name.clone(),
            reason: error.to_string(),
        };
        meeple_scene::to_png(&self.scene, 2 * self.scene.width as u32).map_err(wrong)
    }
}
