//! All routes, and the headers and refusals that pages have in common.

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::http::host_names::Hosts;
use crate::http::{access_log, api, compression, host_names, visitors};
use crate::limits::MAX_MESSAGE_BYTES;
use crate::operator::state::memory;
use crate::page::assets;
use crate::page::frame::{help, refusal, shown};
use crate::{competitions, games, headers, laboratory, members, operator, replays, tables};

/// The content security policy: only our own files, and no inline scripts. Inline styles are allowed, because
/// drawings contain them.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

pub fn router(app: App, hosts: Hosts) -> Router {
    let programs = tables::api::routes().merge(replays::api::routes()).merge(laboratory::api::routes());
    let pages = Router::new();
    #[cfg(feature = "faults")]
    let pages = pages.route("/fault/{words}", get(fault));
    pages
        .route("/help", get(|| async { shown(&help()) }))
        .route("/assets/{name}", get(asset))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .fallback(|| async {
            refusal(
                StatusCode::NOT_FOUND,
                "Page not found",
                "there is no such page\nhint: the first page lists what there is",
            )
        })
        .merge(games::routes::routes())
        .merge(tables::routes::routes())
        .merge(replays::routes::routes())
        .merge(laboratory::routes::routes())
        .merge(competitions::routes::routes())
        .merge(operator::routes::routes())
        .merge(members::routes::routes(&app))
        .layer(DefaultBodyLimit::max(MAX_MESSAGE_BYTES))
        .layer(middleware::from_fn_with_state(app.clone(), members::routes::identify_member))
        .layer(middleware::from_fn_with_state(app.clone(), operator::routes::refuse_banned))
        .layer(middleware::from_fn(guard_pages))
        // Programs authenticate by keys in headers, so the API has its own guard.
        .merge(api::routes(app.clone(), programs))
        .layer(middleware::from_fn(compression::pack))
        .layer(middleware::from_fn_with_state(hosts, host_names::expect_own_name))
        .layer(middleware::from_fn_with_state(app.clone(), access_log::log))
        .layer(middleware::from_fn_with_state(app.clone(), visitors::identify_party))
        .with_state(app)
}

/// A handler that panics, for tests.
#[cfg(feature = "faults")]
async fn fault(Path(words): Path<String>) -> Response {
    panic!("{words}")
}

/// Refuses writes from other sites and adds security headers.
async fn guard_pages(request: Request, next: Next) -> Response {
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let safely = headers::came_over_https(request.headers());
    let mut response = match headers::expect_own_page(request.headers()) {
        Err(reason) if writes => refusal(StatusCode::FORBIDDEN, "Request from another site", &reason),
        _ => explained(next.run(request).await),
    };
    let headers = response.headers_mut();
    if safely && let axum::http::header::Entry::Occupied(mut cookies) = headers.entry(SET_COOKIE) {
        // A cookie set over HTTPS is never sent over plain HTTP.
        for cookie in cookies.iter_mut() {
            let safe = [cookie.as_bytes(), b"; Secure"].concat();
            *cookie = HeaderValue::from_bytes(&safe).expect("a cookie and a word");
        }
    }
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Turns a refusal from before the handlers into a page.
fn explained(response: Response) -> Response {
    let is_page =
        response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let (title, message) = match response.status() {
        _ if is_page => return response,
        StatusCode::METHOD_NOT_ALLOWED => (
            "Method not allowed",
            "this address takes no such request\nhint: go on from the first page".to_owned(),
        ),
        StatusCode::PAYLOAD_TOO_LARGE => {
            ("Form too large", format!("expected a form of at most {} bytes, found more", MAX_MESSAGE_BYTES))
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::UNPROCESSABLE_ENTITY => (
            "Invalid form",
            "expected what a page's form sends, found something else\nhint: open the page again".to_owned(),
        ),
        _ => return response,
    };
    let mut page = refusal(response.status(), title, &message);
    // The refusal keeps the list of methods that the address accepts.
    page.headers_mut().extend(response.headers().get(ALLOW).map(|methods| (ALLOW, methods.clone())));
    page
}

async fn asset(Path(name): Path<String>) -> Response {
    match assets::ALL.iter().find(|asset| asset.name == name) {
        Some(asset) => {
            let headers =
                [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
            (headers, asset.bytes).into_response()
        }
        None => refusal(StatusCode::NOT_FOUND, "Page not found", "there is no such file"),
    }
}

async fn ready(State(app): State<App>) -> Response {
    match app.hub.store.expect_writable().await {
        Ok(()) => "ok\n".into_response(),
        Err(trouble) => (StatusCode::SERVICE_UNAVAILABLE, format!("{trouble}\n")).into_response(),
    }
}

async fn metrics(State(app): State<App>) -> String {
    let tables = app.hub.in_memory().await;
    let jobs = app.jobs.running().len() + app.competitions.running().len();
    let gauge = |name: &str, help: &str, value: String| {
        format!("# HELP meeple_{name} {help}.\n# TYPE meeple_{name} gauge\nmeeple_{name} {value}\n")
    };
    let late = app.operation.lag().as_secs_f64();
    let memory = memory().map(|bytes| gauge("memory_bytes", "Memory of the process", bytes.to_string()));
    [
        gauge("tables", "Tables in memory", tables.to_string()),
        gauge("sockets", "Sockets of pages and programs", app.operation.sockets().to_string()),
        gauge("jobs", "Runs and competitions that are played or wait", jobs.to_string()),
        gauge(
            "jobs_paused",
            "Whether they pause because the tables need the machine",
            u8::from(app.operation.gate.is_held()).to_string(),
        ),
        gauge(
            "late_seconds",
            "How late the server came to what was due, at worst in the last minute",
            late.to_string(),
        ),
    ]
    .into_iter()
    .chain(memory)
    .collect()
}
