//! The access log: one line per request, without secrets.

use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Instant;

use axum::body::HttpBody;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{ConnectInfo, MatchedPath, RawPathParams, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};

use crate::app::App;
use crate::key;
use crate::page::frame::refusal;

/// The response header with the identifier of its log line.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The name of secret path parameters, which are never logged. Routes with a secret must use it.
const SECRET: &str = "key";
/// Upper bound on a logged path parameter, in characters.
const MAX_LETTERS: usize = 80;

/// Middleware that logs each request once its response is ready. It turns a panic into a response.
pub async fn log(
    State(app): State<App>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Response {
    let (id, began) = (key::fresh_name(), Instant::now());
    let method = request.method().as_str().to_owned();
    let path = logged_path(request.extensions().get::<MatchedPath>(), params.as_ref().ok());
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let from = from.map_or(Value::Null, |from| from.0.ip().to_canonical().to_string().into());
    let mut answer = pin!(next.run(request));
    let caught = std::future::poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)));
        // After a panic the future is not polled again.
        polled.map_or_else(|panic| Poll::Ready(Err(panic)), |poll| poll.map(Ok))
    });
    let mut response = match caught.await {
        Ok(response) => response,
        Err(panic) => {
            let fault = meeple_core::panic_message(&*panic);
            app.log.event("fault", &[("request", json!(id)), ("path", json!(path)), ("fault", json!(fault))]);
            let reason = format!("a bug in meeple\nhint: please report it, with the words 'request {id}'");
            refusal(StatusCode::INTERNAL_SERVER_ERROR, "A fault", &reason)
        }
    };
    // Streamed bodies have no length yet.
    let bytes = response.body().size_hint().exact().map_or(Value::Null, Value::from);
    let ms = (began.elapsed().as_micros() as f64) / 1000.0;
    app.log.event(
        "request",
        &[
            ("id", json!(id)),
            ("method", json!(method)),
            ("path", json!(path)),
            ("status", json!(response.status().as_u16())),
            ("ms", json!(ms)),
            ("bytes", bytes),
            ("from", from),
        ],
    );
    response.headers_mut().insert(REQUEST_ID, HeaderValue::from_str(&id).expect("names are letters"));
    response
}

/// The path for the log: the route with its parameters, except secrets. Unmatched paths are omitted, because
/// they may be mistyped secrets. Queries are always omitted.
fn logged_path(route: Option<&MatchedPath>, params: Option<&RawPathParams>) -> String {
    let Some(route) = route else { return "-".to_owned() };
    let logged = |part: &str| {
        let name = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        let value = name.filter(|name| *name != SECRET).and_then(|name| {
            let (_, value) = params?.iter().find(|(known, _)| *known == name)?;
            Some(value.chars().take(MAX_LETTERS).collect())
        });
        value.unwrap_or_else(|| part.to_owned())
    };
    route.as_str().split('/').map(logged).collect::<Vec<_>>().join("/")
}
