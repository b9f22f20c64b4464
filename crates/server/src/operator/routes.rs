//! The routes of the operator: a secret link to a page with all current activity, and buttons to end it.

use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::Router;
use axum::extract::{ConnectInfo, Form, FromRequest, Path, Request, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};

use crate::app::App;
use crate::headers;
use crate::limits::party::subscriber;
use crate::members::names::stored_forms;
use crate::members::store::AccountWrite;
use crate::operator::pages;
use crate::operator::state::{Visit, memory};
use crate::operator::store::OperatorWrite;
use crate::page::form::{Fields, field};
use crate::page::frame::{refusal, shown};
use crate::time::now;
use crate::trouble::{Answer, Trouble};

const COOKIE: &str = "operator";

pub fn routes() -> Router<App> {
    Router::new()
        .route("/operator", get(page))
        .route("/operator/key/{key}", get(take_key))
        .route("/operator/tables/{table}/end", post(end_table))
        .route("/operator/runs/{job}/stop", post(stop_run))
        .route("/operator/competitions/{competition}/stop", post(stop_competition))
        .route("/operator/accounts/lock", post(lock))
        .route("/operator/accounts/unlock", post(unlock))
        .route("/operator/ban", post(ban))
        .route("/operator/pardon", post(pardon))
}

/// Checks the operator's key in the request's cookie.
fn expect_operator(app: &App, headers: &HeaderMap) -> Result<(), Trouble> {
    if !app.operation.has_operator() {
        let reason = "this server has no operator's page\nhint: meeple serve --operator prints a link to it";
        return Err(Trouble::missing("Page not found", reason));
    }
    if headers::cookie_values(headers, COOKIE).any(|given| app.operation.is_key(given)) {
        return Ok(());
    }
    let reason = "expected the operator of this server\nhint: the link that opens this page is printed when the server begins";
    Err(Trouble::Forbidden(reason.to_owned()))
}

/// Middleware that refuses banned addresses and records writes.
pub async fn refuse_banned(State(app): State<App>, request: Request, next: Next) -> Response {
    let address =
        request.extensions().get::<ConnectInfo<SocketAddr>>().map(|from| from.0.ip().to_canonical());
    let Some(address) = address else { return next.run(request).await };
    if app.operation.is_banned(address) {
        let reason = "the operator of this server turns your address away";
        return refusal(StatusCode::FORBIDDEN, "Banned", reason);
    }
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    // The operator's own actions are not recorded.
    if writes && !path.starts_with("/operator") {
        let visit = Visit { address, path, status: response.status().as_u16(), at: Instant::now() };
        app.operation.remember(visit);
    }
    response
}

async fn take_key(State(app): State<App>, Path(key): Path<String>) -> Response {
    // Only the true key, which consists of letters, goes into a header.
    if !app.operation.is_key(&key) {
        return refusal(StatusCode::FORBIDDEN, "Forbidden", "expected the operator's key, found another");
    }
    let mut response = Redirect::to("/operator").into_response();
    let cookie = format!("{COOKIE}={key}; Path=/operator; HttpOnly; SameSite=Strict");
    response.headers_mut().insert(SET_COOKIE, HeaderValue::from_str(&cookie).expect("keys are letters"));
    response
}

async fn page(State(app): State<App>, headers: HeaderMap) -> Answer {
    expect_operator(&app, &headers)?;
    let holdings = app.hub.store.holdings().await?;
    let live = app.hub.live().await;
    let runs = app.jobs.running().iter().map(|job| (job.id.clone(), job.plan.command())).collect();
    let competitions = app.competitions.running();
    let competitions = competitions.iter().map(|job| (job.id.clone(), job.plan.command())).collect();
    let members = match app.accounts {
        Some(_) => Some(app.hub.store.members().await?),
        None => None,
    };
    let thinking = app.hub.thinking();
    let seen = pages::Seen { holdings, live, thinking, runs, competitions, memory: memory(), members };
    Ok(shown(&pages::page(&app.operation, &seen)))
}

fn back() -> Answer {
    Ok(Redirect::to("/operator").into_response())
}

async fn end_table(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Answer {
    expect_operator(&app, &headers)?;
    let reason: String =
        field(&fields, "reason").unwrap_or("no reason was given").chars().take(200).collect();
    app.hub.close_table(&id, &reason).await?;
    back()
}

async fn stop_run(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    expect_operator(&app, &headers)?;
    if let Some(job) = app.jobs.find(&id) {
        job.stop();
    }
    back()
}

async fn stop_competition(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    expect_operator(&app, &headers)?;
    if let Some(job) = app.competitions.find(&id).filter(|job| job.is_running()) {
        app.hub.stop_competition(&id).await?;
        job.stop();
    }
    back()
}

fn address(fields: &Fields) -> Result<IpAddr, Trouble> {
    let text = field(fields, "address").unwrap_or("");
    let wrong =
        |_| Trouble::Setup(format!("address: expected one as in 192.0.2.7 or 2001:db8::7, found '{text}'"));
    text.parse::<IpAddr>().map(|address| address.to_canonical()).map_err(wrong)
}

/// Locks or unlocks the account in a form. Locking also ends its sessions.
async fn set_lock(app: &App, headers: &HeaderMap, fields: &Fields, at: Option<i64>) -> Answer {
    expect_operator(app, headers)?;
    let name = field(fields, "name").unwrap_or("");
    let missing = || Trouble::Setup(format!("name: expected that of a member, found '{name}'"));
    let accounts = app.accounts.as_ref().ok_or_else(missing)?;
    let account = app.hub.store.account_called(&stored_forms(name)).await?.ok_or_else(missing)?.id;
    let mut writes = vec![AccountWrite::Lock { account: account.clone(), at }];
    if at.is_some() {
        writes.push(AccountWrite::EndAll { account: account.clone(), but: None });
    }
    app.hub.note(writes).await?;
    if at.is_some() {
        accounts.end(|session| session.account == account);
    }
    app.log.event(if at.is_some() { "locked" } else { "unlocked" }, &[("account", account.into())]);
    back()
}

async fn lock(State(app): State<App>, headers: HeaderMap, Form(fields): Form<Fields>) -> Answer {
    set_lock(&app, &headers, &fields, Some(now())).await
}

async fn unlock(State(app): State<App>, headers: HeaderMap, Form(fields): Form<Fields>) -> Answer {
    set_lock(&app, &headers, &fields, None).await
}

async fn ban(State(app): State<App>, request: Request) -> Answer {
    let own = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|from| from.0.ip().to_canonical());
    expect_operator(&app, request.headers())?;
    let fields = Form::<Fields>::from_request(request, &()).await;
    let Form(fields) = fields.map_err(|_| Trouble::Setup("expected a form".to_owned()))?;
    let address = address(&fields)?;
    if own.is_some_and(|own| subscriber(own) == subscriber(address)) {
        return Err(Trouble::Setup(format!(
            "{address} is your own address\nhint: behind a proxy everybody has the proxy's; turn visitors away there"
        )));
    }
    app.hub.note(vec![OperatorWrite::Ban { address: address.to_string(), at: now() }]).await?;
    app.operation.ban(address);
    back()
}

async fn pardon(State(app): State<App>, headers: HeaderMap, Form(fields): Form<Fields>) -> Answer {
    expect_operator(&app, &headers)?;
    let address = address(&fields)?;
    app.hub.note(vec![OperatorWrite::Pardon { address: address.to_string() }]).await?;
    app.operation.pardon(address);
    back()
}
