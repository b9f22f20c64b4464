//! The routes of games: rules and guides.

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use meeple_core::AnyEntry;
use meeple_games::find_game;

use crate::games::texts;
use crate::page::frame::{refusal, shown};

pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/rules/{game}", get(rules)).route("/guide/{game}", get(guide))
}

/// Finds a game, or returns a 404 page.
pub fn game(id: &str) -> Result<&'static dyn AnyEntry, Box<Response>> {
    find_game(id)
        .map_err(|error| Box::new(refusal(StatusCode::NOT_FOUND, "No such game", &error.to_string())))
}

async fn rules(Path(id): Path<String>) -> Response {
    game(&id).map_or_else(|refused| *refused, |entry| shown(&texts::rules(entry.info())))
}

async fn guide(Path(id): Path<String>) -> Response {
    // The first request plays the guide's examples; their drawings are cached.
    let page = |entry| tokio::task::block_in_place(|| texts::guide(entry));
    game(&id).map_or_else(|refused| *refused, |entry| shown(&page(entry)))
}
