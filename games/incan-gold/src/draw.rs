//! The table as a drawing.

use meeple_core::View;
use meeple_scene::Scene;

use crate::rules::IncanGold;

pub(crate) fn draw(view: &View<'_, IncanGold>) -> Scene {
    let _ = view;
    Scene::new(100.0, 60.0)
}
