//! The routes of games: rules and guides.

use axum::Router;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use meeple_core::AnyEntry;
use meeple_games::find_game;

use crate::games::texts;
use crate::page::frame::shown;
use crate::trouble::Trouble;

pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/rules/{game}", get(rules)).route("/guide/{game}", get(guide))
}

/// The game that a path names.
pub struct GamePath(pub &'static dyn AnyEntry);

impl<S: Send + Sync> FromRequestParts<S> for GamePath {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let id = Path::<String>::from_request_parts(parts, state).await;
        let Path(id) = id.map_err(IntoResponse::into_response)?;
        let entry = find_game(&id).map_err(|error| Trouble::missing("No such game", error));
        entry.map(Self).map_err(IntoResponse::into_response)
    }
}

async fn rules(GamePath(entry): GamePath) -> Response {
    shown(&texts::rules(entry.info()))
}

async fn guide(GamePath(entry): GamePath) -> Response {
    // The first request plays the guide's examples; their drawings are cached.
    shown(&tokio::task::block_in_place(|| texts::guide(entry)))
}
