//! The sea chart.
use crate::rules::Privateers;
use meeple_core::View;
use meeple_scene::Scene;
pub(crate) fn draw(_game: &Privateers, _view: &View<'_, Privateers>) -> Scene {
    Scene::new(1.0, 1.0)
}
