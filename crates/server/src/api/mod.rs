//! The JSON API: everything pages can do, for programs. `/api/v1/openapi.json` describes it.
//!
//! Players send the key to their seat in the header `Authorization`; cookies are ignored. Bodies need a JSON
//! content type. Pages of other sites cannot send that without a CORS preflight, so no visitor's browser acts
//! here unasked.

mod answers;
mod jobs;
mod messages;
#[cfg(feature = "schema")]
mod openapi;
mod tables;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Path, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use meeple_core::{AgentDoc, AnyEntry, ParamSpec};
use meeple_games::{find_game, games};

pub use self::answers::bearer;
use self::answers::{Answer, Refusal, json, no};
use self::messages::{Agent, Code, Game, GameInDetail, Games, Parameter, Preset};
#[cfg(feature = "schema")]
pub use self::openapi::openapi;
use crate::answer::App;
use crate::form::offered;
use crate::{operator, visitor, wire};

/// The OpenAPI description, generated from the types. A test keeps it current.
const DESCRIPTION: &str = include_str!("../../../../schema/openapi-1.json");

pub fn routes(app: App) -> Router<App> {
    let all = Router::new()
        .route("/openapi.json", get(|| async { ([(CONTENT_TYPE, "application/json")], DESCRIPTION) }))
        .route("/games", get(all_games))
        .route("/games/{game}", get(one_game))
        .merge(tables::routes())
        .merge(jobs::routes())
        .fallback(|| async { no("address", "") });
    let all = all
        .layer(DefaultBodyLimit::max(wire::MAX_BYTES))
        .layer(middleware::from_fn_with_state(app, operator::turn_away))
        .layer(middleware::from_fn(guard));
    Router::new().nest("/api/v1", all)
}

/// A refusal in the API's format, for middleware that runs before it.
pub fn refused(status: StatusCode, reason: &str) -> Response {
    Refusal::new(status, Code::NotYours, reason).into_response()
}

/// Refuses requests that other sites' pages could send without a preflight, and gives every refusal the API's
/// format.
async fn guard(request: Request, next: Next) -> Response {
    const MAX_REASON: usize = 4096;
    let headers = request.headers();
    // Forms cannot send DELETE, so such a request comes from a program.
    let is_form_like = !matches!(*request.method(), Method::GET | Method::HEAD | Method::DELETE);
    // Only browsers send `Origin`.
    let foreign = headers.get(ORIGIN).and_then(|_| visitor::expect_own_page(headers).err());
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json =
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    let is_upload = request.uri().path().ends_with("/replays");
    let mut response = match foreign {
        Some(reason) => Refusal::new(StatusCode::FORBIDDEN, Code::NotYours, &reason).into_response(),
        None if is_form_like && !is_json && !(is_upload && kind == "application/octet-stream") => {
            let wanted = if is_upload { "application/octet-stream" } else { "application/json" };
            let text = format!("expected the header `Content-Type: {wanted}`, found '{kind}'");
            Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, Code::InvalidMessage, &text).into_response()
        }
        None => next.run(request).await,
    };
    let status = response.status();
    let refused = status.is_client_error() || status.is_server_error();
    if refused && response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != "application/json") {
        // Refusals from before the handlers: a wrong method, an oversized body, a malformed
        // path, a ban.
        let is_page = response
            .headers()
            .get(CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        let body = to_bytes(std::mem::replace(response.body_mut(), Body::empty()), MAX_REASON).await;
        let reason = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
        let reason = match status {
            StatusCode::METHOD_NOT_ALLOWED => {
                "this address takes no such request\nhint: /api/v1/openapi.json describes what there is"
                    .to_owned()
            }
            StatusCode::PAYLOAD_TOO_LARGE => "expected a shorter body".to_owned(),
            _ if reason.is_empty() || is_page => status.to_string(),
            _ => reason,
        };
        let code = if status == StatusCode::FORBIDDEN { Code::NotYours } else { Code::InvalidMessage };
        response = Refusal::new(status, code, &reason).into_response();
    }
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn entry(id: &str) -> Result<&'static dyn AnyEntry, Refusal> {
    find_game(id).map_err(|error| Refusal::new(StatusCode::NOT_FOUND, Code::NotFound, &error.to_string()))
}

fn game(entry: &dyn AnyEntry) -> Game {
    let info = entry.info();
    let presets = info.presets.iter().map(|preset| Preset { name: preset.name, doc: preset.doc });
    Game {
        id: info.id,
        name: info.name,
        summary: info.summary,
        least_seats: *info.seats.start(),
        most_seats: *info.seats.end(),
        presets: presets.collect(),
    }
}

fn parameters(params: Vec<ParamSpec>) -> Vec<Parameter> {
    let parameter = |param: ParamSpec| Parameter {
        name: param.name,
        default: param.default,
        values: param.domain.to_string(),
        doc: param.doc,
    };
    params.into_iter().map(parameter).collect()
}

async fn all_games() -> Response {
    json(&Games { games: games().into_iter().map(game).collect() })
}

async fn one_game(Path(id): Path<String>) -> Answer {
    let entry = entry(&id)?;
    let agent =
        |agent: AgentDoc| Agent { name: agent.name, doc: agent.doc, parameters: parameters(agent.params) };
    Ok(json(&GameInDetail {
        game: game(entry),
        parameters: parameters(entry.params()),
        agents: offered(entry).into_iter().map(agent).collect(),
        input_help: entry.info().input_help,
    }))
}
