//! A plot as a value: a drawing with the name of its file.

use meeple_scene::{Scene, SvgOptions};

use crate::error::LabError;

/// Callback that receives each plot in turn.
pub type Show<'s> = &'s mut dyn FnMut(Plot) -> Result<(), LabError>;

/// A named drawing.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// File name without its ending.
    pub name: String,
    /// The picture, one board unit per pixel; its title and description make it accessible.
    pub scene: Scene,
}

impl Plot {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        self.scene.to_svg(&SvgOptions { pixels_per_unit: 1.0, interactive: false })
    }

    /// The picture as PNG for print, at twice its natural size.
    ///
    /// # Errors
    /// If drawing fails.
    pub fn to_png(&self) -> Result<Vec<u8>, LabError> {
        let wrong = |error: meeple_scene::RenderError| LabError::Plot {
            name: self.name.clone(),
            reason: error.to_string(),
        };
        meeple_scene::to_png(&self.scene, 2 * self.scene.width as u32).map_err(wrong)
    }
}
