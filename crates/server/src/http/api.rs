//! The JSON API: everything pages can do, for programs. `/api/v1/openapi.json` describes it.
//!
//! Players send the key to their seat in the header `Authorization`; cookies are ignored. Bodies need a JSON
//! content type, and uploads a binary one. Pages of other sites cannot send these types without a CORS
//! preflight, so they cannot make a visitor's browser act here.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::api::answers::{Refusal, no};
use crate::api::messages::Code;
use crate::app::App;
use crate::limits::MAX_MESSAGE_BYTES;
use crate::{api, headers, operator};

/// The OpenAPI description, generated from the types. A test keeps it current.
const DESCRIPTION: &str = include_str!("../../../../schema/openapi-1.json");

/// All routes of the API, including those of `features`.
pub fn routes(app: App, features: Router<App>) -> Router<App> {
    let all = Router::new()
        .route("/openapi.json", get(|| async { ([(CONTENT_TYPE, "application/json")], DESCRIPTION) }))
        .merge(api::games::routes())
        .merge(features)
        .fallback(|| async { no("address", "") });
    let all = all
        .layer(DefaultBodyLimit::max(MAX_MESSAGE_BYTES))
        .layer(middleware::from_fn_with_state(app, operator::routes::refuse_banned))
        .layer(middleware::from_fn(guard_api));
    Router::new().nest("/api/v1", all)
}

/// Refuses requests that other sites' pages could send without a preflight, and gives every refusal the API's
/// format.
async fn guard_api(request: Request, next: Next) -> Response {
    const MAX_REASON: usize = 4096;
    let headers = request.headers();
    // Forms cannot send DELETE, so such a request comes from a program.
    let is_form_like = !matches!(*request.method(), Method::GET | Method::HEAD | Method::DELETE);
    // Only browsers send `Origin`.
    let foreign = headers.get(ORIGIN).and_then(|_| headers::expect_own_page(headers).err());
    let kind = headers::text(headers, CONTENT_TYPE).unwrap_or_default();
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
        // Refusals from before the handlers: a wrong method, an oversized body, a malformed path, a ban.
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
