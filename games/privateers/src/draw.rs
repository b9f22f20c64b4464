//! The sea chart.
use meeple_core::View;
use meeple_scene::Scene;
use crate::rules::Privateers;
pub(crate) fn draw(_game: &Privateers, _view: &View<'_, Privateers>) -> Scene { Scene::new(1.0, 1.0) }
